#pragma once
// asinh, acosh and atanh: polynomials near 0, else logarithms of pairs.
#include "log.glsl"

// log(2 x) for large x, where the root in asinh and acosh is x.
float log_of_twice(float x) {
  int k;
  const float fraction = log_fraction(floatBitsToUint(x), k);
  return log_sum(fraction - 1.0, 0.0, float(k + 1));
}
// log(x + √(x² + one)) for x from 0.5 to 2¹³ and one = ±1.
float log_with_root(float x, float one) {
  const vec2 square = exact_product(x, x);
  const vec2 radicand = exact_sum(square.x, one);
  const vec2 root = root_of(vec2(radicand.x, radicand.y + square.y));
  const vec2 sum = exact_sum(x, root.x);
  return log_of_pair(ordered_sum(sum.x, sum.y + root.y));
}

float asinh_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits < 0x39800000u || bits >= kInfinityBits) return x;  // 2⁻¹²
  if (bits < 0x3f000000u) {
    // asinh_rest of script/coefficients/polynomials_f32.py, error 2⁻³⁵·⁴
    const float z = x * x;
    const float rest =
        -0.166666672 +
        z * (0.0750003532 +
             z * (-0.0446509533 + z * (0.0304607674 + z * (-0.0226703044 + z * (0.0171209164 + z * -0.00919529237)))));
    return x + (x * z) * rest;
  }
  const float magnitude = uintBitsToFloat(bits);
  return with_sign(bits < 0x46000000u ? log_with_root(magnitude, 1.0) : log_of_twice(magnitude), x);  // 2¹³
}

float acosh_of(float x) {
  if (nan_bits(x) || x < 1.0) return nan_f32();
  if (x >= 8192.0) return infinity_bits(x) ? x : log_of_twice(x);
  if (x >= 2.0) return log_with_root(x, -1.0);
  const float t = x - 1.0;
  if (t == 0.0) return 0.0;
  const vec2 square = exact_product(t, t);
  const vec2 radicand = ordered_sum(2.0 * t, square.x);
  const vec2 root = root_of(vec2(radicand.x, radicand.y + square.y));
  const vec2 sum = exact_sum(root.x, t);
  const vec2 argument = ordered_sum(sum.x, sum.y + root.y);
  return log1p_pair(argument.x, argument.y);
}

float atanh_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits < 0x39800000u) return x;
  if (bits >= 0x3f800000u) return bits == 0x3f800000u ? with_sign(infinity_f32(), x) : nan_f32();
  if (bits < 0x3f000000u) {
    // atanh_rest of script/coefficients/polynomials_f32.py, error 2⁻³²·⁸
    const float z = x * x;
    const float rest =
        0.333333373 +
        z * (0.199996218 +
             z * (0.142978147 + z * (0.109294005 + z * (0.105244778 + z * (0.0169595163 + z * 0.185140073)))));
    return x + (x * z) * rest;
  }
  const float magnitude = uintBitsToFloat(bits);
  const vec2 ratio = quotient_of(ordered_sum(1.0, magnitude), vec2(1.0 - magnitude, 0.0));
  return signed_as(0.5 * log_of_pair(ordered_sum(ratio.x, ratio.y)), x);
}
