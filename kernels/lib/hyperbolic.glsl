#pragma once
// tanh, sinh, cosh by exp.
#include "exp.glsl"

float tanh_any(float x) { return magnitude_of(x) < 0x40000000u || nan_bits(x) ? x : with_sign(1.0, x); }
// x + x³ P(x²) below 0.6, else 1 - 2 / (1 + exp(2|x|)). Coefficients: tanh_rest of script/coefficients/polynomials_f32.py,
// error 2⁻³³.
float tanh_of(float x) {
  const uint magnitude = magnitude_of(x);
  if (magnitude - 0x39800000u > 0x07905000u) return tanh_any(x);  // 2⁻¹² to 9.02
  if (magnitude < 0x3f19999au) {
    const float z = x * x;
    const float rest =
        -0.333333313 +
        z * (0.133332297 + z * (-0.0539500713 + z * (0.02172051 + z * (-0.0082305437 + z * 0.00219548889))));
    return x + (x * z) * rest;
  }
  uint shifted;
  const vec2 p = exp_short(2.0 * uintBitsToFloat(magnitude), 0.0, shifted);
  const vec2 sum = ordered_sum(1.0, p.x);
  const vec2 d = ordered_sum(scaled(sum.x + (sum.y + p.y), shifted), 1.0);
  const vec2 inverse = inverse_of(d);
  const float twice = 2.0 * inverse.x;
  const vec2 difference = ordered_sum(1.0, -twice);
  return with_sign(difference.x + (difference.y - twice * inverse.y), x);
}

// Half of exp(|x|) and half of exp(-|x|) for |x| up to 88.
vec2 half_exp(float magnitude, out vec2 inverse) {
  uint shifted;
  const vec2 e = exp_pair(magnitude, 0.0, shifted);
  inverse = inverse_of(e);
  const float scale = scaled(0.5, shifted), inverse_scale = uintBitsToFloat(0x3f000000u - shifted);
  inverse = vec2(inverse.x, inverse.x * inverse.y) * inverse_scale;
  return e * scale;
}
// exp(|x|) / 2 for large arguments.
float half_exp_any(float magnitude) {
  if (magnitude > 89.5) return infinity_f32();
  uint shifted;
  const vec2 e = exp_pair(magnitude, 0.0, shifted);
  return assembled(e, (int(shifted) >> 23) - 1);
}
float sinh_of(float x) {
  const uint bits = magnitude_of(x);
  const float magnitude = uintBitsToFloat(bits);
  if (bits > 0x41a00000u) return bits > kInfinityBits ? x : signed_as(half_exp_any(magnitude), x);  // 20
  if (bits < 0x39800000u) return x;                                                                  // 2⁻¹²
  if (bits < 0x3f800000u) {
    // sinh_rest of script/coefficients/polynomials_f32.py, error 2⁻³¹·⁶
    const float z = x * x;
    return x + (x * z) * (0.166666672 + z * (0.00833331048 + z * (0.000198428956 + z * 2.78221319e-6)));
  }
  vec2 inverse;
  const vec2 e = half_exp(magnitude, inverse);
  const vec2 sum = ordered_sum(e.x, -inverse.x);
  return signed_as(sum.x + (sum.y + (e.y - inverse.y)), x);
}
float cosh_of(float x) {
  const uint bits = magnitude_of(x);
  const float magnitude = uintBitsToFloat(bits);
  if (bits > 0x41a00000u) return bits > kInfinityBits ? x : half_exp_any(magnitude);  // 20
  vec2 inverse;
  const vec2 e = half_exp(magnitude, inverse);
  const vec2 sum = ordered_sum(e.x, inverse.x);
  return sum.x + (sum.y + (e.y + inverse.y));
}
