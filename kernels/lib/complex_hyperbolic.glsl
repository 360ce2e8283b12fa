#pragma once
// sinh, cosh and tanh of complex numbers, and sin, cos and tan, which are the same a quarter turn on.
#include "complex_exponential.glsl"
#include "hyperbolic_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// sinh x cos y + cosh x sin y · i
dvec2 sinh_of(dvec2 a) {
  if (!nonzero(a.y)) return dvec2(sinh_of(a.x), a.y);
  if (!finite(a.y)) return dvec2(infinity_bits(a.x) || !nonzero(a.x) ? a.x : nan_f64(), nan_f64());
  const dvec2 turn = cis_of(a.y);
  if (infinity_bits(a.x)) return infinite_along(dvec2(times_sign(turn.x, a.x), turn.y));
  if (abs_bits(a.x) <= 700.0lf) return dvec2(sinh_of(a.x) * turn.x, cosh_of(a.x) * turn.y);
  const dvec2 value = times_exp(abs_bits(a.x), turn, 0.5lf);
  return dvec2(times_sign(value.x, a.x), value.y);
}
ROUNDED_FROM_DVEC2(sinh_of)

// cosh x cos y + sinh x sin y · i
dvec2 cosh_of(dvec2 a) {
  const double zero = times_sign(with_sign(0.0lf, a.x), a.y);
  if (!nonzero(a.y)) return dvec2(cosh_of(a.x), zero);
  if (!finite(a.y)) {
    if (!nonzero(a.x)) return dvec2(nan_f64(), zero);
    return dvec2(infinity_bits(a.x) ? infinity_f64() : nan_f64(), nan_f64());
  }
  const dvec2 turn = cis_of(a.y);
  if (infinity_bits(a.x)) return infinite_along(dvec2(turn.x, times_sign(turn.y, a.x)));
  if (abs_bits(a.x) <= 700.0lf) return dvec2(cosh_of(a.x) * turn.x, sinh_of(a.x) * turn.y);
  const dvec2 value = times_exp(abs_bits(a.x), turn, 0.5lf);
  return dvec2(value.x, times_sign(value.y, a.x));
}
ROUNDED_FROM_DVEC2(cosh_of)

// (sinh x cosh x + sin y cos y · i) / (sinh² x + cos² y)
dvec2 tanh_of(dvec2 a) {
  if (!nonzero(a.y)) return dvec2(tanh_of(a.x), a.y);
  if (!finite(a.y)) {
    if (infinity_bits(a.x)) return dvec2(with_sign(1.0lf, a.x), with_sign(0.0lf, a.y));
    return dvec2(nonzero(a.x) ? nan_f64() : a.x, nan_f64());
  }
  const dvec2 turn = cis_of(a.y);
  const double size = abs_bits(a.x);
  if (size > 22.0lf) return dvec2(with_sign(1.0lf, a.x), 4.0lf * (turn.x * turn.y) * exp_of(-2.0lf * size));
  const double s = sinh_of(a.x), below = s * s + turn.x * turn.x;
  return dvec2(s * cosh_of(a.x) / below, turn.x * turn.y / below);
}
ROUNDED_FROM_DVEC2(tanh_of)

dvec2 sin_of(dvec2 a) { return over_i(sinh_of(times_i(a))); }
ROUNDED_FROM_DVEC2(sin_of)
dvec2 cos_of(dvec2 a) { return cosh_of(times_i(a)); }
ROUNDED_FROM_DVEC2(cos_of)
dvec2 tan_of(dvec2 a) { return over_i(tanh_of(times_i(a))); }
ROUNDED_FROM_DVEC2(tan_of)
#endif
