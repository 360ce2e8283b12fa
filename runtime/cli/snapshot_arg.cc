// argmax and argmin: each width as unsigned and signed integers and as floats of that width.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/arg.h"
#include "runtime/ops/order_bits.h"

namespace nxv::cli {

namespace {

struct Sized {
  AxisShape shape;
  ArgChoice choice;
};

constexpr Sized kSizes[] = {
    {{37, 40, 1}, {}},
    {{3, 257, 1}, {.smallest = true, .last = true}},
    {{2, 70, 9}, {.last = true}},
    {{1, 70001, 1}, {.smallest = true}},
};

}  // namespace

std::vector<Launch> arg_launches(const RecipeCall& call) {
  const auto out = element_kind("s32");
  std::vector<Launch> launches;
  for (Type type : all_types()) {
    const TypeInfo& info = type_info(type);
    const auto from = element_kind(info.name);
    if (!from || info.kind == Kind::complex || !call.signature.inputs.starts_with(width_name(type))) continue;
    for (const Sized& size : kSizes) {
      LaunchBuilder builder("argmax", call.traits_as(call.variant.access == "serial"));
      ValueSource source(call.name(), launches.size(), call.values);
      const auto [outer, n, inner] = size.shape;
      const Dims dims{outer, n, inner};
      const Operand operand =
          builder.tensor({type, dims}, source.take(*from, element_count(dims), {.special = n < 64}));
      append_arg(builder.plan(), size.choice, operand, size.shape, builder.plan().output({out->type, {outer, inner}}));
      launches.push_back(builder.finish(*out));
    }
  }
  return launches;
}

}  // namespace nxv::cli
