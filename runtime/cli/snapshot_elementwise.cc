// map1, map2, map3 and cast: which layouts of the operands lead to which access.

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/core/error.h"
#include "runtime/ops/map_steps.h"

namespace nxv::cli {

namespace {

// How an operand stands to the output's shape.
enum class Layout {
  whole,       // the same shape
  number,      // a number on the host
  one,         // a tensor of one element
  columns,     // an element a column of a matrix
  rows,        // an element a row
  misaligned,  // the same shape at an address that forbids vectors
  outer,       // [a][1][c] of [a][b][c]
  middle,      // [b][1]
};

struct Arrangement {
  Dims dims;
  std::vector<Layout> layouts;
};

Dims dims_under(Layout layout, const Dims& dims) {
  switch (layout) {
    case Layout::number:
      return {};
    case Layout::one:
      return {1};
    case Layout::columns:
      return {dims.back()};
    case Layout::rows:
      return {dims.front(), 1};
    case Layout::outer:
      return {dims[0], 1, dims[2]};
    case Layout::middle:
      return {dims[1], 1};
    default:
      return dims;
  }
}

// `pattern` repeated over as many operands as there are.
std::vector<Layout> over(size_t operands, std::initializer_list<Layout> pattern) {
  std::vector<Layout> layouts;
  for (size_t k = 0; k < operands; ++k) layouts.push_back(pattern.begin()[k % pattern.size()]);
  return layouts;
}

std::vector<Arrangement> arrangements(std::string_view access, size_t operands, int64_t elems) {
  using enum Layout;
  if (access == "dense") return {{{4099}, over(operands, {whole})}, {{1}, over(operands, {whole})}};
  if (access == "scalar") {
    // Some of them again: an operand of one number shows little.
    std::vector<Arrangement> all{{{1009}, operands == 1 ? over(1, {number}) : over(operands, {whole, number, one})},
                                 {{1009}, operands == 1 ? over(1, {one}) : over(operands, {one, whole, number})}};
    for (size_t again = 0; again < 6; ++again) all.push_back({{65}, all[again % 2].layouts});
    return all;
  }
  if (access == "inner") {
    const int64_t few = std::max<int64_t>(elems, 2);
    return {{{37, 3 * elems}, over(operands, {rows, whole, columns})},
            {{53, few}, over(operands, {columns, rows, whole})}};
  }
  if (access == "strided") {
    return {{{1009}, over(operands, {misaligned, whole, number})},
            {{2, 53, 3}, over(operands, {outer, middle, whole})},
            {{2, 53, 2 * elems}, over(operands, {outer, middle, whole})}};
  }
  return {};
}

// The number as planners take it; nothing for types that have no numbers on the host.
std::optional<Scalar> scalar_of(ElementKind kind, std::span<const std::byte> bytes) {
  Scalar scalar;
  if (type_info(kind.type).kind == Kind::complex) return std::nullopt;
  Number number = part_at(kind.type, bytes, 0);
  if (number.floating) {
    scalar.value = number.real;
  } else if (number.integer < 0) {
    scalar.value = static_cast<int64_t>(number.integer);
  } else {
    scalar.value = static_cast<uint64_t>(number.integer);
  }
  try {
    scalar_bits(scalar, kind.type);
  } catch (const Error&) {
    return std::nullopt;
  }
  return scalar;
}

Launch launch(const RecipeCall& call, const Arrangement& arrangement, std::span<const ElementKind> kinds,
              ElementKind out, uint64_t number) {
  LaunchBuilder builder(call.signature.op, call.traits);
  std::vector<Operand> operands;
  for (size_t k = 0; k < kinds.size(); ++k) {
    Layout layout = arrangement.layouts[k];
    TensorSpec spec{kinds[k].type, dims_under(layout, arrangement.dims)};
    ValueSource source(call.name(), number * 8 + k, call.values);
    std::vector<std::byte> bytes = source.take(kinds[k], element_count(spec.dims), {.first_special = number >= 2});
    if (layout == Layout::number) {
      if (auto scalar = scalar_of(kinds[k], bytes)) {
        operands.push_back({spec, {}, scalar});
        continue;
      }
      spec.dims = {1};
    }
    operands.push_back(builder.tensor(spec, std::move(bytes), layout == Layout::misaligned ? kinds[k].bytes() : 0));
  }
  Operand to = builder.plan().output({out.type, arrangement.dims});
  map_steps(builder.plan(), call.signature.family, call.signature.op, call.signature.types, operands, to);
  return builder.finish(out);
}

}  // namespace

std::vector<Launch> elementwise_launches(const RecipeCall& call) {
  auto kinds = element_kinds(call.signature.inputs);
  auto out = element_kind(call.signature.out);
  if (!kinds || !out || kinds->empty()) return {};
  if (call.variant.access == "function") return linked_launches(call);
  std::vector<Launch> launches;
  for (const Arrangement& one : arrangements(call.variant.access, kinds->size(), call.variant.elems)) {
    launches.push_back(launch(call, one, *kinds, *out, launches.size()));
  }
  return launches;
}

}  // namespace nxv::cli
