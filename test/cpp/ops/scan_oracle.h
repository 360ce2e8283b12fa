#pragma once

// Scans, straight from their definition: tiles of 16 groups of 16 segments of 8; folds from left to right that begin
// with the identity; the carries of the tiles are the scan of their totals.

#include <algorithm>
#include <vector>

#include "test/cpp/ops/reduce_oracle.h"

namespace nxv::oracle {

template <typename T, typename Combine>
std::vector<T> scan(const std::vector<T>& elements, T identity, Combine combine) {
  constexpr size_t kSegment = 8, kGroup = 128, kTile = 2048;
  const size_t n = elements.size();
  std::vector<T> results(n), totals;
  // The results of a tile where there is a carry, else its total.
  const auto walk = [&](size_t tile, const T* carry) {
    T groups = identity;
    const size_t end = std::min(tile + kTile, n);
    for (size_t group = tile; group < end; group += kGroup) {
      T segments = identity;
      for (size_t segment = group; segment < std::min(group + kGroup, end); segment += kSegment) {
        T sum = identity, running = carry ? combine(combine(*carry, groups), segments) : identity;
        for (size_t i = segment; i < std::min(segment + kSegment, end); ++i) {
          sum = combine(sum, elements[i]);
          running = combine(running, elements[i]);
          if (carry) results[i] = running;
        }
        segments = combine(segments, sum);
      }
      groups = combine(groups, segments);
    }
    return groups;
  };
  for (size_t tile = 0; tile < n; tile += kTile) totals.push_back(walk(tile, nullptr));
  std::vector<T> carries;
  if (totals.size() > 1) carries = scan(totals, identity, combine);
  for (size_t tile = 0; tile < n; tile += kTile) walk(tile, tile == 0 ? &identity : &carries[tile / kTile - 1]);
  return results;
}

// op: cumulative_sum, cumulative_product, cumulative_max, cumulative_min.
template <typename T>
std::vector<T> scan(std::string_view op, const std::vector<T>& elements) {
  if constexpr (kIsComplex<T>) {
    using Part = typename T::value_type;
    if (op == "cumulative_sum") return scan(elements, T(Part(-0.0), Part(-0.0)), add<T>);
    return scan(elements, T{1}, product_step<Part>);
  } else {
    const T zero = std::is_floating_point_v<T> ? static_cast<T>(-0.0) : T{0};
    if (op == "cumulative_sum") return scan(elements, zero, add<T>);
    if (op == "cumulative_product") return scan(elements, T{1}, multiply_real<T>);
    const bool largest = op == "cumulative_max";
    const T identity = largest ? lowest_or_minus_infinity<T>() : highest_or_infinity<T>();
    return scan(elements, identity, [&](T a, T b) {
      if (is_nan(a) || is_nan(b)) return std::numeric_limits<T>::quiet_NaN();
      return less(a, b) == largest ? b : a;
    });
  }
}

}  // namespace nxv::oracle
