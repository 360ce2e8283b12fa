#pragma once
// Sums, products and quotients of floats with their rounding errors, without fma. Numbers of two floats are vec2(head, tail), the
// tail small beside the head. Operands and results are normal or zero, so that no device flushes them.
#include "float_bits.glsl"

const float kFloatRounder = 12582912.0;  // 1.5 · 2²³: x + kFloatRounder holds the nearest whole number in its low bits

// The upper 12 bits: products of two such numbers are exact, and x - head_of(x) has 12 bits, too.
float head_of(float x) { return uintBitsToFloat(floatBitsToUint(x) & 0xfffff000u); }
// x · 2ᵏ with k in the bits from 23 on.
float scaled(float x, uint shifted) { return uintBitsToFloat(floatBitsToUint(x) + shifted); }
// x ≥ 0 with the sign of another number: as a negation, since LLVM 19 loses x where it is put together from branches and bits.
float signed_as(float x, float sign) { return floatBitsToInt(sign) < 0 ? -x : x; }
float nan_f32() { return uintBitsToFloat(kNanBits); }
float infinity_f32() { return uintBitsToFloat(kInfinityBits); }

// |a| ≥ |b|, or a = 0
vec2 ordered_sum(float a, float b) {
  const float sum = a + b;
  return vec2(sum, (a - sum) + b);
}
vec2 exact_sum(float a, float b) {
  const float sum = a + b, part = sum - a;
  return vec2(sum, (a - (sum - part)) + (b - part));
}
vec2 exact_product(float a, float b) {
  const float product = a * b, a_head = head_of(a), b_head = head_of(b);
  const float a_tail = a - a_head, b_tail = b - b_head;
  return vec2(product, ((a_head * b_head - product) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail);
}
vec2 sum_of(vec2 a, vec2 b) {
  const vec2 sum = exact_sum(a.x, b.x);
  return ordered_sum(sum.x, sum.y + (a.y + b.y));
}
vec2 product_of(vec2 a, vec2 b) {
  const vec2 product = exact_product(a.x, b.x);
  return ordered_sum(product.x, product.y + (a.x * b.y + a.y * b.x));
}

// 1 / d = head · (1 + correction) for a normal d > 0 from 2⁻¹⁰⁰ to 2¹⁰⁰, the head of 12 bits. The start is the exponent turned
// round, whose error of 5 % a step of third order makes 2⁻¹²·⁹.
vec2 inverse_of(vec2 d) {
  const float start = uintBitsToFloat(0x7ef31000u - floatBitsToUint(d.x));
  const float miss = 1.0 - d.x * start;
  const float inverse = head_of(start + start * (miss + miss * miss));
  const float d_head = head_of(d.x);
  const float error = (1.0 - inverse * d_head) - inverse * ((d.x - d_head) + d.y);
  return vec2(inverse, error + error * error);
}
// n / d by 1 / d as above: an exact head, and a tail of 2⁻¹¹ of it.
vec2 times_inverse(vec2 n, vec2 inverse) {
  const float n_head = head_of(n.x);
  const float head = n_head * inverse.x, tail = ((n.x - n_head) + n.y) * inverse.x;
  return vec2(head, tail + (head + tail) * inverse.y);
}
vec2 quotient_of(vec2 n, vec2 d) { return times_inverse(n, inverse_of(d)); }

// √z for z in [2⁻¹⁰⁰, 2¹⁰⁰], given as a pair: a head of 12 bits, and a tail.
vec2 root_of(vec2 z) {
  const float start = uintBitsToFloat(0x5f375400u - (floatBitsToUint(z.x) >> 1));
  const float miss = 1.0 - (z.x * start) * start;
  const float inverse = start + start * (miss * (0.5 + 0.375 * miss));
  const float head = head_of(z.x * inverse);
  const float rest = (z.x - head * head) + z.y;  // (√z - head) · (√z + head)
  const float half_inverse = 0.5 * inverse * (1.5 - 0.5 * z.x * inverse * inverse);
  const float step = rest * half_inverse;
  return vec2(head, step * (1.0 + step * half_inverse));
}

// (x.x + x.y) · 2ᵏ, between 2⁻¹ and 2 times 2ᵏ, rounded once whether it is normal, subnormal or too large.
float assembled(vec2 x, int k) {
  const uint fixed_point = uint(int(x.x * 1073741824.0) + int(x.y * 1073741824.0));
  const int top = findMSB(fixed_point), exponent = top - 30 + k;
  if (exponent < -150) return 0.0;
  if (exponent > 127) return infinity_f32();
  const uint cut = uint(top - 23 + max(-126 - exponent, 0));
  const uint rest = fixed_point & ((1u << cut) - 1u), half_step = 1u << (cut - 1u);
  uint kept = fixed_point >> cut;
  if (rest > half_step || (rest == half_step && (kept & 1u) != 0u)) ++kept;
  return uintBitsToFloat((uint(max(exponent + 126, 0)) << 23) + kept);
}
