#pragma once
// asinh, acosh and atanh: polynomials near 0, else logarithms of two doubles.
#include "exact_f64.glsl"
#include "log_f64.glsl"
#include "area_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
double log_doubled(double x) {
  int k;
  const double f = log_reduced(x, k) - 1.0lf;
  return log_sum(from_int(k + 1), f, 0.0lf);
}
double asinh_of(double x) {
  const double size = abs_bits(x);
  const uint high = high_word(size);
  if (high < 0x3e400000u || high >= 0x7ff00000u) return x;  // |x| < 2⁻²⁷
  if (high < 0x3fe00000u) {                                 // |x| < ½
    const double z = x * x;
    return x + x * z * asinh_rest(z);
  }
  if (high >= 0x41e00000u) return with_sign(log_doubled(size), x);  // |x| ≥ 2³¹
  const dvec2 square = exact_product(size, size), root = root_of(sum_of(square, dvec2(1.0lf, 0.0lf)));
  return with_sign(log_of_sum(sum_of(root, dvec2(size, 0.0lf))), x);
}
double acosh_of(double x) {
  if (!(x >= 1.0lf)) return nan_f64();
  const uint high = high_word(x);
  if (high >= 0x7ff00000u || x == 1.0lf) return x == 1.0lf ? 0.0lf : x;
  if (high >= 0x41e00000u) return log_doubled(x);
  const double t = x - 1.0lf;
  const dvec2 root = root_of(product_of(exact_sum(x, 1.0lf), dvec2(t, 0.0lf)));
  const dvec2 v = sum_of(root, dvec2(t, 0.0lf)), u = exact_sum(1.0lf, v.x);
  return log_of_sum(dvec2(u.x, u.y + v.y));
}
double atanh_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e400000u) return x;
  if (high_word(size) < 0x3fe00000u) {
    const double z = x * x;
    return x + x * z * atanh_rest(z);
  }
  if (!(size < 1.0lf)) return size == 1.0lf ? with_sign(infinity_f64(), x) : nan_f64();
  const dvec2 q = parted_quotient(exact_sum(1.0lf, size), dvec2(1.0lf - size, 0.0lf));
  return with_sign(0.5lf * log_of_sum(ordered_sum(q.x, q.y)), x);
}
#endif
