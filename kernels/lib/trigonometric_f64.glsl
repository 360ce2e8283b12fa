#pragma once
// sin, cos and tan: x = n · π/2 + r, |r| ≤ π/4, r as two doubles.
#include "exact_f64.glsl"
#include "sine_polynomial_f64.glsl"
#include "two_over_pi_f64.glsl"

#ifdef HAS_DOUBLE
// a · b + carry + addend; the upper word becomes the carry.
uint multiply_add(uint a, uint b, uint addend, inout uint carry) {
  uint high, low;
  umulExtended(a, b, high, low);
  low += carry;
  high += low < carry ? 1u : 0u;
  low += addend;
  carry = high + (low < addend ? 1u : 0u);
  return low;
}
uint funnel_left(uint high, uint low, uint shift) { return (high << shift) | ((low >> 1) >> (31u - shift)); }

// |x| ≥ 1 by whole numbers (Payne and Hanek): the mantissa times those 192 bits of 2/π that decide x · 2/π modulo 4.
dvec2 trigonometric_reduced_far(double x, out int n) {
  const uint high = high_word(x), low = low_word(x), size = high & ~kSignBit;
  n = 0;
  if (size >= 0x7ff00000u) return dvec2(nan_f64(), 0.0lf);
  const uint skipped = (size >> 20) - 1013u, shift = skipped & 31u;
  uint w0, w1, w2, w3, w4, w5, w6;
  two_over_pi(skipped >> 5, w0, w1, w2, w3, w4, w5, w6);
  w0 = funnel_left(w0, w1, shift);
  w1 = funnel_left(w1, w2, shift);
  w2 = funnel_left(w2, w3, shift);
  w3 = funnel_left(w3, w4, shift);
  w4 = funnel_left(w4, w5, shift);
  w5 = funnel_left(w5, w6, shift);
  const uint upper = (high & 0xfffffu) | 0x100000u;
  uint carry = 0u;
  uint p5 = multiply_add(w5, low, 0u, carry);
  uint p4 = multiply_add(w4, low, 0u, carry);
  uint p3 = multiply_add(w3, low, 0u, carry);
  uint p2 = multiply_add(w2, low, 0u, carry);
  uint p1 = multiply_add(w1, low, 0u, carry);
  uint p0 = multiply_add(w0, low, 0u, carry);
  carry = 0u;
  p4 = multiply_add(w5, upper, p4, carry);
  p3 = multiply_add(w4, upper, p3, carry);
  p2 = multiply_add(w3, upper, p2, carry);
  p1 = multiply_add(w2, upper, p1, carry);
  p0 = multiply_add(w1, upper, p0, carry);
  // Two bits of quadrant, then the fraction; from a half on it counts down from the next quadrant.
  const bool next = (p0 & 0x20000000u) != 0u;
  const uint inverted = next ? 0xffffffffu : 0u;
  n = int((p0 >> 30) + (next ? 1u : 0u));
  uint f0 = funnel_left(p0, p1, 2u) ^ inverted, f1 = funnel_left(p1, p2, 2u) ^ inverted;
  uint f2 = funnel_left(p2, p3, 2u) ^ inverted, f3 = funnel_left(p3, p4, 2u) ^ inverted;
  uint f4 = funnel_left(p4, p5, 2u) ^ inverted;
  int exponent = 1022;
  for (int k = 0; k < 2; ++k) {
    if (f0 == 0u) {
      f0 = f1;
      f1 = f2;
      f2 = f3;
      f3 = f4;
      f4 = 0u;
      exponent -= 32;
    }
  }
  const uint zeros = 31u - uint(findMSB(f0 | 1u));
  f0 = funnel_left(f0, f1, zeros);
  f1 = funnel_left(f1, f2, zeros);
  f2 = funnel_left(f2, f3, zeros);
  exponent -= int(zeros);
  const double head = packDouble2x32(uvec2((f0 << 21) | (f1 >> 11), ((f0 >> 11) & 0xfffffu) | (uint(exponent) << 20)));
  const double whole = packDouble2x32(uvec2(f2, 0x43300000u | (f1 & 0x7ffu))) - 4503599627370496.0lf;
  const dvec2 fraction = dvec2(head, whole * power_of_two(exponent - 1022 - 96));
  const dvec2 r = product_of(fraction, dvec2(1.5707963267948966lf, 6.123233995736766e-17lf));
  const bool negative = (high & kSignBit) != 0u;
  if (negative) n = -n;
  return negative != next ? -r : r;
}

dvec2 trigonometric_reduced(double x, out int n) {
  const double shifted = x * 0.6366197723675814lf + kRounder, k = shifted - kRounder;
  n = int(low_word(shifted));
  const double head = x - k * 1.5707963267341256lf;  // 33 bits of π/2: exact
  const double tail = k * 6.077100506506192e-11lf, r = head - tail;
  const uint size = high_word(x) & ~kSignBit;
  // Past 2²⁰ · π/2, or where more than 24 bits cancelled.
  if (size >= 0x413921fbu || int(size >> 20) - int((high_word(r) & ~kSignBit) >> 20) > 24)
    return trigonometric_reduced_far(x, n);
  return dvec2(r, (head - r) - tail);
}

// sin(r), or cos(r), as two numbers.
dvec2 sin_or_cos(dvec2 r, bool cosine) {
  const double z = r.x * r.x, half_square = 0.5lf * z, w = 1.0lf - half_square;
  const double base = choose(cosine, w, r.x), factor = z * choose(cosine, z, r.x);
  const double tail = choose(cosine, ((1.0lf - w) - half_square) - r.x * r.y, r.y * w);
  return dvec2(base, factor * sin_or_cos_rest(z, cosine) + tail);
}
// sin(r + n · π/2)
double sin_turned(dvec2 r, int n) {
  const dvec2 parts = sin_or_cos(r, (n & 1) != 0);
  const uvec2 bits = unpackDouble2x32(parts.x + parts.y);
  return packDouble2x32(uvec2(bits.x, bits.y ^ (uint(n) << 30 & kSignBit)));
}
double sin_of(double x) {
  int n;
  const dvec2 r = trigonometric_reduced(x, n);
  const double value = sin_turned(r, n);
  return choose((high_word(x) & ~kSignBit) < 0x3e400000u, x, value);  // |x| < 2⁻²⁷
}
double cos_of(double x) {
  int n;
  const dvec2 r = trigonometric_reduced(x, n);
  return sin_turned(r, n + 1);
}
double tan_of(double x) {
  if ((high_word(x) & ~kSignBit) < 0x3e400000u) return x;
  int n;
  const dvec2 r = trigonometric_reduced(x, n);
  const bool odd = (n & 1) != 0;
  const dvec2 s = sin_or_cos(r, odd), c = sin_or_cos(r, !odd);
  dvec2 above = ordered_sum(s.x, s.y), below = ordered_sum(c.x, c.y);
  if ((high_word(below.x) & kSignBit) != 0u) {
    above = -above;
    below = -below;
  }
  const double value = quotient_of(above, below);
  return odd ? -value : value;
}
#endif
