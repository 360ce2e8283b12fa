// Reductions of rows and of columns, in the loop bodies of both sorts of device.

#include <algorithm>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/reduce_steps.h"

namespace nxv::cli {

namespace {

struct Sized {
  ReduceShape shape;
  bool special = false;  // NaN and infinities among the numbers: for short runs, of which enough stay finite
};

std::vector<Sized> shapes(std::string_view access) {
  if (access.ends_with("row")) {
    return {{{301, 3, 1}, true}, {{37, 40, 1}}, {{9, 128, 1}}, {{5, 1001, 1}}, {{2, 2 * 8192 + 77, 1}}};
  }
  return {{{3, 7, 45}, true}, {{2, 30, 8}}, {{2, 300, 68}}, {{1, 8192 + 77, 5}}};
}

// For all and any: about half of the runs of n are true.
void balance_truth(std::string_view op, ElementKind kind, int64_t n, ValueSource& source,
                   std::vector<std::byte>& bytes) {
  if (op != "all" && op != "any") return;
  std::vector<std::byte> zero, one;
  for (size_t part = 0; part < parts_of(kind.type); ++part) {
    append_part(kind.type, {.floating = is_float(kind.type)}, zero);
    append_part(kind.type, {.floating = is_float(kind.type), .integer = 1, .real = 1}, one);
  }
  for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(kind.bytes())) {
    const bool rare = source.next() % static_cast<uint64_t>(n) == 0;
    const bool is_zero = std::equal(zero.begin(), zero.end(), at);
    if (op == "any" ? !rare : rare && source.next() % 2)
      std::ranges::copy(zero, at);
    else if (op == "all" && is_zero)
      std::ranges::copy(one, at);
  }
}

}  // namespace

std::vector<Launch> reduce_launches(const RecipeCall& call) {
  auto from = element_kind(call.signature.inputs), out = element_kind(call.signature.out);
  const std::string_view access = call.variant.access;
  const bool known = access == "row" || access == "col" || access == "serial_row" || access == "serial_col";
  if (!from || !out || !known) return {};
  const bool product = call.signature.op == "product";
  std::vector<Launch> launches;
  for (const auto& [shape, special] : shapes(access)) {
    LaunchBuilder builder(call.signature.op, call.traits_as(access.starts_with("serial")));
    ValueSource source(call.name(), launches.size(), call.values);
    const Dims dims{shape.outer, shape.n, shape.inner};
    std::vector<std::byte> bytes = source.take(*from, element_count(dims), {.near_one = product, .special = special});
    balance_truth(call.signature.op, *from, shape.n, source, bytes);
    const Operand operand = builder.tensor({from->type, dims}, std::move(bytes));
    const Operand to = builder.plan().output({out->type, {shape.outer, shape.inner}});
    append_reduce(builder.plan(), call.signature.op, operand, shape, to);
    launches.push_back(builder.finish(*out));
  }
  return launches;
}

}  // namespace nxv::cli
