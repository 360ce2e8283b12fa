#pragma once
// log and log1p: log(2ᵏ · (1 + f)) with 1 + f in [√½, √2), by the series of atanh in s = f / (2 + f).
#include "exact_f64.glsl"
#include "log_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// The mantissa in [√½, √2) of a positive normal number, and its exponent.
double log_reduced(double x, out int k) {
  const uvec2 bits = unpackDouble2x32(x);
  const uint shifted = bits.y + (0x3ff00000u - 0x3fe6a09eu);
  k = int(shifted >> 20) - 1023;
  return packDouble2x32(uvec2(bits.x, (shifted & 0xfffffu) + 0x3fe6a09eu));
}
// s, by an inverse good to 44 bits whose error is known.
double log_ratio(double f) {
  const double d = 2.0lf + f, inverse = inverse_near(d), rest = 1.0lf - d * inverse, s = f * inverse;
  return s + s * rest;
}
// k · ln 2 + log(1 + f) + tail, where tail is within a rounding of f, as two numbers.
dvec2 log_parts(double k, double f, double tail) {
  const double s = log_ratio(f), z = s * s, half_square = 0.5lf * f * f;
  const double rest = s * (half_square + z * log_rest(z)) + (tail + k * 5.497923018708371e-14lf);
  const dvec2 sum = ordered_sum(k * 0.6931471805598903lf, f);
  return dvec2(sum.x, sum.y - (half_square - rest));
}
double log_sum(double k, double f, double tail) {
  const dvec2 parts = log_parts(k, f, tail);
  return parts.x + parts.y;
}
// Zeros, negative numbers, infinity and NaN.
double log_rare(double x) {
  if (nan_bits(x)) return x;
  if (!nonzero(x)) return -infinity_f64();
  return (high_word(x) & kSignBit) != 0u ? nan_f64() : x;
}
double log_of(double x) {
  int offset = 0;
  double y = x;
  if (high_word(x) - 0x00100000u >= 0x7fe00000u) {  // not a positive normal number
    if (high_word(x) >= 0x00100000u || !nonzero(x)) return log_rare(x);
    y = x * 18014398509481984.0lf;
    offset = -54;
  }
  int k;
  const double f = log_reduced(y, k) - 1.0lf;
  return log_sum(from_int(k + offset), f, 0.0lf);
}

// log(u.x + u.y), u.x normal.
dvec2 log_parts_of_sum(dvec2 u) {
  int k;
  const double m = log_reduced(u.x, k) - 1.0lf;
  const dvec2 f = ordered_sum(m, u.y * power_of_two(-clamp(k, -64, 64)));
  return log_parts(from_int(k), f.x, f.y - f.y * f.x);
}
double log_of_sum(dvec2 u) {
  const dvec2 parts = log_parts_of_sum(u);
  return parts.x + parts.y;
}
double log1p_of(double x) {
  const uint high = high_word(x), size = high & ~kSignBit;
  if (size < 0x3c900000u) return x;                                                       // |x| < 2⁻⁵⁴
  if (size >= 0x7ff00000u || (high >= 0xbff00000u)) return log_rare(x == -1.0lf ? 0.0lf : x);  // not in (-1, ∞)
  return log_of_sum(exact_sum(1.0lf, x));
}
#endif
