// Reductions and running sums along any axes.

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/reduce_oracle.h"
#include "test/cpp/ops/scan_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

bool is_truth(const std::string& op) { return op == "all" || op == "any"; }

// About every second run of `length` is true.
Bytes truth_values(Draw& draw, const std::string& op, Type type, int64_t count, int64_t length) {
  return numbers(type, count, [&] {
    const bool seldom = draw.one_in(length + 1);
    return (op == "all") == seldom ? 0.0 : static_cast<double>(draw.between(1, 3));
  });
}

Bytes operand(Draw& draw, const std::string& op, Type type, int64_t count, int64_t length) {
  if (is_truth(op)) return truth_values(draw, op, type, count, length);
  if (op.ends_with("product")) return factors(draw, type, count);
  if (op.ends_with("sum")) return ordinary_values(draw, type, count, 4 * length);
  return special_values(draw, type, count);
}

template <typename T>
std::vector<Promoted<T>> elements(const std::vector<T>& values, const std::vector<int64_t>& places) {
  std::vector<Promoted<T>> result;
  for (int64_t place : places) result.push_back(promoted(values[static_cast<size_t>(place)]));
  return result;
}

Bytes reduced(const std::string& op, Type type, const Bytes& bytes, const std::vector<std::vector<int64_t>>& runs) {
  Bytes results;
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = numbers_of<T>(bytes);
    std::vector<uint8_t> truths;
    std::vector<T> folds;
    for (const std::vector<int64_t>& run : runs) {
      using Number = Promoted<T>;
      const std::vector<Number> some = elements(values, run);
      if (is_truth(op)) {
        truths.push_back(oracle::reduce<Number, uint8_t>(op, std::span<const Number>(some)));
      } else {
        folds.emplace_back(oracle::reduce<Number, Number>(op, std::span<const Number>(some)));
      }
    }
    results = is_truth(op) ? bytes_of(truths) : bytes_of(folds);
  });
  return results;
}

Case drawn_reduce(Draw& draw) {
  const std::string op = draw.any<std::string>({"sum", "product", "reduce_max", "reduce_min", "all", "any"});
  const bool extreme = op.starts_with("reduce");
  const Type type = draw.few(op, extreme ? real_types() : device_types(), 2);
  // A GPU's trees take a CPU device long to compile.
  Case one{.op = op, .traits = drawn_traits(draw, op + std::string(type_info(type).name), 12)};
  const Dims dims = draw.shape(draw.rank());
  const auto rank = static_cast<int64_t>(dims.size());
  Dims axes = draw.axes(rank, draw.one_in(3) ? draw.between(0, rank) : std::min<int64_t>(rank, 1));
  if (draw.one_in(4)) {
    axes = draw.permutation(rank);
  } else {
    one.attrs["axes"] = axes;
  }
  const bool keep = draw.one_in(3);
  if (keep) one.attrs["keep_axes"] = int64_t{1};
  Dims kept;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!contains(axes, axis)) kept.push_back(dims[static_cast<size_t>(axis)]);
    if (contains(axes, axis) && keep) kept.push_back(1);
  }
  const std::vector<std::vector<int64_t>> runs = runs_along(dims, axes);
  const Bytes values = operand(draw, op, type, element_count(dims), static_cast<int64_t>(runs[0].size()));
  one.operands = {tensor_or_number(draw, {type, dims}, values)};
  // Sums and products are those of the result's type.
  Type gives = is_truth(op) ? Type::u8 : extreme ? type : to_aggregate(type);
  const Type folded = is_truth(op) ? type : gives;
  Bytes bytes = reduced(op, folded, cast_values(values, type, folded), runs);
  if (draw.one_in(6)) {
    if (is_truth(op)) {
      gives = Type::s32;
      bytes = cast_values(bytes, Type::u8, gives);
    }
    one.outs = {{gives, kept}};
  }
  one.results = {{{gives, kept}, bytes, Match::numbers}};
  return one;
}

Case drawn_scan(Draw& draw) {
  const std::string op =
      draw.any<std::string>({"cumulative_sum", "cumulative_product", "cumulative_max", "cumulative_min"});
  const bool extreme = op.ends_with("max") || op.ends_with("min");
  const Type type = draw.few(op, extreme ? real_types() : device_types(), 6);
  Case one{.op = op, .traits = drawn_traits(draw, op + std::string(type_info(type).name))};
  const Dims dims = draw.shape(draw.rank(1));
  const int64_t axis = draw.below(static_cast<int64_t>(dims.size()));
  const bool reverse = draw.one_in(2);
  if (axis != 0 || draw.one_in(2)) one.attrs["axis"] = axis;
  if (reverse) one.attrs["reverse"] = int64_t{1};
  const Bytes bytes = operand(draw, op, type, element_count(dims), dims[static_cast<size_t>(axis)]);
  one.operands = {tensor(draw, {type, dims}, bytes)};
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> values = numbers_of<T>(bytes);
    std::vector<T> results(values.size());
    for (std::vector<int64_t> run : runs_along(dims, {axis})) {
      if (reverse) std::ranges::reverse(run);
      const std::vector<Promoted<T>> folds = oracle::scan(op, elements(values, run));
      for (size_t i = 0; i < run.size(); ++i) results[static_cast<size_t>(run[i])] = static_cast<T>(folds[i]);
    }
    one.results = {{{type, dims}, bytes_of(results), Match::numbers}};
  });
  return one;
}

TEST(Property, Reduce) { check_cases("Reduce", 1000, drawn_reduce); }
TEST(Property, Scan) { check_cases("Scan", 500, drawn_scan); }

}  // namespace
}  // namespace nxv::property
