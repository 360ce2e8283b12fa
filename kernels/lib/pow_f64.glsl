#pragma once
// a to the b-th: exp(b · log a) with the logarithm and the product in two doubles.
#include "exact_f64.glsl"
#include "exp_f64.glsl"
#include "log_exact_f64.glsl"

#ifdef HAS_DOUBLE
// 0: not whole, 1: odd, 2: even. The exponent of the lowest bit decides.
int parity_of(double x) {
  const uint high = high_word(x) & ~kSignBit, low = low_word(x);
  const int exponent = int(high >> 20) - 1023;
  if (exponent > 52) return 2;
  if (exponent < 0) return 0;
  const uint mantissa = (high & 0xfffffu) | 0x100000u;
  if (exponent <= 20) {
    const uint shift = uint(20 - exponent);
    if (low != 0u || (mantissa & ((1u << shift) - 1u)) != 0u) return 0;
    return ((mantissa >> shift) & 1u) != 0u ? 1 : 2;
  }
  const uint shift = uint(52 - exponent);
  if ((low & ((1u << shift) - 1u)) != 0u) return 0;
  return ((low >> shift) & 1u) != 0u ? 1 : 2;
}
// a zero, infinite or NaN, or b NaN or infinite; neither a = 1 nor b = 0.
double power_rare(double a, double b) {
  if (nan_bits(a) || nan_bits(b)) return nan_f64();
  const bool falling = (high_word(b) & kSignBit) != 0u;
  if (infinity_bits(b)) {
    const uvec2 size = magnitude_of(a);
    if (size == uvec2(0u, 0x3ff00000u)) return 1.0lf;
    return (size.y >= 0x3ff00000u) != falling ? infinity_f64() : 0.0lf;
  }
  const double value = infinity_bits(a) != falling ? infinity_f64() : 0.0lf;
  return parity_of(b) == 1 ? with_sign(value, a) : value;
}
double power_of(double a, double b) {
  if (a == 1.0lf || !nonzero(b)) return 1.0lf;
  const uint size = high_word(a) & ~kSignBit, exponent = high_word(b) & ~kSignBit;
  if (size >= 0x7ff00000u || !nonzero(a) || exponent >= 0x7ff00000u) return power_rare(a, b);
  const bool negative = (high_word(a) & kSignBit) != 0u;
  const int parity = parity_of(b);
  if (negative && parity == 0) return nan_f64();
  const double sign = negative && parity == 1 ? -1.0lf : 1.0lf;  // by bits: compilers take a product with 0 for 0

  const bool tiny = size < 0x00100000u;
  int k, n;
  const double f = log_reduced(abs_bits(a) * (tiny ? 18014398509481984.0lf : 1.0lf), k) - 1.0lf;
  if (k == 0 && f == 0.0lf) return sign;
  if (exponent < 0x3be00000u) return sign;  // |b| < 2⁻⁶⁵
  const dvec2 logarithm = log_exact(from_int(tiny ? k - 54 : k), f);
  // From 2⁶⁴ on any b overflows or gives 0.
  const double limited = exponent > 0x43f00000u ? with_sign(18446744073709551616.0lf, b) : b;
  dvec2 y = exact_product(limited, logarithm.x);
  y.y += limited * logarithm.y;
  if (y.x > 710.0lf) return with_sign(infinity_f64(), sign);
  if (y.x < -746.0lf) return with_sign(0.0lf, sign);
  const dvec2 r = exp_reduced(y.x, n);
  const dvec2 e = exp_parts(exact_sum(r.x, r.y + y.y));
  const double mantissa = with_sign(e.x + e.y, sign);
  return n > -1000 && n < 1000 ? with_exponent(mantissa, n) : scaled_any(mantissa, n);
}
#endif
