#pragma once

// What the catalog's `ref` expressions call: the numeric contract in plain C++.

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace nxv::oracle {

template <typename T>
using Unsigned = std::make_unsigned_t<T>;
template <typename T>
inline constexpr int kWidth = std::numeric_limits<Unsigned<T>>::digits;

// Through 64 bits, so that narrow types do not meet in int.
template <typename T>
T wrapping_add(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename T>
T wrapping_subtract(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <typename T>
T wrapping_multiply(T a, T b) {
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <typename T>
T absolute(T a) {
  return a < 0 ? wrapping_subtract(T{0}, a) : a;
}

template <typename T>
T leading_zeros(T a) {
  return static_cast<T>(std::countl_zero(static_cast<Unsigned<T>>(a)));
}
template <typename T>
T ones(T a) {
  return static_cast<T>(std::popcount(static_cast<Unsigned<T>>(a)));
}

template <typename T>
T sign(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(a) || a == 0 ? a : std::copysign(T{1}, a);
  } else {
    return static_cast<T>((a > 0) - (a < 0));
  }
}

// −0 lies below +0, NaN wins.
template <typename T>
T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <typename T>
T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

template <typename T>
T quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return wrapping_subtract(T{0}, a);
  return static_cast<T>(a / b);
}
template <typename T>
T remainder(T a, T b) {
  if (b == 0) return a;
  if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
  return static_cast<T>(a % b);
}

template <typename T>
bool past_width(T amount) {
  return amount < 0 || static_cast<uint64_t>(amount) >= static_cast<uint64_t>(kWidth<T>);
}
template <typename T>
T left_shift(T a, T amount) {
  return past_width(amount) ? T{0} : static_cast<T>(static_cast<uint64_t>(a) << amount);
}
template <typename T>
T right_shift(T a, T amount) {
  if (past_width(amount)) return static_cast<T>(a < 0 ? -1 : 0);
  return static_cast<T>(a >> amount);
}

// From the exponent's highest bit down; the kernel goes up.
template <typename T>
T power(T base, T exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == static_cast<T>(-1)) return exponent % 2 == 0 ? T{1} : base;
    return 0;
  }
  uint64_t result = 1;
  for (int bit = 63; bit >= 0; --bit) {
    result *= result;
    if ((static_cast<uint64_t>(exponent) >> bit) % 2 == 1) result *= static_cast<uint64_t>(base);
  }
  return static_cast<T>(result);
}

template <typename T>
bool is_true(T a) {
  return a != T{};
}

template <typename T>
inline constexpr bool kIsComplex = false;
template <typename T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <typename To, typename From>
To convert_number(From a) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Limits = std::numeric_limits<To>;
    if (std::isnan(a)) return 0;
    if (a >= std::ldexp(From{1}, Limits::digits)) return Limits::max();
    if (a <= -std::ldexp(From{1}, Limits::digits)) return Limits::min();
    if (!std::is_signed_v<To> && a < 0) return 0;
  }
  return static_cast<To>(a);
}

template <typename To, typename From>
To convert(From a) {
  if constexpr (kIsComplex<From> && kIsComplex<To>) {
    using Part = typename To::value_type;
    return {static_cast<Part>(a.real()), static_cast<Part>(a.imag())};
  } else if constexpr (kIsComplex<From>) {
    return convert<To>(a.real());
  } else if constexpr (kIsComplex<To>) {
    return {static_cast<typename To::value_type>(a), 0};
  } else {
    return convert_number<To>(a);
  }
}

}  // namespace nxv::oracle
