#pragma once
// pow by a logarithm of two floats: y log(x) has up to 7 bits before the point, so that log(x) takes 2⁻³² of its own size.
#include "exp.glsl"
#include "log.glsl"

// log(2ᵏ · fraction) for a fraction in [√½, √2], by 2 atanh(s), s = f / (2 + f). Coefficients: log_far of
// script/coefficients/polynomials_f32.py, error 2⁻³⁶.
vec2 log_pair(float fraction, float k) {
  const float f = fraction - 1.0;
  const vec2 ratio = quotient_of(vec2(f, 0.0), ordered_sum(2.0, f));
  const float s = head_of(ratio.x + ratio.y), s_tail = (ratio.x - s) + ratio.y;
  const float square = s * s, square_tail = s_tail * ((s + s) + s_tail);
  const float t = square + square_tail;
  const vec2 q =
      ordered_sum(0.333333313, t * (0.200001687 + t * (0.142685562 + t * 0.117933348)));
  const vec2 w = product_of(vec2(square, square_tail), vec2(q.x, q.y + 1.47460755e-8));
  const float w_head = head_of(w.x), twice = s + s, twice_tail = s_tail + s_tail;
  const vec2 first = ordered_sum(twice, twice_tail);
  const vec2 second = ordered_sum(first.x, twice * w_head);
  const float rest = (first.y + second.y) + (twice * ((w.x - w_head) + w.y) + twice_tail * w.x);
  const vec2 whole = ordered_sum(k * 0.693145751953125, second.x);
  return ordered_sum(whole.x, whole.y + (rest + k * 1.42860677e-6));
}

// x^y for the bits of a normal x > 0, times 2^extra, and a finite y.
float power_positive(uint bits, float extra, float y) {
  int k;
  const float fraction = log_fraction(bits, k);
  const vec2 logarithm = log_pair(fraction, float(k) + extra);
  const float product = y * logarithm.x;
  if (!(abs(product) < 104.5)) return product > 0.0 ? infinity_f32() : 0.0;
  const vec2 exponent = exact_product(y, logarithm.x);
  const float tail = exponent.y + y * logarithm.y;
  uint shifted;
  const vec2 p = exp_reduced(product, tail, shifted);
  const vec2 sum = ordered_sum(1.0, p.x);
  const float low = sum.y + p.y;
  if (abs(product) < 87.0) return scaled(sum.x + low, shifted);
  return assembled(vec2(sum.x, low), int(shifted) >> 23);
}

// 0 for a number that isn't whole, 1 for an odd one, 2 for an even one.
uint parity_of(uint magnitude) {
  const uint exponent = magnitude >> 23;
  if (exponent < 127u) return magnitude == 0u ? 2u : 0u;
  if (exponent > 150u) return 2u;
  const uint mantissa = (magnitude & 0x7fffffu) | 0x800000u, unit = 1u << (150u - exponent);
  if ((mantissa & (unit - 1u)) != 0u) return 0u;
  return (mantissa & unit) != 0u ? 1u : 2u;
}

float power_any(float x, float y) {
  const uint magnitude = magnitude_of(x), power = magnitude_of(y);
  if (power == 0u || floatBitsToUint(x) == 0x3f800000u) return 1.0;
  if (magnitude > kInfinityBits || power > kInfinityBits) return nan_f32();
  const bool falling = (floatBitsToUint(y) & kSignBit) != 0u;
  if (power == kInfinityBits) {
    if (magnitude == 0x3f800000u) return 1.0;
    return (magnitude > 0x3f800000u) != falling ? infinity_f32() : 0.0;
  }
  const uint parity = parity_of(power);
  const uint sign = parity == 1u ? floatBitsToUint(x) & kSignBit : 0u;
  if (magnitude == 0u || magnitude == kInfinityBits)
    return uintBitsToFloat(sign | ((magnitude == 0u) == falling ? kInfinityBits : 0u));
  if ((floatBitsToUint(x) & kSignBit) != 0u && parity == 0u) return nan_f32();
  if (magnitude >= 0x800000u) return with_sign(power_positive(magnitude, 0.0, y), uintBitsToFloat(sign));
  const int shift = 23 - findMSB(magnitude);
  return with_sign(power_positive(magnitude << shift, float(-shift), y), uintBitsToFloat(sign));
}

float power_of(float x, float y) {
  const uint bits = floatBitsToUint(x);
  if (bits - 0x800000u >= 0x7f000000u || magnitude_of(y) >= kInfinityBits) return power_any(x, y);
  return power_positive(bits, 0.0, y);
}
