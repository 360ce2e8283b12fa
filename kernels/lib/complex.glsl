#pragma once
// Complex numbers: x + y·i. Products, quotients and magnitudes are scaled by powers of two where a part might overflow or become
// subnormal on the way; infinities and NaN as C99's Annex G has them. Every device gives the same bits.
#if defined(A_COMPLEX) || defined(Z_COMPLEX)
#include "divide.glsl"
#include "order.glsl"
#include "sqrt.glsl"

#define NUMBER float
#define COMPLEX vec2
// Unbiased, of a finite number that isn't zero.
int exponent_of(float x) {
  const uint m = magnitude_of(x);
  return m >= 0x800000u ? int(m >> 23) - 127 : findMSB(m) - 149;
}
// x · 2^k, rounded once.
float scaled(float x, int k) {
  const uint m = magnitude_of(x), sign = floatBitsToUint(x) & kSignBit;
  if (m == 0u || m >= kInfinityBits) return x;
  int exponent;
  const uint fraction = fraction_of(m, exponent);
  exponent += k;
  if (exponent >= 255) return uintBitsToFloat(sign | kInfinityBits);
  if (exponent >= 1) return uintBitsToFloat(sign | (uint(exponent) << 23) | fraction);
  const uint cut = uint(min(1 - exponent, 25)), whole = fraction | 0x800000u;
  const uint kept = whole >> cut, rest = whole & ((1u << cut) - 1u), half_step = 1u << (cut - 1u);
  return uintBitsToFloat(sign | (kept + (rest > half_step || (rest == half_step && (kept & 1u) != 0u) ? 1u : 0u)));
}
bool at_least_as_large(float a, float b) { return magnitude_of(a) >= magnitude_of(b); }
// |x| lies in [2^low, 2^high), or x is zero.
bool between_powers(float x, int low, int high) {
  const uint m = magnitude_of(x);
  return m == 0u || (m >= uint(low + 127) << 23 && m < uint(high + 127) << 23);
}
// Too small to be seen beside products of operands that were scaled.
bool negligible(float x) { return magnitude_of(x) < 0x0d800000u; }  // 2^-100
// Exponents: of factors whose products are normal, of operands whose quotients are, of a scaled factor.
#define LEAST_FACTOR -50
#define LARGEST_FACTOR 60
#define QUOTIENT_RANGE 30
#define ROOM 60
#include "complex_arithmetic.glsl"
#undef NUMBER
#undef COMPLEX
#undef LEAST_FACTOR
#undef LARGEST_FACTOR
#undef QUOTIENT_RANGE
#undef ROOM

#ifdef HAS_DOUBLE
#define NUMBER double
#define COMPLEX dvec2
int exponent_of(double x) {
  const uvec2 m = magnitude_of(x);
  if (m.y >= 0x100000u) return int(m.y >> 20) - 1023;
  return (m.y != 0u ? 32 + findMSB(m.y) : findMSB(m.x)) - 1074;
}
// x · 2^k, rounded once: a product only where the result is subnormal.
double scaled(double x, int k) {
  if (!nonzero(x) || magnitude_of(x).y >= 0x7ff00000u) return x;
  if (magnitude_of(x).y < 0x100000u) {
    x *= 18014398509481984.0lf;
    k -= 54;
  }
  const uvec2 bits = unpackDouble2x32(x);
  const uint rest = bits.y & 0x800fffffu;
  const int exponent = int((bits.y >> 20) & 0x7ffu) + k;
  if (exponent >= 2047) return packDouble2x32(uvec2(0u, (bits.y & kSignBit) | 0x7ff00000u));
  if (exponent >= 1) return packDouble2x32(uvec2(bits.x, rest | (uint(exponent) << 20)));
  if (exponent < -60) return packDouble2x32(uvec2(0u, bits.y & kSignBit));
  return packDouble2x32(uvec2(bits.x, rest | (100u << 20))) * packDouble2x32(uvec2(0u, uint(exponent + 923) << 20));
}
bool at_least_as_large(double a, double b) {
  const uvec2 x = magnitude_of(a), y = magnitude_of(b);
  return x.y > y.y || (x.y == y.y && x.x >= y.x);
}
bool between_powers(double x, int low, int high) {
  const uvec2 m = magnitude_of(x);
  return (m.x | m.y) == 0u || (m.y >= uint(low + 1023) << 20 && m.y < uint(high + 1023) << 20);
}
bool negligible(double x) { return magnitude_of(x).y < 0x07b00000u; }  // 2^-900
#define LEAST_FACTOR -450
#define LARGEST_FACTOR 500
#define QUOTIENT_RANGE 200
#define ROOM 500
#include "complex_arithmetic.glsl"
#undef NUMBER
#undef COMPLEX
#undef LEAST_FACTOR
#undef LARGEST_FACTOR
#undef QUOTIENT_RANGE
#undef ROOM
#endif

#endif
