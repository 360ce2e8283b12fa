#pragma once

// Operands for what depends on the order of elements, and that order in plain C++.

#include <cstring>
#include <random>
#include <vector>

#include "test/cpp/device/typed_values.h"

namespace nxv {

template <typename T>
bool not_a_number(T value) {
  return promoted(value) != promoted(value);
}

// Ascending, NaN last; −0 = +0, and NaN as NaN.
template <typename T>
bool lies_before(T a, T b) {
  if (not_a_number(b)) return !not_a_number(a);
  return promoted(a) < promoted(b);
}

// Bit patterns of all sorts, half of them out of few, zeros of both signs among those: many are equal.
template <typename T>
std::vector<T> ordered_values(size_t count, uint32_t seed, bool with_nan) {
  std::mt19937_64 random(seed);
  std::vector<T> values, few;
  const auto next = [&](uint64_t bits) {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  };
  for (uint64_t bits : {uint64_t{0}, uint64_t{1} << (8 * sizeof(T) - 1), random(), random(), random(), random()}) {
    few.push_back(next(bits));
  }
  while (values.size() < count) {
    const T value = random() % 2 ? few[random() % few.size()] : next(random());
    if (with_nan || !not_a_number(value)) values.push_back(value);
  }
  return values;
}

}  // namespace nxv
