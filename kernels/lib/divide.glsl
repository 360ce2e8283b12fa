#pragma once
// The correctly rounded quotient on every device. The float unit gives a quotient of the mantissas that is a few steps off; the
// remainder, exact in 32 wrapping bits because it is small, says how many.
#include "float_bits.glsl"

// q = mantissa of a / b in [2²³, 2²⁴), to nearest, for fractions a and b of normal numbers; `halved`: a < b, so that the quotient
// was doubled. `rest` has the sign of the exact quotient minus q.
uint divide_fractions(uint a, uint b, out uint halved, out int rest) {
  halved = a < b ? 1u : 0u;
  const float numerator = uintBitsToFloat((a | 0x3f800000u) + (halved << 23));
  const float inverse = 1.0 / uintBitsToFloat(b | 0x3f800000u);
  const int divisor = int(b | 0x800000u);
  uint q = floatBitsToUint(numerator * inverse) - 0x3f000000u;
  rest = int((a << (23u + halved)) - q * uint(divisor));
  // Rounds rest / divisor: 1.5 · 2²³ leaves whole numbers in the low bits.
  const int steps = floatBitsToInt(float(rest) * (inverse * 1.1920928955078125e-7) + 12582912.0) - 0x4b400000;
  rest -= steps * divisor;
  const int last = (2 * rest > divisor ? 1 : 0) - (2 * rest < -divisor ? 1 : 0);
  rest -= last * divisor;
  return q + uint(steps + last);
}

// Fraction and exponent of a finite nonzero number, subnormals normalised.
uint fraction_of(uint magnitude, out int exponent) {
  exponent = int(magnitude >> 23);
  uint fraction = magnitude & 0x7fffffu;
  if (exponent == 0) {
    const int shift = 23 - findMSB(fraction);
    fraction = (fraction << shift) & 0x7fffffu;
    exponent = 1 - shift;
  }
  return fraction;
}

uint divide_any(uint a, uint b) {
  const uint sign = (a ^ b) & kSignBit;
  a &= ~kSignBit;
  b &= ~kSignBit;
  if (a > kInfinityBits || b > kInfinityBits) return kNanBits;
  if (a == kInfinityBits || b == 0u) return a == b || (a | b) == 0u ? kNanBits : sign | kInfinityBits;
  if (a == 0u || b == kInfinityBits) return sign;
  int exponent_a, exponent_b, rest;
  uint halved;
  const uint fraction_a = fraction_of(a, exponent_a);
  const uint q = divide_fractions(fraction_a, fraction_of(b, exponent_b), halved, rest);
  const int exponent = exponent_a - exponent_b + 127 - int(halved);
  if (exponent >= 255) return sign | kInfinityBits;
  if (exponent >= 1) return sign | ((uint(exponent) << 23) + q - 0x800000u);
  // One bit more says on which side of q the quotient lies; then to nearest even.
  const uint exact = uint(int(2u * q) + clamp(rest, -1, 1));
  const uint shift = uint(min(2 - exponent, 30));
  const uint half_step = 1u << (shift - 1u), cut = exact & ((1u << shift) - 1u);
  uint kept = exact >> shift;
  if (cut > half_step || (cut == half_step && (kept & 1u) != 0u)) ++kept;
  return sign | kept;
}

float divide(float a, float b) {
  const uint bits_a = floatBitsToUint(a), bits_b = floatBitsToUint(b);
  const uint exponent_a = (bits_a >> 23) & 255u, exponent_b = (bits_b >> 23) & 255u;
  uint halved;
  int rest;
  const uint q = divide_fractions(bits_a & 0x7fffffu, bits_b & 0x7fffffu, halved, rest);
  const uint exponent = exponent_a - exponent_b + 127u - halved;
  if (exponent_a - 1u < 254u && exponent_b - 1u < 254u && exponent - 1u < 254u)
    return uintBitsToFloat(((bits_a ^ bits_b) & kSignBit) | ((exponent << 23) + q - 0x800000u));
  return uintBitsToFloat(divide_any(bits_a, bits_b));
}

#ifdef HAS_DOUBLE
double divide(double a, double b) { return a / b; }  // correctly rounded by every driver
#endif
