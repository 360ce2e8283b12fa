// argmax, argmin, sort, argsort and top_k.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "test/cpp/device/order_values.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

// Calls f with values of a real type, many of them equal.
template <typename F>
void with_values(Draw& draw, Type type, int64_t count, F f) {
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!oracle::kIsComplex<T>) f(ordered_values<T>(static_cast<size_t>(count), draw.seed(), draw.one_in(3)));
  });
}

template <typename T>
int32_t extreme_of(const std::vector<T>& values, const std::vector<int64_t>& run, bool smallest, bool last) {
  int32_t best = 0;
  for (int32_t i = 1; i < static_cast<int32_t>(run.size()); ++i) {
    const T a = values[static_cast<size_t>(run[static_cast<size_t>(best)])],
            b = values[static_cast<size_t>(run[static_cast<size_t>(i)])];
    if (not_a_number(a)) break;
    const bool equal = !lies_before(a, b) && !lies_before(b, a);
    if (not_a_number(b) || (smallest ? lies_before(b, a) : lies_before(a, b)) || (equal && last)) best = i;
  }
  return best;
}

Case drawn_arg(Draw& draw) {
  const bool smallest = draw.one_in(2), last = draw.one_in(2);
  const Type type = draw.any(real_types());
  Case one{.op = smallest ? "argmin" : "argmax",
           .traits = drawn_traits(draw, "arg" + std::string(type_info(type).name))};
  const Dims dims = draw.shape(draw.rank());
  const auto rank = static_cast<int64_t>(dims.size());
  Dims axes = draw.permutation(rank), kept;
  if (rank > 0 && !draw.one_in(4)) {
    axes = {draw.below(rank)};
    one.attrs["axis"] = axes[0];
  }
  const bool keep = draw.one_in(3);
  if (keep) one.attrs["keep_axis"] = int64_t{1};
  if (last || draw.one_in(2)) one.attrs["tie_break"] = std::string(last ? "high" : "low");
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!contains(axes, axis)) kept.push_back(dims[static_cast<size_t>(axis)]);
    if (contains(axes, axis) && keep) kept.push_back(1);
  }
  with_values(draw, type, element_count(dims), [&](const auto& values) {
    one.operands = {tensor(draw, {type, dims}, bytes_of(values))};
    std::vector<int32_t> results;
    for (const std::vector<int64_t>& run : runs_along(dims, axes)) {
      results.push_back(extreme_of(values, run, smallest, last));
    }
    one.results = {{{Type::s32, kept}, bytes_of(results)}};
  });
  if (draw.one_in(6)) {
    const Type gives = draw.few("arg", std::vector{Type::u32, Type::f32, Type::s16, Type::s64}, 2);
    one.outs = {{gives, kept}};
    one.results = {{{gives, kept}, cast_values(one.results[0].bytes, Type::s32, gives)}};
  }
  return one;
}

// Kernels of tiles take a CPU device a second each, so that all are planned for the device's own sort.
Case drawn_sort(Draw& draw) {
  const std::string op = draw.any<std::string>({"sort", "sort", "argsort", "top_k"});
  const bool top_k = op == "top_k";
  const Type type = draw.any(real_types());
  Case one{.op = op, .traits = test_traits(device_info(*test_device()).cpu, draw.one_in(6))};
  const Dims dims = draw.shape(draw.rank(1));
  const auto rank = static_cast<int64_t>(dims.size());
  const int64_t axis = top_k ? rank - 1 : draw.below(rank);
  const int64_t length = dims[static_cast<size_t>(axis)];
  const int64_t count = top_k ? draw.between(1, length) : length;
  const bool descending = top_k || draw.one_in(2);
  if (top_k) {
    one.attrs["k"] = count;
  } else {
    one.attrs = {{"axis", axis}, {"direction", std::string(descending ? "desc" : "asc")}};
  }
  Dims kept = dims;
  kept[static_cast<size_t>(axis)] = count;
  with_values(draw, type, element_count(dims), [&](const auto& values) {
    one.operands = {tensor(draw, {type, dims}, bytes_of(values))};
    std::vector<int64_t> places(static_cast<size_t>(element_count(kept)));
    std::vector<int32_t> indices(places.size());
    const auto from = runs_along(dims, {axis}), to = runs_along(kept, {axis});
    for (size_t r = 0; r < from.size(); ++r) {
      const auto at = [&](int32_t i) { return values[static_cast<size_t>(from[r][static_cast<size_t>(i)])]; };
      std::vector<int32_t> order(static_cast<size_t>(length));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
        return descending ? lies_before(at(b), at(a)) : lies_before(at(a), at(b));
      });
      for (size_t i = 0; i < to[r].size(); ++i) {
        const auto place = static_cast<size_t>(to[r][i]);
        indices[place] = order[i];
        places[place] = from[r][static_cast<size_t>(order[i])];
      }
    }
    const CaseResult sorted{{type, kept}, taken(bytes_of(values), type, places)};
    const CaseResult order{{Type::s32, kept}, bytes_of(indices)};
    one.results = {sorted, order};
    if (op == "sort") one.results = {sorted};
    if (op == "argsort") one.results = {order};
  });
  return one;
}

TEST(Property, Arg) { check_cases("Arg", 500, drawn_arg); }
TEST(Property, Sort) { check_cases("Sort", 500, drawn_sort); }

}  // namespace
}  // namespace nxv::property
