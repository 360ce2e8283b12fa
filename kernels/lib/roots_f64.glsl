#pragma once
// 1 / √x and ∛x, without division: the float unit starts, an exact residue ends.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
double rsqrt_of(double x) {
  if (high_word(x) - 0x00100000u >= 0x7fe00000u) {
    if (nan_bits(x)) return x;
    if (!nonzero(x)) return with_sign(infinity_f64(), x);
    if ((high_word(x) & kSignBit) != 0u) return nan_f64();
    if (high_word(x) >= 0x7ff00000u) return 0.0lf;
  }
  const bool tiny = high_word(x) < 0x00100000u;
  const double normal = x * (tiny ? 18014398509481984.0lf : 1.0lf);
  // normal = 4ᵏ · m, 1 ≤ m < 4
  const int k = (int(high_word(normal) >> 20) - 1023) >> 1;
  const double m = with_exponent(normal, -2 * k);
  const uvec2 bits = unpackDouble2x32(m);
  const uint near = ((bits.y - 0x38000000u) << 3) | (bits.x >> 29);
  const float half_m = 0.5 * uintBitsToFloat(near);
  float start = uintBitsToFloat(0x5f3759dfu - (near >> 1));
  start = start * (1.5 - half_m * start * start);
  start = start * (1.5 - half_m * start * start);
  start = start * (1.5 - half_m * start * start);
  const double y = head_of(double(start)), square = y * y;
  const double m_head = head_of(m), square_head = head_of(square);
  const double rest =
      (1.0lf - m_head * square_head) - (m_head * (square - square_head) + (m - m_head) * square);
  const double root = y + y * rest * (0.5lf + rest * (0.375lf + rest * 0.3125lf));
  return with_exponent(root, (tiny ? 27 : 0) - k);
}

double cbrt_of(double x) {
  const uint size = high_word(x) & ~kSignBit;
  if (size >= 0x7ff00000u || !nonzero(x)) return x;
  const bool tiny = size < 0x00100000u;
  const double normal = abs_bits(x) * (tiny ? 18014398509481984.0lf : 1.0lf);
  // normal = 8ᵏ · m, 1 ≤ m < 8
  const int k = int((high_word(normal) >> 20) + 2049u) / 3 - 1024;
  const double m = with_exponent(normal, -3 * k);
  const uvec2 bits = unpackDouble2x32(m);
  const uint near = ((bits.y - 0x38000000u) << 3) | (bits.x >> 29);
  const float third_m = 0.3333333333 * uintBitsToFloat(near);
  float start = uintBitsToFloat(0x54a2fa8cu - near / 3u);  // about 1 / ∛m
  start = start * (1.3333333333 - third_m * (start * start * start));
  start = start * (1.3333333333 - third_m * (start * start * start));
  start = start * (1.3333333333 - third_m * (start * start * start));
  double y = double(start);
  y = y + y * (0.3333333333333333lf - 0.3333333333333333lf * m * (y * y * y));
  // A root of 17 bits: its cube is exact.
  const double root = packDouble2x32(uvec2(0u, high_word(m * y * y) & 0xfffffff0u));
  const double rest = (m - root * root * root) * (y * y * y);
  const double bend = 0.3333333333333333lf + rest * (0.2222222222222222lf + rest * (0.1728395061728395lf + rest * 0.1440329218106996lf));
  return with_sign(with_exponent(root + root * rest * bend, k - (tiny ? 18 : 0)), x);
}
#endif
