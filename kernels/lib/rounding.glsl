#pragma once
// sign, floor, ceil and round. Below 1 the bits decide, so that subnormals count on devices that flush them.
#include "float_bits.glsl"

float sign_of(float x) { return nan_bits(x) || !nonzero(x) ? x : with_sign(1.0, x); }
float floor_of(float x) {
  if (magnitude_of(x) >= 0x3f800000u) return floor(x);
  return with_sign(floatBitsToInt(x) < 0 && nonzero(x) ? 1.0 : 0.0, x);
}
float ceil_of(float x) { return negate_bits(floor_of(negate_bits(x))); }
float round_of(float x) {  // half away from zero
  if (magnitude_of(x) < 0x3f000000u) return with_sign(0.0, x);
  float whole = trunc(x);
  return abs(x - whole) >= 0.5 ? whole + with_sign(1.0, x) : whole;
}

#ifdef HAS_DOUBLE
double sign_of(double x) { return nan_bits(x) || !nonzero(x) ? x : with_sign(1.0lf, x); }
double floor_of(double x) {
  if (magnitude_of(x).y >= 0x3ff00000u) return floor(x);
  return with_sign((unpackDouble2x32(x).y & kSignBit) != 0u && nonzero(x) ? 1.0lf : 0.0lf, x);
}
double ceil_of(double x) { return negate_bits(floor_of(negate_bits(x))); }
double round_of(double x) {
  if (magnitude_of(x).y < 0x3fe00000u) return with_sign(0.0lf, x);
  double whole = trunc(x);
  return abs(x - whole) >= 0.5lf ? whole + with_sign(1.0lf, x) : whole;
}
#endif
