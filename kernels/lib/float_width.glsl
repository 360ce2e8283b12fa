#pragma once
// f64 to f32 and back. Rounded by integer arithmetic to nearest even (rounded.glsl), so that a device's rounding mode does not matter;
// subnormals are kept.
#include "float_bits.glsl"
#include "rounded.glsl"

#ifdef HAS_DOUBLE
float convert_to_float(double a) {
  const uvec2 bits = unpackDouble2x32(a);
  const uint sign = bits.y & kSignBit;
  const int exponent = int((bits.y >> 20) & 0x7ffu) - 1023;
  const uint fraction = bits.y & 0xfffffu;
  if (exponent == 1024) return uintBitsToFloat((fraction | bits.x) != 0u ? kNanBits : sign | kInfinityBits);
  if (exponent > 127) return uintBitsToFloat(sign | kInfinityBits);
  if (exponent < -150) return uintBitsToFloat(sign);  // narrower types have a zero there too
  // 31 bits, the lowest one set by all that lie below.
  const uint m = 0x40000000u | (fraction << 10) | (bits.x >> 22) | ((bits.x << 10) != 0u ? 1u : 0u);
  const int cut = 7 + max(-126 - exponent, 0);
  const uint kept = round_kept(m >> cut, m & ((1u << cut) - 1u), 1u << (cut - 1));
  return uintBitsToFloat(sign | ((uint(max(exponent + 126, 0)) << 23) + kept));
}
double convert_to_double(float a) {
  const uint magnitude = magnitude_of(a);
  if (magnitude >= 0x800000u) return double(a);
  return with_sign(double(magnitude) * 1.40129846432481707092e-45lf, double(with_sign(1.0, a)));
}
#endif
