#pragma once
// erf, erfc and the inverse of erf.
#include "exp.glsl"
#include "log.glsl"

// The factor of x, a pair below 2, times a tiny x whose product may be subnormal.
float tiny_multiple(float x, vec2 factor) {
  const uint magnitude = magnitude_of(x);
  if (magnitude == 0u || magnitude > kInfinityBits) return x;
  int exponent;
  const uint shift = uint(max(23 - findMSB(magnitude), 0)) & (magnitude < 0x800000u ? 31u : 0u);
  exponent = magnitude < 0x800000u ? 1 - int(shift) : int(magnitude >> 23);
  const float fraction = uintBitsToFloat((((magnitude << shift) & 0x7fffffu)) | 0x3f000000u);
  const vec2 product = exact_product(fraction, factor.x);
  return with_sign(assembled(vec2(product.x, product.y + fraction * factor.y), exponent - 126), x);
}

// Below 0.7: x + x P(x²). From there: 1 - exp(-(x + x P(x))). Coefficients: erf_near and erf_far of
// script/coefficients/polynomials_f32.py, errors 2⁻²⁹·⁹ and 2⁻³⁰.
float erf_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits - 0x20000000u > 0x207ae147u) {  // 2⁻⁶³ to 3.92
    if (bits < 0x20000000u) return tiny_multiple(x, vec2(1.12837923, -5.86353828e-8));
    return bits > kInfinityBits ? x : with_sign(1.0, x);
  }
  const bool far = bits >= 0x3f333333u;  // 0.7
  const float a = uintBitsToFloat(bits), t = far ? a : a * a;
  float p = far ? 9.76253432e-06 : 0.0;
  p = (far ? -0.00010144907 : 2.99624207e-05) + t * p;
  p = (far ? 0.000220157453 : -0.000726698432) + t * p;
  p = (far ? 0.00222609658 : 0.0051480257) + t * p;
  p = (far ? -0.0216007587 : -0.0268447977) + t * p;
  p = (far ? 0.104306228 : 0.112835169) + t * p;
  p = (far ? 0.636086941 : -0.37612626) + t * p;
  p = (far ? 0.12845853 : 0.128379166) + t * p;
  const vec2 value = ordered_sum(a, a * p);
  float result = value.x;
  if (far) {
    uint shifted;
    const vec2 e = exp_short(-value.x, -value.y, shifted);
    const float scale = scaled(1.0, shifted);
    result = (1.0 - scale) - scale * (e.x + e.y);
  }
  return signed_as(result, x);
}

// exp(-x²) P(t) t with t = 2 / (2 + x), as a fraction and a power of two, for x from 0.6 to 10.1. Coefficients: erfc_far of
// script/coefficients/polynomials_f32.py, error 2⁻³⁴.
vec2 erfc_far(float x, out uint shifted) {
  const vec2 inverse = inverse_of(exact_sum(2.0, x));
  const vec2 t = ordered_sum(2.0 * inverse.x, 2.0 * inverse.x * inverse.y);
  const float rest =
      t.x * (0.16986078 +
             t.x * (0.119880855 +
                  t.x * (-0.141536251 +
                       t.x * (0.299640089 +
                            t.x * (-0.674669921 +
                                 t.x * (0.67057991 +
                                      t.x * (-0.311217576 +
                                           t.x * (0.0537718497 + t.x * 0.0019776118))))))));
  const vec2 third = product_of(t, ordered_sum(0.247578308, rest));
  const vec2 second = ordered_sum(0.28204447, third.x);
  const vec2 u = product_of(t, vec2(second.x, second.y + third.y));
  const vec2 p = ordered_sum(0.282096297, u.x);
  const vec2 scale = product_of(t, vec2(p.x, p.y + u.y));
  const vec2 square = exact_product(x, x);
  return product_of(scale, exp_pair(-square.x, -square.y, shifted));
}
float erfc_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits > kInfinityBits) return x;
  if (bits < 0x3f19999au) {  // 0.6
    const float z = x * x;
    const float p =
        0.128379166 +
        z * (-0.37612626 +
             z * (0.112835169 +
                  z * (-0.0268447977 +
                       z * (0.0051480257 +
                            z * (-0.000726698432 + z * 2.99624207e-05)))));
    const vec2 sum = ordered_sum(1.0, -x);
    return sum.x + (sum.y - x * p);
  }
  if (bits > 0x4120f5c3u || x < -4.0) return x < 0.0 ? 2.0 : 0.0;  // 10.06
  uint shifted;
  const vec2 value = erfc_far(uintBitsToFloat(bits), shifted);
  if (x > 9.0) return assembled(value * 16.0, (int(shifted) >> 23) - 4);
  const float head = scaled(value.x + value.y, shifted);
  return x < 0.0 ? 2.0 - head : head;
}

// x P(w) with w = -log(1 - x²), beyond 5 with √w. Coefficients: erf_inv_near and erf_inv_far of
// script/coefficients/polynomials_f32.py, errors 2⁻³⁰·⁴ and 2⁻²⁷.
float erf_inv_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits >= 0x3f800000u) return bits == 0x3f800000u ? with_sign(infinity_f32(), x) : nan_f32();
  if (bits < 0x20000000u) return tiny_multiple(x, vec2(0.886226952, -2.66231996e-8));  // 2⁻⁶³
  const vec2 square = exact_product(x, x);
  const float w = -log1p_pair(-square.x, -square.y);
  if (w < 5.0) {
    const float t = w - 2.5;
    const float rest =
        0.24664028 +
        t * (-0.00417732168 +
             t * (-0.00125271326 +
                  t * (0.000218259025 +
                       t * (-4.99350335e-06 +
                            t * (-3.42387352e-06 +
                                 t * (4.78283937e-07 +
                                      t * (1.60590155e-08 +
                                           t * (-1.08514966e-08 + t * (4.62668265e-10 + t * 1.25149183e-10)))))))));
    const vec2 p = ordered_sum(1.50140929, t * rest);
    const vec2 value = exact_product(x, p.x);
    return value.x + (value.y + x * (p.y + 5.94713683e-8));
  }
  const vec2 root = root_of(vec2(w, 0.0));
  const float t = (root.x - 3.0) + root.y;
  const float rest =
      1.00167525 +
      t * (0.00944532081 +
           t * (-0.00764289685 +
                t * (0.00568757951 +
                     t * (-0.00356655684 +
                          t * (0.00147529598 +
                               t * (-0.000120973782 +
                                    t * (-0.000277400337 + t * (0.000161145828 + t * -2.97683546e-05))))))));
  const vec2 p = ordered_sum(2.83297682, t * rest);
  const vec2 value = exact_product(x, p.x);
  return value.x + (value.y + x * (p.y - 1.66285687e-8));
}
