#pragma once
// The logarithm as two doubles.
#include "exact_f64.glsl"
#include "log_f64.glsl"
#include "log_exact_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// log(2ᵏ · (1 + f)) as two doubles, relative error 2⁻⁶⁵.
dvec2 log_exact(double k, double f) {
  const dvec2 s = parted_quotient(dvec2(f, 0.0lf), ordered_sum(2.0lf, f));
  const dvec2 z = ordered_sum(s.x * s.x, s.y * (2.0lf * s.x + s.y));
  const dvec2 cubic = product_of(product_of(z, dvec2(0.6666666666666666lf, 3.700743415417188e-17lf)), ordered_sum(s.x, s.y));
  const double rest = (s.x + s.y) * (z.x * z.x) * log_far_rest(z.x);
  const dvec2 linear = exact_sum(k * 0.6931471805598903lf, 2.0lf * s.x);
  const dvec2 sum = sum_of(ordered_sum(linear.x, linear.y + 2.0lf * s.y), cubic);
  return ordered_sum(sum.x, sum.y + (rest + k * 5.497923018708371e-14lf));
}
dvec2 log_exact_of(dvec2 x) {
  int k;
  const double f = log_reduced(x.x, k) - 1.0lf;
  const dvec2 value = log_exact(from_int(k), f);
  return ordered_sum(value.x, value.y + x.y * inverse_near(x.x));
}
#endif
