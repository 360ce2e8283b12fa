#pragma once

// Floats narrower than 32 bits for references: rounding looks the value up among all values of the type.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace nxv {

template <typename Storage, int kExponent, int kFraction, bool kHasInfinity>
class NarrowFloat {
 public:
  NarrowFloat() = default;
  template <typename T>
  requires std::is_arithmetic_v<T>
  explicit NarrowFloat(T value) : bits_(rounded(value)) {}

  static NarrowFloat from_bits(uint64_t bits) {
    NarrowFloat made;
    made.bits_ = static_cast<Storage>(bits);
    return made;
  }
  Storage bits() const { return bits_; }

  operator float() const {
    const auto pattern = static_cast<Storage>(bits_ & (kSign - 1));
    const float magnitude = pattern > kMost ? (kHasInfinity && pattern == kMost + 1 ? INFINITY : NAN)
                                            : static_cast<float>(numbers()[pattern]);
    return bits_ & kSign ? -magnitude : magnitude;
  }

  static NarrowFloat largest() { return from_bits(kMost); }
  static NarrowFloat smallest_normal() { return from_bits(1u << kFraction); }
  static NarrowFloat smallest() { return from_bits(1); }

 private:
  static constexpr unsigned kSign = 1u << (kExponent + kFraction);
  // The pattern of the largest number.
  static constexpr unsigned kMost = kHasInfinity ? kSign - (1u << kFraction) - 1 : kSign - 2;
  static constexpr unsigned kNan = kHasInfinity ? kSign - (1u << (kFraction - 1)) : kSign - 1;

  // All nonnegative ones, by pattern; the last one is that which would follow the largest.
  static const std::vector<long double>& numbers() {
    static const auto* made = [] {
      auto* list = new std::vector<long double>;
      for (unsigned pattern = 0; pattern <= kMost + 1; ++pattern) {
        const int exponent = static_cast<int>(pattern >> kFraction), bias = (1 << (kExponent - 1)) - 1;
        const long double fraction = static_cast<long double>(pattern % (1u << kFraction)) / (1u << kFraction);
        list->push_back(exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias));
      }
      return list;
    }();
    return *made;
  }

  template <typename T>
  static Storage rounded(T value) {
    const auto exact = static_cast<long double>(value);
    if (std::isnan(exact)) return static_cast<Storage>(kNan);
    const long double magnitude = std::fabs(exact);
    const std::vector<long double>& list = numbers();
    const auto above = std::upper_bound(list.begin(), list.end(), magnitude);
    auto pattern = static_cast<unsigned>(above - list.begin()) - 1;
    if (above != list.end()) {
      const long double middle = (list[pattern] + list[pattern + 1]) / 2;
      if (magnitude > middle || (magnitude == middle && pattern % 2 == 1)) ++pattern;
    }
    if (!kHasInfinity) pattern = std::min(pattern, kMost);
    return static_cast<Storage>(pattern | (std::signbit(exact) ? kSign : 0));
  }

  Storage bits_ = 0;
};

using Float16 = NarrowFloat<uint16_t, 5, 10, true>;
using Bfloat16 = NarrowFloat<uint16_t, 8, 7, true>;
using Float8 = NarrowFloat<uint8_t, 5, 2, true>;
using Float8E4M3 = NarrowFloat<uint8_t, 4, 3, false>;

template <typename T>
inline constexpr bool kIsNarrow = false;
template <typename S, int kE, int kF, bool kI>
inline constexpr bool kIsNarrow<NarrowFloat<S, kE, kF, kI>> = true;

// What narrow floats are computed as; other types are themselves.
template <typename T>
using Promoted = std::conditional_t<kIsNarrow<T>, float, T>;
template <typename T>
Promoted<T> promoted(T value) {
  return static_cast<Promoted<T>>(value);
}

}  // namespace nxv
