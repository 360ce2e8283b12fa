#pragma once
// The exact remainder with the sign of the dividend (C's fmod), by long division of the mantissas.
#include "float_bits.glsl"

float remainder_of(float a, float b) {
  const uint sign = floatBitsToUint(a) & kSignBit;
  const uint x = magnitude_of(a), y = magnitude_of(b);
  if (x >= kInfinityBits || y > kInfinityBits || y == 0u) return uintBitsToFloat(kNanBits);
  if (x < y) return a;
  int exponent = max(int(y >> 23), 1), steps = max(int(x >> 23), 1) - exponent;
  const uint divisor = (y & 0x7fffffu) | (y >= 0x800000u ? 0x800000u : 0u);
  uint rest = ((x & 0x7fffffu) | (x >= 0x800000u ? 0x800000u : 0u)) % divisor;
  while (steps > 0 && rest != 0u) {
    const int bits = min(steps, 8);
    rest = (rest << bits) % divisor;
    steps -= bits;
  }
  if (rest == 0u) return uintBitsToFloat(sign);
  const int shift = min(23 - findMSB(rest), exponent - 1);
  return uintBitsToFloat(sign | ((uint(exponent - shift - 1) << 23) + (rest << shift)));
}

#ifdef HAS_DOUBLE
bool at_least(uvec2 a, uvec2 b) { return a.y > b.y || (a.y == b.y && a.x >= b.x); }
uvec2 minus(uvec2 a, uvec2 b) { return uvec2(a.x - b.x, a.y - b.y - (a.x < b.x ? 1u : 0u)); }
// 0 ≤ shift < 64
uvec2 shift_left(uvec2 a, uint shift) {
  if (shift == 0u) return a;
  if (shift >= 32u) return uvec2(0u, a.x << (shift - 32u));
  return uvec2(a.x << shift, (a.y << shift) | (a.x >> (32u - shift)));
}
uvec2 shift_right(uvec2 a, uint shift) {
  if (shift == 0u) return a;
  if (shift >= 32u) return uvec2(a.y >> (shift - 32u), 0u);
  return uvec2((a.x >> shift) | (a.y << (32u - shift)), a.y >> shift);
}
int highest_bit(uvec2 a) { return a.y != 0u ? 32 + findMSB(a.y) : findMSB(a.x); }

// The mantissa with its top bit at 52, and its exponent, of a finite nonzero magnitude.
uvec2 mantissa_of(uvec2 magnitude, out int exponent) {
  exponent = int(magnitude.y >> 20);
  if (exponent != 0) return uvec2(magnitude.x, (magnitude.y & 0xfffffu) | 0x100000u);
  const int shift = 52 - highest_bit(magnitude);
  exponent = 1 - shift;
  return shift_left(magnitude, uint(shift));
}

double remainder_of(double a, double b) {
  const uint sign = unpackDouble2x32(a).y & kSignBit;
  const uvec2 x = magnitude_of(a), y = magnitude_of(b);
  const uvec2 infinity = uvec2(0u, 0x7ff00000u);
  if (at_least(x, infinity) || nan_bits(b) || (y.x | y.y) == 0u) return packDouble2x32(uvec2(0u, 0x7ff80000u));
  if (!at_least(x, y)) return a;
  int exponent, top;
  const uvec2 divisor = mantissa_of(y, exponent);
  uvec2 rest = mantissa_of(x, top);
  if (at_least(rest, divisor)) rest = minus(rest, divisor);
  for (int steps = top - exponent; steps > 0 && (rest.x | rest.y) != 0u; --steps) {
    rest = uvec2(rest.x << 1, (rest.y << 1) | (rest.x >> 31));
    if (at_least(rest, divisor)) rest = minus(rest, divisor);
  }
  if ((rest.x | rest.y) == 0u) return packDouble2x32(uvec2(0u, sign));
  const int shift = min(52 - highest_bit(rest), exponent - 1);
  rest = shift >= 0 ? shift_left(rest, uint(shift)) : shift_right(rest, uint(-shift));
  return packDouble2x32(uvec2(rest.x, sign | ((uint(exponent - shift - 1) << 20) + rest.y)));
}
#endif
