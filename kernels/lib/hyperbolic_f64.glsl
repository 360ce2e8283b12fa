#pragma once
// sinh, cosh and tanh: |x| = n · ln 2 + r, and sinh r and cosh r by their own polynomials, so that nothing cancels.
#include "exact_f64.glsl"
#include "exp_f64.glsl"
#include "hyperbolic_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// 2^(n-1) and 2^(-n-1), the second left out where it no longer counts. With A their sum and B their difference
// sinh(|x|) = B cosh r + A sinh r and cosh(|x|) = A cosh r + B sinh r.
dvec2 hyperbolic_scales(int n) {
  return dvec2(power_of_two(min(n, 1022) - 1), n > 60 ? 0.0lf : power_of_two(-min(n, 60) - 1));
}
// cosh r - 1 and sinh r - r
dvec2 hyperbolic_rests(dvec2 r) {
  const double z = r.x * r.x;
  return dvec2(0.5lf * z + z * z * cosh_rest(z), r.x * z * sinh_rest(z) + r.y);
}
// 2^n · value past the usual range, or what infinity and NaN give.
double hyperbolic_rare(double x, double value, int n) {
  if (nan_bits(x)) return x;
  return x > 711.0lf ? infinity_f64() : scaled_any(value, n - min(n, 1022));
}
double sinh_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e300000u) return x;  // |x| < 2⁻²⁸
  int n;
  const dvec2 r = exp_reduced(size, n);
  const dvec2 scales = hyperbolic_scales(n), rests = hyperbolic_rests(r);
  const double sum = scales.x + scales.y;
  const dvec2 difference = ordered_sum(scales.x, -scales.y);
  const dvec2 lead = ordered_sum(difference.x, n == 0 ? r.x : scales.x * r.x);
  const double rest = (n == 0 ? 0.0lf : scales.y * r.x) + (difference.x * rests.x + sum * rests.y) + difference.y;
  double value = lead.x + (lead.y + rest);
  if (high_word(size) >= 0x40862000u) value = hyperbolic_rare(size, value, n);  // |x| ≥ 708
  return with_sign(value, x);
}
double cosh_of(double x) {
  const double size = abs_bits(x);
  int n;
  const dvec2 r = exp_reduced(size, n);
  const dvec2 scales = hyperbolic_scales(n), rests = hyperbolic_rests(r);
  const dvec2 sum = ordered_sum(scales.x, scales.y);
  const double difference = scales.x - scales.y;
  const dvec2 lead = ordered_sum(sum.x, scales.x * r.x);
  const double rest = (sum.x * rests.x + difference * rests.y) - scales.y * r.x;
  const double value = lead.x + (lead.y + sum.y + rest);
  if (high_word(size) >= 0x40862000u) return hyperbolic_rare(size, value, n);
  return value;
}

// -E / (2 + E) with E = exp(-2|x|) - 1.
double tanh_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e300000u || nan_bits(x)) return x;
  if (high_word(size) >= 0x40360000u) return with_sign(1.0lf, x);  // |x| ≥ 22
  int n;
  const dvec2 r = exp_reduced(-2.0lf * size, n);
  const dvec2 e = exp_parts(r);
  const dvec2 sum = ordered_sum(-1.0lf, with_exponent(e.x, n));
  const dvec2 below_zero = ordered_sum(sum.x, sum.y + e.y * power_of_two(n));
  dvec2 below = ordered_sum(2.0lf, below_zero.x);
  below.y += below_zero.y;
  return with_sign(quotient_of(below_zero, below), x);
}
#endif
