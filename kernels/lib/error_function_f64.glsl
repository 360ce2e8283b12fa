#pragma once
// erf, erfc and the inverse of erf.
#include "exact_f64.glsl"
#include "exp_f64.glsl"
#include "log_f64.glsl"
#include "error_function_polynomial_f64.glsl"
#include "inverse_error_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// erfc(x) = 2ⁿ · the result = exp(-x²) · g / (1 + 2x), ½ ≤ x < 28.
double erfc_far(double x, out int n) {
  const dvec2 square = exact_product(x, x), reduced = exp_reduced(-square.x, n);
  const dvec2 parts = exp_parts(exact_sum(reduced.x, reduced.y - square.y)), e = ordered_sum(parts.x, parts.y);
  const double t = quotient_of(exact_sum(x, -4.0lf), exact_sum(x, 4.0lf));
  const dvec2 g = ordered_sum(1.2329951186255526lf, t * erfc_rest(t) - 4.625318921008717e-17lf);
  return quotient_of(product_of(e, g), exact_sum(1.0lf, 2.0lf * x));
}
double erf_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e300000u) return x * 1.1283791670955126lf;  // |x| < 2⁻²⁸
  if (high_word(size) < 0x3feb0000u) return x + x * erf_rest(x * x);
  if (nan_bits(x)) return x;
  if (high_word(size) >= 0x40180000u) return with_sign(1.0lf, x);  // |x| ≥ 6
  const bool far = high_word(size) >= 0x40000000u;
  const double t = size - (far ? 4.0lf : 1.4375lf);
  return with_sign(far ? 0.9999999845827421lf + t * erf_far(t) : 0.95794060605646lf + (t * erf_middle(t) + 3.2564962193065506e-17lf), x);
}
double erfc_of(double x) {
  const double size = abs_bits(x);
  if (nan_bits(x)) return x;
  const bool negative = (high_word(x) & kSignBit) != 0u;
  if (high_word(size) < 0x3fe00000u) {  // |x| < ½
    const dvec2 sum = ordered_sum(1.0lf, -x);
    return sum.x + (sum.y - x * erf_rest(x * x));
  }
  if (high_word(size) >= 0x403c0000u) return negative ? 2.0lf : 0.0lf;  // |x| ≥ 28
  int n;
  const double value = erfc_far(size, n);
  if (negative) return 2.0lf - with_exponent(value, max(n, -100));
  return n > -1000 ? with_exponent(value, n) : scaled_any(value, n);
}

// From |x| = ½ on by w = -log(1 - x²).
double erf_inv_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e100000u) return x * 0.886226925452758lf;      // |x| < 2⁻³⁰
  if (high_word(size) < 0x3fe00000u) return x + x * erf_inv_near(x * x);  // |x| < ½
  if (!(size < 1.0lf)) return size == 1.0lf ? with_sign(infinity_f64(), x) : nan_f64();
  const dvec2 square = exact_product(x, x);
  dvec2 u = exact_sum(1.0lf, -square.x);
  u.y -= square.y;
  const dvec2 parts = log_parts_of_sum(u), w = ordered_sum(-parts.x, -parts.y);
  // The ratio to x, which near 1 is nearly a root of w: the tail of the root counts.
  dvec2 ratio;
  if (w.x < 6.25lf) {
    const bool high = w.x >= 2.25lf;
    const double v = w.x - (high ? 4.25lf : 1.25lf);
    ratio = ordered_sum(high ? 1.9154137297955913lf : 1.1895615771387744lf, v * (high ? erf_inv_high(v) : erf_inv_middle(v)));
  } else {
    const dvec2 root = root_of(w);
    const bool end = root.x >= 4.0lf;
    const double v = root.x - (end ? 5.0lf : 3.25lf);
    ratio = ordered_sum(end ? 4.849906401408584lf : 3.0838856104922208lf, v * (end ? erf_inv_end(v) : erf_inv_far(v)));
    ratio.y += root.y;
  }
  return with_sign(ratio.x * size + ratio.y * size, x);
}
#endif
