#pragma once
// lgamma = log |Γ| and digamma = Γ' / Γ: polynomials about 1, 3/2 and 2 and about digamma's root, Stirling's series from 8 and 10
// on, recurrence between, reflection below 0. Near their zeros on the negative axis both are right to a step of their largest term.
#include "exact_f64.glsl"
#include "log_exact_f64.glsl"
#include "trigonometric_f64.glsl"
#include "gamma_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
const dvec2 kPi64 = dvec2(3.141592653589793lf, 1.2246467991473532e-16lf);

// lgamma(base + t): base is 1 or 3/2 and |t| ≤ ¼, or 2 and -¼ ≤ t ≤ ½.
dvec2 lgamma_near(double base, double t) {
  if (base == 1.5lf) return ordered_sum(-0.12078223763524522lf, t * lgamma_middle(t) - 4.1797047492946264e-18lf);
  const bool one = base == 1.0lf;
  const dvec2 ratio = ordered_sum(one ? -0.5772156649015329lf : 0.42278433509846713lf,
                                  t * (one ? lgamma_one(t) : lgamma_two(t)) + 4.942915152430645e-18lf);
  const dvec2 product = exact_product(ratio.x, t);
  return dvec2(product.x, product.y + ratio.y * t);
}
// x ≥ 8
dvec2 lgamma_far(double x, dvec2 logarithm) {
  const dvec2 product = product_of(exact_sum(x, -0.5lf), sum_of(logarithm, dvec2(-1.0lf, 0.0lf)));
  const double inverse = 1.0lf / x;
  const double rest = x < 1e10lf ? inverse * stirling(inverse * inverse) : 0.0lf;
  return sum_of(product, ordered_sum(0.4189385332046727lf, rest + 1.6728209650585413e-17lf));
}
// 2⁻¹⁰⁰⁰ < x < 2¹⁰⁰⁰. Γ(x) = (x - 1) … y · Γ(y) down to y ≤ 2.5, or Γ(x + 1) / x from 0.75 on down.
dvec2 lgamma_parts(double x) {
  const bool far = x >= 8.0lf, low = x < 0.75lf;
  dvec2 factor = dvec2(far || low ? x : 1.0lf, 0.0lf);
  double y = x;
  for (int k = 0; k < 6; ++k) {
    if (y > 2.5lf && !far) {
      y -= 1.0lf;
      factor = product_of(factor, dvec2(y, 0.0lf));
    }
  }
  const dvec2 logarithm = log_exact_of(factor);
  if (far) return lgamma_far(x, logarithm);
  const double above = low ? x + 1.0lf : y, base = above < 1.25lf ? 1.0lf : above < 1.75lf ? 1.5lf : 2.0lf;
  const dvec2 near = lgamma_near(base, low ? x - (base - 1.0lf) : y - base);
  return sum_of(low ? -logarithm : logarithm, ordered_sum(near.x, near.y));
}

// x ≥ 0 less the nearest whole number.
double turn_rest(double x) {
  if (high_word(x) >= 0x43300000u) return 0.0lf;  // x ≥ 2⁵², whole
  const double shifted = x + 4503599627370496.0lf;
  return x - (shifted - 4503599627370496.0lf);
}
// sin(πf) or cos(πf), |f| ≤ ½
dvec2 sin_or_cos_pi(double f, bool cosine) {
  const bool far = abs_bits(f) > 0.25lf;
  const double size = far ? 0.5lf - abs_bits(f) : abs_bits(f);
  const dvec2 parts = sin_or_cos(product_of(kPi64, dvec2(size, 0.0lf)), far != cosine);
  const dvec2 value = ordered_sum(parts.x, parts.y);
  return !cosine && (high_word(f) & kSignBit) != 0u ? -value : value;
}

double lgamma_of(double x) {
  const double size = abs_bits(x);
  const uint high = high_word(size);
  if (nan_bits(x)) return x;
  if (high >= 0x7ff00000u || !nonzero(x)) return infinity_f64();
  const bool negative = (high_word(x) & kSignBit) != 0u, tiny = high < 0x3c300000u;
  if (tiny || (high >= 0x7e700000u && !negative)) {  // below 2⁻⁶⁰, from 2¹⁰⁰⁰ on
    const double logarithm = log_of(size);
    return tiny ? -logarithm : x * (logarithm - 1.0lf);
  }
  const double f = turn_rest(size);
  if (negative && !nonzero(f)) return infinity_f64();
  const dvec2 parts = lgamma_parts(size), up = ordered_sum(parts.x, parts.y);
  if (!negative) return up.x + up.y;
  // Γ(-y) Γ(y) = -π / (y sin πy)
  const dvec2 sine = sin_or_cos_pi(abs_bits(f), false);
  const dvec2 reflected = log_exact_of(product_of(sine, dvec2(size, 0.0lf)));
  const dvec2 sum = sum_of(up, reflected);
  const dvec2 value = sum_of(dvec2(1.1447298858494002lf, 1.0265951162707826e-17lf), -sum);
  return value.x + value.y;
}

// 0 < x < 2¹⁰⁰⁰, as two doubles
dvec2 digamma_parts(double x) {
  if (x < 2.0lf) {
    // By digamma(x) = digamma(x + 1) - 1 / x below 1.
    const bool below = x < 1.0lf;
    const double t = below ? (x - 0.46163214496836236lf) + 1.5522348162858677e-17lf
                           : (x - 1.4616321449683622lf) - 9.549995429965697e-17lf;
    const double slope = digamma_slope(t);
    const dvec2 ratio = ordered_sum(0.9676722454476212lf, t * slope - 3.387874303038943e-17lf);
    const dvec2 product = exact_product(ratio.x, t);
    const dvec2 value = ordered_sum(product.x, product.y + ratio.y * t);
    if (!below) return value;
    const dvec2 inverse = parted_quotient(dvec2(1.0lf, 0.0lf), dvec2(x, 0.0lf));
    return sum_of(value, -ordered_sum(inverse.x, inverse.y));
  }
  dvec2 steps = dvec2(0.0lf, 0.0lf);
  dvec2 y = dvec2(x, 0.0lf);
  for (int k = 1; k <= 8; ++k) {
    if (y.x < 10.0lf) {
      const dvec2 inverse = parted_quotient(dvec2(1.0lf, 0.0lf), y);
      steps = sum_of(steps, ordered_sum(inverse.x, inverse.y));
      y = exact_sum(x, from_int(k));
    }
  }
  const double inverse = 1.0lf / y.x, z = inverse * inverse;
  const double series = y.x < 1e20lf ? z * digamma_series(z) : 0.0lf;
  const dvec2 half_inverse = parted_quotient(dvec2(0.5lf, 0.0lf), y);
  const dvec2 far = sum_of(log_exact_of(y), -ordered_sum(half_inverse.x, half_inverse.y + series));
  return sum_of(far, -steps);
}
double digamma_of(double x) {
  if (nan_bits(x)) return x;
  if (!nonzero(x)) return with_sign(infinity_f64(), negate_bits(x));
  const double size = abs_bits(x);
  if (high_word(size) < 0x3c300000u) return -1.0lf / x;  // |x| < 2⁻⁶⁰
  if (high_word(size) >= 0x7e700000u) return (high_word(x) & kSignBit) == 0u ? log_of(x) : nan_f64();  // from 2¹⁰⁰⁰ on
  const dvec2 parts = digamma_parts(size);
  if ((high_word(x) & kSignBit) == 0u) return parts.x + parts.y;
  const double f = turn_rest(size);
  if (!nonzero(f)) return nan_f64();
  // digamma(-y) = digamma(y) + 1 / y + π cot πy
  const dvec2 sine = sin_or_cos_pi(f, false), cosine = sin_or_cos_pi(f, true);
  const bool negative = (high_word(f) & kSignBit) != 0u;
  const dvec2 cotangent = parted_quotient(negative ? -cosine : cosine, negative ? -sine : sine);
  const dvec2 turned = product_of(kPi64, ordered_sum(cotangent.x, cotangent.y));
  const dvec2 inverse = parted_quotient(dvec2(1.0lf, 0.0lf), dvec2(size, 0.0lf));
  const dvec2 up = sum_of(parts, ordered_sum(inverse.x, inverse.y));
  const dvec2 value = sum_of(turned, up);
  return value.x + value.y;
}
#endif
