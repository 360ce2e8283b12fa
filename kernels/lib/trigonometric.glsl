#pragma once
// sin, cos and tan: x = q π/2 + r with |r| ≤ π/4, r a pair.
#include "exact.glsl"

// π/2 in parts of 14 bits: products with whole numbers of 10 bits are exact.
const float kHalfPi1 = 1.57080078125, kHalfPi2 = -4.4554471969604492e-6, kHalfPi3 = 9.9225871963426471e-10;
const float kHalfPi4 = -1.6514567491299204e-13, kHalfPi5 = 5.72118892e-18;
const float kHalfPi4Whole = -1.65139956e-13;

// |x| < 1600
vec2 reduce_small(float x, out uint quadrant) {
  const float t = x * 0.636619747 + kFloatRounder;
  quadrant = floatBitsToUint(t);
  const float k = t - kFloatRounder;
  const vec2 r = ordered_sum(x - k * kHalfPi1, -(k * kHalfPi2));
  const float low = k * kHalfPi3 - r.y;
  const vec2 s = ordered_sum(r.x, -low);
  return vec2(s.x, s.y - k * kHalfPi4Whole);
}

// |x| < 1.6e6: k = far + near, a multiple of 1024 and what is left.
vec2 reduce_medium(float x, out uint quadrant) {
  const float far = (x * 0.636619747 + 12884901888.0) - 12884901888.0;  // 1.5 · 2³³
  const float part = x - far * kHalfPi1, far_low = far * kHalfPi2;
  const float t = (part - far_low) * 0.636619747 + kFloatRounder;
  quadrant = floatBitsToUint(t);
  const float near = t - kFloatRounder, k = far + near;
  const float a = (part - near * kHalfPi1) - far_low;
  const vec2 b = ordered_sum(a, -(near * kHalfPi2));
  const vec2 c = exact_sum(b.x, -(far * kHalfPi3));
  const vec2 d = exact_sum(c.x, -(near * kHalfPi3));
  const vec2 e = exact_sum(d.x, -(far * kHalfPi4));
  const float tail = ((b.y + c.y) + (d.y + e.y)) - (near * kHalfPi4 + k * kHalfPi5);
  return ordered_sum(e.x, tail);
}

// Any finite |x| ≥ 1: its mantissa times those 96 bits of 2/π that decide the angle (Payne and Hanek).
vec2 reduce_large(float x, out uint quadrant) {
  const uint bits = magnitude_of(x);
  const uint mantissa = (bits & 0x7fffffu) | 0x800000u;
  // The words hold 2/π · 2^(start - 96), so that mantissa · words is x · 2/π with 62 bits after the point, modulo 4.
  const uint start = (bits >> 23) - 120u;
  const bool two = (start & 64u) != 0u, one = (start & 32u) != 0u, four = (start & 128u) != 0u;
  const uint a0 = two ? 0x4e441529u : 0u, a1 = two ? 0xfc2757d1u : 0xa2f9836eu, a2 = two ? 0xf534ddc0u : 0x4e441529u;
  const uint a3 = two ? 0xdb629599u : 0xfc2757d1u, a4 = two ? 0x3c439041u : 0xf534ddc0u;
  const uint b0 = four ? 0xf534ddc0u : one ? a1 : a0, b1 = four ? 0xdb629599u : one ? a2 : a1;
  const uint b2 = four ? 0x3c439041u : one ? a3 : a2, b3 = four ? 0xfe5163abu : one ? a4 : a3;
  const uint shift = start & 31u, back = 31u - shift;
  const uint w0 = (b0 << shift) | ((b1 >> 1) >> back), w1 = (b1 << shift) | ((b2 >> 1) >> back);
  const uint w2 = (b2 << shift) | ((b3 >> 1) >> back);
  uint high1, low1, high2, low2, carry;
  umulExtended(mantissa, w1, high1, low1);
  umulExtended(mantissa, w2, high2, low2);
  const uint middle = uaddCarry(low1, high2, carry);
  const uint high = mantissa * w0 + high1 + carry;
  const uint turns = (high + 0x20000000u) >> 30;
  const int upper = int(high - (turns << 30));
  // 23, 23 and 16 bits, each exact as a float.
  const float part1 = float(upper >> 7) * 1.1920928955078125e-7;
  const float part2 = float(((uint(upper) & 127u) << 16) | (middle >> 16)) * 1.4210854715202004e-14;
  const float part3 = float(middle & 0xffffu) * 2.1684043449710089e-19;
  const vec2 fraction = ordered_sum(part1, part2);
  const vec2 r = product_of(vec2(fraction.x, fraction.y + part3), vec2(1.57079637, -4.37113883e-8));
  const bool negative = (floatBitsToUint(x) & kSignBit) != 0u;
  quadrant = negative ? -turns : turns;
  return negative ? -r : r;
}

vec2 reduce_angle(float x, out uint quadrant) {
  const uint magnitude = magnitude_of(x);
  if (magnitude < 0x44c80000u) return reduce_small(x, quadrant);   // 1600
  if (magnitude < 0x49c35000u) return reduce_medium(x, quadrant);  // 1.6e6
  return reduce_large(x, quadrant);
}

// Coefficients: sin_rest and cos_rest of script/coefficients/polynomials_f32.py, errors 2⁻²⁷·⁹ and 2⁻³³.
vec2 sin_pair(vec2 r) {
  const float z = r.x * r.x;
  const float rest = (r.x * z) * (-0.166666552 + z * (0.00833218824 + z * -0.000195180852));
  return vec2(r.x, rest + r.y);
}
vec2 cos_pair(vec2 r) {
  const float r_head = head_of(r.x);
  const float half_square = 0.5 * r_head * r_head, z = r.x * r.x;
  const float rest = (z * z) * (0.0416666456 + z * (-0.00138873106 + z * 2.44325438e-5));
  const vec2 sum = ordered_sum(1.0, -half_square);
  return vec2(sum.x, sum.y + (rest - (0.5 * (r.x - r_head) * (r.x + r_head) + r.x * r.y)));
}
float sine_of_turned(vec2 r, uint quadrant) {
  const vec2 s = sin_pair(r), c = cos_pair(r);
  const float value = (quadrant & 1u) != 0u ? c.x + c.y : s.x + s.y;
  return uintBitsToFloat(floatBitsToUint(value) ^ ((quadrant << 30) & kSignBit));
}

float sin_of(float x) {
  const uint magnitude = magnitude_of(x);
  if (magnitude < 0x39800000u) return x;  // 2⁻¹²
  if (magnitude >= kInfinityBits) return nan_f32();
  uint quadrant;
  const vec2 r = reduce_angle(x, quadrant);
  return sine_of_turned(r, quadrant);
}
float cos_of(float x) {
  const uint magnitude = magnitude_of(x);
  if (magnitude < 0x39800000u) return 1.0;
  if (magnitude >= kInfinityBits) return nan_f32();
  uint quadrant;
  const vec2 r = reduce_angle(x, quadrant);
  return sine_of_turned(r, quadrant + 1u);
}
float tan_of(float x) {
  const uint magnitude = magnitude_of(x);
  if (magnitude < 0x39800000u) return x;
  if (magnitude >= kInfinityBits) return nan_f32();
  uint quadrant;
  const vec2 r = reduce_angle(x, quadrant);
  const uint sign = (floatBitsToUint(r.x) ^ (quadrant << 31)) & kSignBit;
  const vec2 positive = (floatBitsToUint(r.x) & kSignBit) != 0u ? -r : r;
  const vec2 s = sin_pair(positive), c = cos_pair(positive);
  const vec2 sine = ordered_sum(s.x, s.y), cosine = ordered_sum(c.x, c.y);
  const bool odd = (quadrant & 1u) != 0u;
  const vec2 ratio = quotient_of(odd ? cosine : sine, odd ? sine : cosine);
  return uintBitsToFloat(floatBitsToUint(ratio.x + ratio.y) ^ sign);
}
