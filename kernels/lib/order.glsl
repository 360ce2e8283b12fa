#pragma once
// Comparisons, minimum and maximum of floats. NaN compares false and propagates through min and max; −0 = +0 in
// comparisons, −0 < +0 in min and max.
#include "float_bits.glsl"

// Ascending with the number, −0 and +0 alike.
int order_key(float x) {
  int magnitude = int(magnitude_of(x));
  return floatBitsToInt(x) < 0 ? -magnitude : magnitude;
}
bool ordered(float a, float b) { return max(magnitude_of(a), magnitude_of(b)) <= kInfinityBits; }
bool equal_to(float a, float b) { return ordered(a, b) && order_key(a) == order_key(b); }
bool less_than(float a, float b) { return ordered(a, b) && order_key(a) < order_key(b); }
bool less_or_equal(float a, float b) { return ordered(a, b) && order_key(a) <= order_key(b); }

// Ascending with the number, −0 below +0.
int total_key(float x) {
  int bits = floatBitsToInt(x);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
float min_of(float a, float b) {
  bool first = nan_bits(a) || (!nan_bits(b) && total_key(a) < total_key(b));
  return uintBitsToFloat(first ? floatBitsToUint(a) : floatBitsToUint(b));
}
float max_of(float a, float b) {
  bool first = nan_bits(a) || (!nan_bits(b) && total_key(a) > total_key(b));
  return uintBitsToFloat(first ? floatBitsToUint(a) : floatBitsToUint(b));
}

#ifdef HAS_DOUBLE
bool below(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

// Words that ascend as unsigned numbers, −0 below +0.
uvec2 total_key(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return (bits.y & kSignBit) != 0u ? ~bits : bits ^ uvec2(0u, kSignBit);
}
// The same with −0 made +0.
uvec2 order_key(double x) { return nonzero(x) ? total_key(x) : uvec2(0u, kSignBit); }
bool ordered(double a, double b) { return !nan_bits(a) && !nan_bits(b); }
bool equal_to(double a, double b) { return ordered(a, b) && order_key(a) == order_key(b); }
bool less_than(double a, double b) { return ordered(a, b) && below(order_key(a), order_key(b)); }
bool less_or_equal(double a, double b) { return ordered(a, b) && !below(order_key(b), order_key(a)); }

double min_of(double a, double b) {
  bool first = nan_bits(a) || (!nan_bits(b) && below(total_key(a), total_key(b)));
  return packDouble2x32(first ? unpackDouble2x32(a) : unpackDouble2x32(b));
}
double max_of(double a, double b) {
  bool first = nan_bits(a) || (!nan_bits(b) && below(total_key(b), total_key(a)));
  return packDouble2x32(first ? unpackDouble2x32(a) : unpackDouble2x32(b));
}
#endif
