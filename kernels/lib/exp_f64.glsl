#pragma once
// exp, expm1 and sigmoid: exp(x) = 2ⁿ · exp(r), |r| ≤ ln 2 / 2.
#include "exact_f64.glsl"
#include "exp_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// r as two doubles, and n; |x| < 2²⁰.
dvec2 exp_reduced(double x, out int n) {
  const double shifted = x * 1.4426950408889634lf + kRounder, k = shifted - kRounder;
  n = int(low_word(shifted));
  const double head = x - k * 0.6931471805598903lf;  // 42 bits of ln 2: exact
  const double tail = k * 5.497923018708371e-14lf, r = head - tail;
  return dvec2(r, (head - r) - tail);
}
// exp(r) as a sum, the second far below the first.
dvec2 exp_parts(dvec2 r) {
  const double sum = 1.0lf + r.x;
  return dvec2(sum, ((1.0lf - sum) + r.x) + (r.y * sum + r.x * r.x * exp_rest(r.x)));
}
// What exp gives for NaN, infinities, and where 2ⁿ isn't normal.
double exp_rare(double x, double mantissa, int n) {
  if (nan_bits(x)) return x;
  if (x > 710.0lf) return infinity_f64();
  if (x < -746.0lf) return 0.0lf;
  return scaled_any(mantissa, n);
}
double exp_of(double x) {
  int n;
  const dvec2 r = exp_reduced(x, n);
  const dvec2 e = exp_parts(r);
  const double mantissa = e.x + e.y;
  if ((high_word(x) & ~kSignBit) >= 0x40862000u) return exp_rare(x, mantissa, n);  // |x| ≥ 708
  return with_exponent(mantissa, n);
}

// exp(x) - 1 as two doubles, |x| < 700.
dvec2 expm1_parts(double x) {
  int n;
  const dvec2 r = exp_reduced(x, n);
  const dvec2 e = exp_parts(r);
  const dvec2 sum = exact_sum(with_exponent(e.x, n), -1.0lf);
  return dvec2(sum.x, sum.y + e.y * power_of_two(max(n, -100)));
}
double expm1_of(double x) {
  const uint size = high_word(x) & ~kSignBit;
  if (size < 0x3c900000u) return x;                          // |x| < 2⁻⁵⁴
  if (size >= 0x40850000u || high_word(x) >= 0xc04e0000u) {  // |x| ≥ 672 or x ≤ -60
    return x <= -60.0lf ? -1.0lf : exp_of(x);
  }
  const dvec2 e = expm1_parts(x);
  return e.x + e.y;
}

// e^x / (1 + e^x), by the exponential of -|x|.
double sigmoid_of(double x) {
  int n;
  const bool negative = (high_word(x) & kSignBit) != 0u;
  const uint size = high_word(x) & ~kSignBit;
  const double away = packDouble2x32(uvec2(low_word(x), size | kSignBit));
  const dvec2 r = exp_reduced(away, n);
  const dvec2 parts = exp_parts(r), e = ordered_sum(parts.x, parts.y);
  if (size >= 0x4082c000u) return negative || nan_bits(x) ? exp_rare(x, e.x + e.y, n) : 1.0lf;
  const double head = with_exponent(e.x, n), tail = e.y * power_of_two(n);
  dvec2 below = ordered_sum(1.0lf, head);
  below.y += tail;
  const dvec2 above = dvec2(choose(negative, head, 1.0lf), choose(negative, tail, 0.0lf));
  return quotient_of(above, below);
}
#endif
