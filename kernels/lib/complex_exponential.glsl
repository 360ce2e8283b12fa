#pragma once
// exp, expm1 and sigmoid of complex numbers.
#include "complex_parts.glsl"
#include "exp_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// factors · e^x · share, |factors| ≤ 1: in steps of e^700, so that small factors bring back what e^x alone would lose; the share, a
// power of two, comes last, when no factor is subnormal any more.
dvec2 times_exp(double x, dvec2 factors, double share) {
  if (!(x > 700.0lf)) return factors * (exp_of(x) * share);
  const double rest = x - 700.0lf;
  factors = factors * exp_of(rest < 700.0lf ? rest : 700.0lf);
  if (rest > 700.0lf) factors = factors * exp_of(rest < 800.0lf ? rest - 700.0lf : 100.0lf);
  return factors * (1.0142320547350045e+304lf * share);
}

dvec2 exp_of(dvec2 a) {
  if (!nonzero(a.y)) return dvec2(exp_of(a.x), a.y);
  if (!finite(a.y)) {
    if (!infinity_bits(a.x)) return dvec2(nan_f64());
    return negative(a.x) ? dvec2(0.0lf, with_sign(0.0lf, a.y)) : dvec2(infinity_f64(), nan_f64());
  }
  const dvec2 turn = cis_of(a.y);
  if (infinity_bits(a.x)) return negative(a.x) ? dvec2(with_sign(0.0lf, turn.x), with_sign(0.0lf, turn.y)) : infinite_along(turn);
  return times_exp(a.x, turn, 1.0lf);
}
ROUNDED_FROM_DVEC2(exp_of)

// (e^x - 1) cos y - 2 sin²(y / 2) + e^x sin y · i
dvec2 expm1_of(dvec2 a) {
  if (!finite(a.y) || !(abs_bits(a.x) < 40.0lf)) {
    const dvec2 e = exp_of(a);
    return dvec2(e.x - 1.0lf, e.y);
  }
  const dvec2 turn = cis_of(a.y);
  const double half_sine = sin_of(0.5lf * a.y);
  return dvec2(expm1_of(a.x) * turn.x - 2.0lf * (half_sine * half_sine), exp_of(a.x) * turn.y);
}
ROUNDED_FROM_DVEC2(expm1_of)

// By e^-|x|; 1 + e^-|x| cos y as a sum of what isn't negative.
dvec2 sigmoid_of(dvec2 a) {
  if (infinity_bits(a.x)) return dvec2(negative(a.x) ? 0.0lf : 1.0lf, 0.0lf);
  if (!finite(a)) return dvec2(nan_f64());
  const double away = -abs_bits(a.x), e = exp_of(away), half_cosine = cis_of(0.5lf * a.y).x;
  const dvec2 turn = cis_of(a.y);
  const dvec2 below = dvec2(2.0lf * e * (half_cosine * half_cosine) - expm1_of(away), e * times_sign(turn.y, -a.x));
  return divide_complex(negative(a.x) ? dvec2(e * turn.x, e * turn.y) : dvec2(1.0lf, 0.0lf), below);
}
ROUNDED_FROM_DVEC2(sigmoid_of)
#endif
