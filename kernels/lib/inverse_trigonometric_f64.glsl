#pragma once
// asin, acos, atan and atan2.
#include "exact_f64.glsl"
#include "arcsine_polynomial_f64.glsl"
#include "arctangent_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
const double kHalfPi = 1.5707963267948966lf;
const double kHalfPiTail = 6.123233995736766e-17lf;

// asin(s) - s for s ≤ ½; z = s²
double asin_bend(double s, double z) { return s * z * asin_rest(z); }
// From |x| = ½ on asin(x) = π/2 - 2 asin(s), s = √((1 - x) / 2).
double asin_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3fe00000u) return high_word(size) < 0x3e400000u ? x : x + asin_bend(x, x * x);
  if (!(size < 1.0lf)) return size == 1.0lf ? with_sign(kHalfPi, x) : nan_f64();
  const double z = 0.5lf - 0.5lf * size;
  const dvec2 s = root_of(dvec2(z, 0.0lf));
  const dvec2 sum = ordered_sum(kHalfPi, -2.0lf * s.x);
  return with_sign(sum.x + (sum.y + (kHalfPiTail - 2.0lf * (s.y + asin_bend(s.x, z)))), x);
}
double acos_of(double x) {
  const double size = abs_bits(x);
  const bool negative = (high_word(x) & kSignBit) != 0u;
  if (high_word(size) < 0x3fe00000u) {
    const dvec2 sum = ordered_sum(kHalfPi, -x);
    return sum.x + (sum.y + (kHalfPiTail - asin_bend(x, x * x)));
  }
  if (!(size < 1.0lf)) return size == 1.0lf ? (negative ? 2.0lf * kHalfPi : 0.0lf) : nan_f64();
  const double z = 0.5lf - 0.5lf * size;
  const dvec2 s = root_of(dvec2(z, 0.0lf));
  const double tail = 2.0lf * (s.y + asin_bend(s.x, z));
  if (!negative) return 2.0lf * s.x + tail;
  const dvec2 sum = ordered_sum(2.0lf * kHalfPi, -2.0lf * s.x);
  return sum.x + (sum.y + (2.0lf * kHalfPiTail - tail));
}

// The angle of (b, a), 0 ≤ a ≤ b normal and less than 2⁶⁵ times apart; from π/2 or π backwards as told.
double angle_of(double a, double b, bool swapped, bool left) {
  const bool wide = a > 0.41421356237309503lf * b;  // then π/4 + atan((a - b) / (a + b))
  const dvec2 t = parted_quotient(exact_sum(wide ? -b : 0.0lf, a), exact_sum(b, wide ? a : 0.0lf));
  const double tangent = t.x + t.y, z = tangent * tangent;
  const double bend = t.y + tangent * z * atan_rest(z);
  const int within = wide ? 1 : 0, upper = swapped ? 2 - within : within, eighths = left ? 4 - upper : upper;
  const double sign = swapped != left ? -1.0lf : 1.0lf, turn = from_int(eighths);
  const dvec2 sum = ordered_sum(turn * 0.7853981633974483lf, sign * t.x);  // 50 bits of π/4
  return sum.x + (sum.y + (sign * bend + turn * 3.061616997868383e-17lf));
}
double atan_of(double x) {
  const double size = abs_bits(x);
  if (high_word(size) < 0x3e400000u || nan_bits(x)) return x;       // |x| < 2⁻²⁷
  if (high_word(size) >= 0x43f00000u) return with_sign(kHalfPi, x);  // |x| ≥ 2⁶⁴
  const bool steep = size > 1.0lf;
  return with_sign(angle_of(steep ? 1.0lf : size, steep ? size : 1.0lf, steep, false), x);
}
double atan2_of(double y, double x) {
  if (nan_bits(x) || nan_bits(y)) return nan_f64();
  const bool left = (high_word(x) & kSignBit) != 0u;
  const double height = abs_bits(y), width = abs_bits(x);
  const bool steep = height > width;
  double a = steep ? width : height, b = steep ? height : width;
  const int apart = int(high_word(b) >> 20) - int(high_word(a) >> 20);
  if (infinity_bits(a)) return with_sign(left ? 2.356194490192345lf : 0.7853981633974483lf, y);
  if (!nonzero(a) || infinity_bits(b) || apart > 60) {
    if (steep) return with_sign(kHalfPi, y);
    return with_sign(left ? 2.0lf * kHalfPi : nonzero(a) ? a / b : 0.0lf, y);
  }
  if (high_word(a) < 0x00100000u) {
    a *= 1.2980742146337069e+33lf;  // 2¹¹⁰
    b *= 1.2980742146337069e+33lf;
  }
  const int exponent = int(high_word(b) >> 20) - 1023;
  return with_sign(angle_of(with_exponent(a, -exponent), with_exponent(b, -exponent), steep, left), y);
}
#endif
