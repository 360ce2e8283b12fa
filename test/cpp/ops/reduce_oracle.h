#pragma once

// The canonical reduction tree, straight from its definition: element i of a chunk of 8,192 goes to accumulator i mod
// 128, each a left fold from the identity; the accumulators meet as an xor tree 64, 32 … 1; chunk results go by the
// same rule.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "test/cpp/ops/complex_oracle.h"
#include "test/cpp/ops/oracle_functions.h"

namespace nxv::oracle {

template <typename T, typename Combine>
T reduce_tree(std::span<const T> elements, T identity, Combine combine) {
  if (elements.size() > 8192) {
    std::vector<T> chunks;
    for (size_t begin = 0; begin < elements.size(); begin += 8192) {
      const auto chunk = elements.subspan(begin, std::min<size_t>(8192, elements.size() - begin));
      chunks.push_back(reduce_tree(chunk, identity, combine));
    }
    return reduce_tree(std::span<const T>(chunks), identity, combine);
  }
  std::array<T, 128> accumulators;
  accumulators.fill(identity);
  for (size_t i = 0; i < elements.size(); ++i) {
    accumulators[i % 128] = combine(accumulators[i % 128], elements[i]);
  }
  for (size_t width = 64; width >= 1; width /= 2) {
    for (size_t j = 0; j < width; ++j) accumulators[j] = combine(accumulators[j], accumulators[j ^ width]);
  }
  return accumulators[0];
}

// a before b for maxima and minima: −0 below +0.
template <typename T>
bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == 0 && b == 0) return std::signbit(a) && !std::signbit(b);
  }
  return a < b;
}

template <typename T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
  return false;
}

template <typename T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}

template <typename T>
T multiply_real(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename T>
T lowest_or_minus_infinity() {
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::lowest();
}

template <typename T>
T highest_or_infinity() {
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  return std::numeric_limits<T>::max();
}

// op: sum, product, reduce_max, reduce_min, all, any, of what was taken from the elements.
template <typename Out>
Out reduce_real(std::string_view op, std::span<const Out> values) {
  if (op == "sum") {
    const Out zero = std::is_floating_point_v<Out> ? static_cast<Out>(-0.0) : Out{0};
    return reduce_tree(values, zero, add<Out>);
  }
  if (op == "product") return reduce_tree(values, Out{1}, multiply_real<Out>);
  if (op == "all") return reduce_tree(values, Out{1}, [](Out a, Out b) { return a != 0 && b != 0 ? Out{1} : Out{0}; });
  if (op == "any") return reduce_tree(values, Out{0}, [](Out a, Out b) { return a != 0 || b != 0 ? Out{1} : Out{0}; });
  const bool largest = op == "reduce_max";
  const Out identity = largest ? lowest_or_minus_infinity<Out>() : highest_or_infinity<Out>();
  return reduce_tree(values, identity, [&](Out a, Out b) {
    if (is_nan(a) || is_nan(b)) return std::numeric_limits<Out>::quiet_NaN();
    return less(a, b) == largest ? b : a;
  });
}

template <typename In, typename Out>
Out reduce(std::string_view op, std::span<const In> elements) {
  std::vector<Out> taken;
  for (In element : elements) {
    if (op == "all" || op == "any") {
      if constexpr (std::is_integral_v<Out>) taken.push_back(static_cast<Out>(is_true(element) ? 1 : 0));
    } else if constexpr (kIsComplex<Out> || !kIsComplex<In>) {
      taken.push_back(static_cast<Out>(element));
    }
  }
  const std::span<const Out> values(taken);
  if constexpr (kIsComplex<Out>) {
    using Part = typename Out::value_type;
    if (op == "sum") return reduce_tree(values, Out(Part(-0.0), Part(-0.0)), add<Out>);
    return reduce_tree(values, Out{1}, product_step<Part>);
  } else {
    return reduce_real(op, values);
  }
}

}  // namespace nxv::oracle
