// Scans of rows and of columns, in the loop bodies of both sorts of device.

#include <algorithm>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/scan.h"

namespace nxv::cli {

namespace {

struct Sized {
  AxisShape shape;
  bool reverse = false;
  bool special = false;  // NaN and infinities among the numbers: for short runs, of which enough stay finite
};

constexpr Sized kSizes[] = {
    {{301, 3, 1}, false, true}, {{9, 100, 1}, true}, {{2, 2 * 2048 + 77, 1}}, {{1, 3000, 1}, true}, {{2, 40, 9}}};

}  // namespace

std::vector<Launch> scan_launches(const RecipeCall& call) {
  const auto kind = element_kind(call.signature.out);
  if (!kind) return {};
  const bool product = call.signature.op == "cumulative_product";
  std::vector<Launch> launches;
  for (const auto& [shape, reverse, special] : kSizes) {
    Traits traits = call.traits_as(call.variant.access == "serial");
    // A tile of c128 must fit.
    traits.max_shared_bytes = std::max(traits.max_shared_bytes, 32768u);
    LaunchBuilder builder(call.signature.op, traits);
    ValueSource source(call.name(), launches.size(), call.values);
    const Dims dims{shape.outer, shape.n, shape.inner};
    std::vector<std::byte> bytes = source.take(*kind, element_count(dims), {.near_one = product, .special = special});
    const Operand from = builder.tensor({kind->type, dims}, std::move(bytes));
    const Operand to = builder.plan().output({kind->type, dims});
    append_scan(builder.plan(), call.signature.op, from, shape, reverse, to);
    launches.push_back(builder.finish(*kind));
  }
  return launches;
}

}  // namespace nxv::cli
