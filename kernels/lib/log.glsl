#pragma once
// log and log1p: x = 2ᵏ (1 + f) with 1 + f in [√½, √2], log(1 + f) a polynomial.
#include "exact.glsl"

// The exponent k and 1 + f of a normal number's bits.
float log_fraction(uint bits, out int k) {
  const uint offset = bits - 0x3f3504f3u;
  k = int(offset) >> 23;
  return uintBitsToFloat((offset & 0x7fffffu) + 0x3f3504f3u);
}
// log(2ᵏ (1 + f)) + tail. Coefficients: log_rest of script/coefficients/polynomials_f32.py, error 2⁻²⁷·⁸.
float log_sum(float f, float tail, float k) {
  const float rest =
      -0.499999881 +
      f * (0.333333254 +
           f * (-0.250016093 +
                f * (0.200020134 +
                     f * (-0.166084543 +
                          f * (0.141806081 + f * (-0.132470742 + f * (0.129144609 + f * -0.0762447342)))))));
  const vec2 sum = ordered_sum(k * 0.693145751953125, f);
  return sum.x + (sum.y + ((f * f) * rest + (k * 1.42860677e-6 + tail)));
}

float log_any(uint bits) {
  if ((bits & ~kSignBit) == 0u) return uintBitsToFloat(kSignBit | kInfinityBits);
  if (bits >= kInfinityBits) return bits == kInfinityBits ? infinity_f32() : nan_f32();
  const int shift = 23 - findMSB(bits);
  int k;
  const float fraction = log_fraction((bits << shift) + 0x3f000000u - 0x800000u, k);  // a subnormal, times 2^(126 + shift - 1)
  return log_sum(fraction - 1.0, 0.0, float(k - 125 - shift));
}
float log_of(float x) {
  const uint bits = floatBitsToUint(x);
  if (bits - 0x800000u >= 0x7f000000u) return log_any(bits);
  int k;
  const float fraction = log_fraction(bits, k);
  return log_sum(fraction - 1.0, 0.0, float(k));
}

// log(1 + x + tail) for 1 + x + tail above 0, with a tail below half a step of x or of 1.
float log1p_pair(float x, float tail) {
  const vec2 first = exact_sum(1.0, x), sum = ordered_sum(first.x, first.y + tail);
  int k;
  const float fraction = log_fraction(floatBitsToUint(sum.x), k);
  const float inverse_scale = uintBitsToFloat(uint(127 - min(k, 126)) << 23);
  const bool near = k == 0;
  const float f = near ? x : fraction - 1.0;
  const float f_tail = near ? tail : sum.y * inverse_scale;
  return log_sum(f, f_tail - f_tail * (f - f * f), float(k));
}
// log of a pair above 0.4 and below 2¹²⁶ that is not near 1.
float log_of_pair(vec2 x) {
  int k;
  const float f = log_fraction(floatBitsToUint(x.x), k) - 1.0;
  const float tail = x.y * uintBitsToFloat(uint(127 - k) << 23);
  return log_sum(f, tail - tail * (f - f * f), float(k));
}
float log1p_of(float x) {
  const uint magnitude = magnitude_of(x);
  if (magnitude < 0x33000000u || magnitude >= kInfinityBits) return x == -infinity_f32() ? nan_f32() : x;
  if (x <= -1.0) return x < -1.0 ? nan_f32() : -infinity_f32();
  return log1p_pair(x, 0.0);
}
