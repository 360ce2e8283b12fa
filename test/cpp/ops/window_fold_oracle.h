#pragma once

// What the operations on sliding windows give, straight from their definition. Operations: window_sum, window_product,
// window_max, window_min; window_scatter_max, window_scatter_min.

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "test/cpp/ops/reduce_oracle.h"
#include "test/cpp/ops/window_oracle.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv::oracle {

template <typename T>
T window_identity(std::string_view op) {
  if constexpr (kIsComplex<T>) {
    return op == "window_product" ? T(1) : T(0);
  } else {
    if (op == "window_max") return lowest_or_minus_infinity<T>();
    if (op == "window_min") return highest_or_infinity<T>();
    return op == "window_product" ? T{1} : T{0};
  }
}

template <typename T>
T window_combine(std::string_view op, T a, T b) {
  if (op == "window_sum") return add(a, b);
  if constexpr (kIsComplex<T>) {
    return product_step(a, b);
  } else {
    if (op == "window_product") return multiply_real(a, b);
    if (is_nan(a) || is_nan(b)) return std::numeric_limits<T>::quiet_NaN();
    return less(a, b) == (op == "window_max") ? b : a;
  }
}

// A left fold in row-major order, from the identity.
template <typename T>
std::vector<T> folded_windows(std::string_view op, const Windows& windows, const std::vector<T>& values) {
  std::vector<T> results;
  for_indices(windows.positions(), [&](const Dims& position) {
    auto fold = window_identity<Promoted<T>>(op);
    for_indices(windows.window, [&](const Dims& k) {
      if (const auto at = windows.element(position, k)) {
        fold = window_combine(op, fold, promoted(values[static_cast<size_t>(*at)]));
      }
    });
    results.emplace_back(static_cast<T>(fold));
  });
  return results;
}

// The element that a window selects; none where that lies in the padding, whose elements are `initial`.
template <typename T>
std::optional<int64_t> window_pick(std::string_view op, const Windows& windows, const Dims& position,
                                   const std::vector<T>& values, T initial) {
  std::optional<int64_t> best_at;
  std::optional<Promoted<T>> best;
  for_indices(windows.window, [&](const Dims& k) {
    const std::optional<int64_t> at = windows.element(position, k);
    const Promoted<T> x = promoted(at ? values[static_cast<size_t>(*at)] : initial);
    if (!best || (op == "window_scatter_max" ? x >= *best : x <= *best)) {
      best = x;
      best_at = at;
    }
  });
  return best_at;
}

template <typename T, typename S>
std::vector<S> scattered_windows(std::string_view op, const Windows& windows, const std::vector<T>& values,
                                 const std::vector<S>& source, S initial, T padding) {
  std::vector<Promoted<S>> sums(values.size(), promoted(initial));
  size_t window = 0;
  for_indices(windows.positions(), [&](const Dims& position) {
    const Promoted<S> value = promoted(source[window++]);
    if (const auto at = window_pick(op, windows, position, values, padding)) {
      Promoted<S>& sum = sums[static_cast<size_t>(*at)];
      sum = add(sum, value);
    }
  });
  std::vector<S> results;
  for (Promoted<S> sum : sums) results.push_back(static_cast<S>(sum));
  return results;
}

}  // namespace nxv::oracle
