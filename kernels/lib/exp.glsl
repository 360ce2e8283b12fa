#pragma once
// exp and what rests on it: x = k ln 2 + r, exp(r) a polynomial whose first terms carry their rounding errors.
#include "exact.glsl"

// exp(x + tail) = (1 + p) · 2ᵏ for |x| < 350, k in the bits of `shifted` from 23 on, p in [-0.3, 0.42] as r + rest.
// Coefficients: exp_rest of script/coefficients/polynomials_f32.py, error 2⁻³³.
vec2 exp_reduced(float x, float tail, out uint shifted) {
  const float t = x * 1.44269502 + kFloatRounder;
  const float k = t - kFloatRounder;
  const float near = x - k * 0.693145751953125;  // exact: the constant has 15 bits
  const float low = k * 1.42860677e-6 - tail;
  const float r = near - low;
  const float r_tail = (near - r) - low;
  const float rest =
      0.5 + r * (0.166666672 + r * (0.041666463 + r * (0.00833320618 + r * (0.00139351049 + r * 0.00019945894))));
  shifted = floatBitsToUint(t) << 23;
  return vec2(r, (r * r) * rest + (r_tail + r_tail * r));
}
// The same, 2⁻²⁶ off, where the result needs no more of it. Coefficients: exp_short, error 2⁻²⁸.
vec2 exp_short(float x, float tail, out uint shifted) {
  const float t = x * 1.44269502 + kFloatRounder;
  const float k = t - kFloatRounder;
  const float r = (x - k * 0.693145751953125) - (k * 1.42860677e-6 - tail);
  const float rest = 0.49999994 + r * (0.166665211 + r * (0.041668281 + r * (0.0083686905 + r * 0.00138194906)));
  shifted = floatBitsToUint(t) << 23;
  return vec2(r, (r * r) * rest);
}
// exp(x + tail) = (head + tail) · 2ᵏ, head in [0.7, 1.42]
vec2 exp_pair(float x, float tail, out uint shifted) {
  const vec2 p = exp_reduced(x, tail, shifted);
  const vec2 sum = ordered_sum(1.0, p.x);
  return ordered_sum(sum.x, sum.y + p.y);
}

float exp_any(float x) {
  if (nan_bits(x)) return nan_f32();
  if (x > 88.8) return infinity_f32();
  if (x < -104.0) return 0.0;
  uint shifted;
  const vec2 e = exp_pair(x, 0.0, shifted);
  return assembled(e, int(shifted) >> 23);
}
float exp_of(float x) {
  if (magnitude_of(x) > 0x42ae0000u) return exp_any(x);  // 87: from here on results may be subnormal
  uint shifted;
  const vec2 p = exp_reduced(x, 0.0, shifted);
  const vec2 sum = ordered_sum(1.0, p.x);
  return scaled(sum.x + (sum.y + p.y), shifted);
}

float expm1_any(float x) {
  if (magnitude_of(x) < 0x33000000u || nan_bits(x)) return x;  // 2⁻²⁵
  return x < 0.0 ? -1.0 : exp_any(x);
}
float expm1_of(float x) {
  if (magnitude_of(x) - 0x33000000u > 0x0fae0000u) return expm1_any(x);  // 2⁻²⁵ to 87
  uint shifted;
  const vec2 p = exp_reduced(x, 0.0, shifted);
  const float scale = scaled(1.0, shifted);
  const vec2 sum = ordered_sum(p.x, p.y);
  const vec2 shift = exact_sum(scale, -1.0);
  const vec2 whole = ordered_sum(shift.x, scale * sum.x);
  return whole.x + (whole.y + (scale * sum.y + shift.y));
}

// 1 / (1 + exp(-x))
float sigmoid_of(float x) {
  if (magnitude_of(x) > 0x42800000u) return x > 0.0 ? 1.0 : exp_of(x);  // 64; NaN stays
  uint shifted;
  const vec2 p = exp_short(-x, 0.0, shifted);
  const vec2 first = ordered_sum(1.0, p.x);
  const vec2 e = ordered_sum(first.x, first.y + p.y);
  const vec2 sum = exact_sum(1.0, scaled(e.x, shifted));
  const vec2 inverse = inverse_of(vec2(sum.x, sum.y + e.y * scaled(1.0, shifted)));
  return inverse.x + inverse.x * inverse.y;
}
