#pragma once
// log and log1p of complex numbers.
#include "complex_parts.glsl"
#include "inverse_trigonometric_f64.glsl"
#include "log_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// log |a|; near 1 by |a|² - 1, which keeps the bits that cancel.
double log_magnitude(dvec2 a) {
  if (infinity_bits(a)) return infinity_f64();
  if (nan_bits(a)) return nan_f64();
  if (!nonzero(a)) return -infinity_f64();
  const double m = larger_part(a), n = smaller_part(a);
  if (m < 0.5lf || m >= 2.0lf) {
    const double ratio = n / m;
    return log_of(m) + 0.5lf * log1p_of(ratio * ratio);
  }
  const dvec2 p = exact_product(m, m), q = exact_product(n, n), sum = exact_sum(p.x - 1.0lf, q.x);
  return 0.5lf * log1p_of(sum.x + (sum.y + (p.y + q.y)));
}
dvec2 log_of(dvec2 a) { return dvec2(log_magnitude(a), atan2_of(a.y, a.x)); }
ROUNDED_FROM_DVEC2(log_of)

// Near 0 by |1 + a|² - 1 = 2x + x² + y².
dvec2 log1p_of(dvec2 a) {
  if (!nonzero(a.y) && a.x > -1.0lf) return dvec2(log1p_of(a.x), a.y);
  if (!(abs_bits(a.x) < 0.5lf && abs_bits(a.y) < 1.0lf)) return log_of(dvec2(1.0lf + a.x, a.y));
  const dvec2 p = exact_product(a.x, a.x), q = exact_product(a.y, a.y);
  const dvec2 first = exact_sum(2.0lf * a.x, q.x), sum = exact_sum(first.x, p.x);
  const double excess = sum.x + (sum.y + (first.y + (p.y + q.y)));
  return dvec2(0.5lf * log1p_of(excess), atan2_of(a.y, 1.0lf + a.x));
}
ROUNDED_FROM_DVEC2(log1p_of)
#endif
