#pragma once
// The inverse functions of complex numbers, by Kahan's formulas: through √(1 - a) and √(1 + a), from which nothing cancels.
#include "area_f64.glsl"
#include "complex_logarithm.glsl"
#include "complex_roots.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// Where a² ± 1 is a²: infinities, too.
bool far_out(dvec2 a) { return infinity_bits(a) || larger_part(a) > 1.2676506002282294e+30lf; }  // 2¹⁰⁰
double log_of_twice(dvec2 a) { return log_magnitude(a) + 0.6931471805599453lf; }

dvec2 asin_of(dvec2 a) {
  if (nan_bits(a.y) && !nonzero(a.x)) return a;
  if (far_out(a)) return dvec2(atan2_of(a.x, abs_bits(a.y)), with_sign(log_of_twice(a), a.y));
  if (nan_bits(a)) return dvec2(nan_f64());
  const dvec2 minus = square_root(dvec2(1.0lf - a.x, negate_bits(a.y))), plus = square_root(dvec2(1.0lf + a.x, a.y));
  return dvec2(atan2_of(a.x, minus.x * plus.x - minus.y * plus.y),
               with_sign(asinh_of(minus.x * plus.y - minus.y * plus.x), a.y));
}
ROUNDED_FROM_DVEC2(asin_of)

dvec2 acos_of(dvec2 a) {
  if (nan_bits(a.y) && !nonzero(a.x)) return dvec2(kHalfPi, a.y);
  if (far_out(a)) return dvec2(atan2_of(abs_bits(a.y), a.x), with_sign(log_of_twice(a), negate_bits(a.y)));
  if (nan_bits(a)) return dvec2(nan_f64());
  const dvec2 minus = square_root(dvec2(1.0lf - a.x, negate_bits(a.y))), plus = square_root(dvec2(1.0lf + a.x, a.y));
  return dvec2(2.0lf * atan2_of(minus.x, plus.x),
               with_sign(asinh_of(plus.x * minus.y - plus.y * minus.x), negate_bits(a.y)));
}
ROUNDED_FROM_DVEC2(acos_of)

dvec2 asinh_of(dvec2 a) { return over_i(asin_of(times_i(a))); }
ROUNDED_FROM_DVEC2(asinh_of)
dvec2 acosh_of(dvec2 a) {
  const dvec2 angle = acos_of(a);
  return dvec2(abs_bits(angle.y), with_sign(angle.x, a.y));
}
ROUNDED_FROM_DVEC2(acosh_of)

// ¼ log((1 + x)² + y² over (1 - x)² + y²), and half the angle of (1 - x)(1 + x) - y² and 2y.
dvec2 atanh_of(dvec2 a) {
  const double width = abs_bits(a.x), height = abs_bits(a.y), gap = 1.0lf - width;
  if (far_out(a)) {
    const double rest = infinity_bits(a) ? 0.0lf : divide_complex(dvec2(1.0lf, 0.0lf), a).x;
    return dvec2(with_sign(rest, a.x), nan_bits(a.y) ? a.y : with_sign(kHalfPi, a.y));
  }
  if (!nonzero(a.x)) return dvec2(a.x, atan_of(a.y));
  if (nan_bits(a)) return dvec2(nan_f64());
  if (!nonzero(a.y) && width <= 1.0lf) return dvec2(atanh_of(a.x), a.y);
  const double angle = 0.5lf * atan2_of(2.0lf * a.y, gap * (1.0lf + width) - height * height);
  // 4 / y² beside ±1 may be out of range.
  const double size = nonzero(gap) || height > 1e-100lf ? 0.25lf * log1p_of(4.0lf * width / (gap * gap + height * height))
                                                        : 0.5lf * (0.6931471805599453lf - log_of(height));
  return dvec2(with_sign(size, a.x), angle);
}
ROUNDED_FROM_DVEC2(atanh_of)
dvec2 atan_of(dvec2 a) { return over_i(atanh_of(times_i(a))); }
ROUNDED_FROM_DVEC2(atan_of)
#endif
