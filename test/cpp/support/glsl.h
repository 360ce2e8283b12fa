#pragma once

// The part of GLSL that kernels/lib may use where codegen translates it to C++ (codegen/mirror.py): the same bits as a
// device that rounds each operation once.

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>

namespace nxv::glsl {

using uint = uint32_t;
using std::int64_t;
using std::uint64_t;

template <typename T>
struct Vec2 {
  T x{}, y{};
  constexpr Vec2() = default;
  constexpr explicit Vec2(T both) : x(both), y(both) {}
  constexpr Vec2(T first, T second) : x(first), y(second) {}
  // Complex numbers are pairs in GLSL.
  template <std::floating_point U>
  requires std::same_as<T, U>
  constexpr Vec2(std::complex<U> number) : x(number.real()), y(number.imag()) {}  // NOLINT: as an argument
  explicit constexpr operator std::complex<T>() const { return {x, y}; }
  friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator*(Vec2 a, Vec2 b) { return {a.x * b.x, a.y * b.y}; }
  friend constexpr Vec2 operator*(Vec2 a, T b) { return {a.x * b, a.y * b}; }
  friend constexpr Vec2 operator*(T a, Vec2 b) { return {a * b.x, a * b.y}; }
  friend constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
  friend constexpr Vec2 operator~(Vec2 a) { return {~a.x, ~a.y}; }
  friend constexpr Vec2 operator^(Vec2 a, Vec2 b) { return {a.x ^ b.x, a.y ^ b.y}; }
};

using vec2 = Vec2<float>;
using dvec2 = Vec2<double>;
using uvec2 = Vec2<uint>;
using ivec2 = Vec2<int>;

inline uint floatBitsToUint(float x) { return std::bit_cast<uint>(x); }
inline int floatBitsToInt(float x) { return std::bit_cast<int>(x); }
inline float uintBitsToFloat(uint x) { return std::bit_cast<float>(x); }
inline float intBitsToFloat(int x) { return std::bit_cast<float>(x); }
inline uvec2 unpackDouble2x32(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return {static_cast<uint>(bits), static_cast<uint>(bits >> 32)};
}
inline double packDouble2x32(uvec2 x) { return std::bit_cast<double>(uint64_t{x.x} | uint64_t{x.y} << 32); }
inline uvec2 unpackUint2x32(uint64_t x) { return {static_cast<uint>(x), static_cast<uint>(x >> 32)}; }
inline uint64_t packUint2x32(uvec2 x) { return uint64_t{x.x} | uint64_t{x.y} << 32; }

inline int findMSB(uint x) { return 31 - std::countl_zero(x); }
inline int findLSB(uint x) { return x == 0 ? -1 : std::countr_zero(x); }
inline int bitCount(uint x) { return std::popcount(x); }
inline void umulExtended(uint a, uint b, uint& high, uint& low) {
  const uint64_t product = uint64_t{a} * b;
  high = static_cast<uint>(product >> 32);
  low = static_cast<uint>(product);
}
inline uint uaddCarry(uint a, uint b, uint& carry) {
  carry = a + b < a ? 1 : 0;
  return a + b;
}
inline uint usubBorrow(uint a, uint b, uint& borrow) {
  borrow = a < b ? 1 : 0;
  return a - b;
}

template <typename T>
T abs(T x) {
  return std::abs(x);
}
template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <typename T>
T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}
template <typename T>
T mix(T a, T b, bool second) {
  return second ? b : a;
}
template <typename T>
T floor(T x) {
  return std::floor(x);
}
template <typename T>
T ceil(T x) {
  return std::ceil(x);
}
template <typename T>
T trunc(T x) {
  return std::trunc(x);
}
template <typename T>
T roundEven(T x) {
  return std::nearbyint(x);
}
template <typename T>
T sqrt(T x) {
  return std::sqrt(x);
}
inline float inversesqrt(float x) { return 1.0f / std::sqrt(x); }

}  // namespace nxv::glsl
