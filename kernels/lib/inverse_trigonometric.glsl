#pragma once
// asin, acos, atan and atan2.
#include "exact.glsl"

const vec2 kHalfPiPair = vec2(1.57079637, -4.37113883e-8), kPiPair = vec2(3.14159274, -8.74227766e-8);

// (asin(x) - x) / x³ for z = x² up to ¼; asin_rest of script/coefficients/polynomials_f32.py, error 2⁻³¹·⁷.
float asin_rest(float z) {
  return 0.166666597 +
         z * (0.0750052184 + z * (0.0445133746 + z * (0.0318390988 + z * (0.0143148107 + z * 0.0376968421))));
}
// acos(x) for x from ½ to 1: 2 asin(√((1 - x) / 2)).
vec2 acos_near_one(float x) {
  const float z = 0.5 - 0.5 * x;
  if (z == 0.0) return vec2(0.0, 0.0);
  const vec2 root = root_of(vec2(z, 0.0));
  const float s = root.x + root.y;
  return 2.0 * vec2(root.x, root.y + (s * z) * asin_rest(z));
}

float asin_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits < 0x39800000u || bits > 0x3f800000u) return bits < 0x39800000u ? x : nan_f32();  // 2⁻¹²
  if (bits < 0x3f000000u) {
    const float z = x * x;
    return x + (x * z) * asin_rest(z);
  }
  const vec2 rest = acos_near_one(uintBitsToFloat(bits));
  const vec2 sum = ordered_sum(kHalfPiPair.x, -rest.x);
  return with_sign(sum.x + (sum.y + (kHalfPiPair.y - rest.y)), x);
}
float acos_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits > 0x3f800000u) return nan_f32();
  if (bits < 0x3f000000u) {
    const float z = x * x;
    const vec2 sum = ordered_sum(kHalfPiPair.x, -x);
    return sum.x + (sum.y + (kHalfPiPair.y - (x * z) * asin_rest(z)));
  }
  const vec2 rest = acos_near_one(uintBitsToFloat(bits));
  if (x > 0.0) return rest.x + rest.y;
  const vec2 sum = ordered_sum(kPiPair.x, -rest.x);
  return sum.x + (sum.y + (kPiPair.y - rest.y));
}

// atan(t) for a pair from 0 to 1; atan_rest of script/coefficients/polynomials_f32.py, error 2⁻³¹.
vec2 atan_pair(vec2 t) {
  const vec2 sum = ordered_sum(t.x, t.y);
  const float x = sum.x;
  const vec2 square = exact_product(x, x), cube = exact_product(x, square.x);
  const float z = square.x;
  const float far =
      z * (-0.142803431 +
           z * (0.110612333 +
                z * (-0.0882146209 +
                     z * (0.0676364899 +
                          z * (-0.0449832566 + z * (0.022777617 + z * (-0.00742536318 + z * 0.00113452214)))))));
  const vec2 near = product_of(square, ordered_sum(0.199997157, far));
  const vec2 rest = ordered_sum(-0.333333284, near.x);
  // The tail's own part of x³ rest, roughly.
  return vec2(x, cube.x * rest.x + (sum.y + (cube.x * (rest.y + near.y) + (cube.y + x * square.y + 2.5 * z * sum.y) * rest.x)));
}
float atan_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits < 0x39800000u || bits > kInfinityBits) return x;
  if (bits > 0x4c800000u) return with_sign(kHalfPiPair.x, x);  // 2²⁶
  const float magnitude = uintBitsToFloat(bits);
  const bool steep = bits > 0x3f800000u;
  const vec2 inverse = inverse_of(vec2(magnitude, 0.0));
  const vec2 angle =
      atan_pair(steep ? vec2(inverse.x, inverse.x * inverse.y) : vec2(magnitude, 0.0));
  const vec2 sum = ordered_sum(kHalfPiPair.x, -angle.x);
  return with_sign(steep ? sum.x + (sum.y + (kHalfPiPair.y - angle.y)) : angle.x + angle.y, x);
}

// The mantissa in [1, 2) of a nonzero finite magnitude, and its exponent.
float mantissa_of(uint magnitude, out int exponent) {
  const int shift = magnitude < 0x800000u ? 23 - findMSB(magnitude) : 0;
  exponent = magnitude < 0x800000u ? -126 - shift : int(magnitude >> 23) - 127;
  return uintBitsToFloat(((magnitude << shift) & 0x7fffffu) | 0x3f800000u);
}
// The angle from 0 to π/2 of a point with coordinates of these magnitudes, and to π where `behind` is set.
float angle_of(uint y, uint x, bool behind) {
  if (y == 0u) return behind ? kPiPair.x : 0.0;
  if (x == 0u) return kHalfPiPair.x;
  if (x == kInfinityBits || y == kInfinityBits) {
    if (x != y) return y == kInfinityBits ? kHalfPiPair.x : behind ? kPiPair.x : 0.0;
    return behind ? 2.35619449 : 0.785398185;
  }
  const bool steep = y > x;
  int exponent_n, exponent_d;
  const float n = mantissa_of(steep ? x : y, exponent_n);
  const float d = mantissa_of(steep ? y : x, exponent_d);
  const vec2 ratio = quotient_of(vec2(n, 0.0), vec2(d, 0.0));
  const int exponent = exponent_n - exponent_d;
  if (exponent < -40) {
    if (steep) return kHalfPiPair.x;
    return behind ? kPiPair.x : assembled(ratio, exponent);
  }
  const float scale = uintBitsToFloat(uint(exponent + 127) << 23);
  const vec2 angle = atan_pair(ratio * scale);
  if (!steep && !behind) return angle.x + angle.y;
  const vec2 base = steep ? kHalfPiPair : kPiPair;
  const vec2 part = steep == behind ? angle : -angle;
  const vec2 sum = ordered_sum(base.x, part.x);
  return sum.x + (sum.y + (base.y + part.y));
}
float atan2_of(float y, float x) {
  const uint bits_y = magnitude_of(y), bits_x = magnitude_of(x);
  if (bits_y > kInfinityBits || bits_x > kInfinityBits) return nan_f32();
  return with_sign(angle_of(bits_y, bits_x, (floatBitsToUint(x) & kSignBit) != 0u), y);
}
