#pragma once
// Floats by their bits: nothing here flushes subnormals or can be optimised as if there were no NaN.

const uint kSignBit = 0x80000000u;
const uint kInfinityBits = 0x7f800000u;
const uint kNanBits = 0x7fc00000u;

uint magnitude_of(float x) { return floatBitsToUint(x) & ~kSignBit; }
bool nan_bits(float x) { return magnitude_of(x) > kInfinityBits; }
bool infinity_bits(float x) { return magnitude_of(x) == kInfinityBits; }
bool nonzero(float x) { return magnitude_of(x) != 0u; }
float abs_bits(float x) { return uintBitsToFloat(magnitude_of(x)); }
float negate_bits(float x) { return uintBitsToFloat(floatBitsToUint(x) ^ kSignBit); }
float with_sign(float x, float sign) {
  return uintBitsToFloat(magnitude_of(x) | (floatBitsToUint(sign) & kSignBit));
}

#ifdef HAS_DOUBLE
// Words: x low, y high.
uvec2 magnitude_of(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return uvec2(bits.x, bits.y & ~kSignBit);
}
bool nan_bits(double x) {
  uvec2 m = magnitude_of(x);
  return m.y > 0x7ff00000u || (m.y == 0x7ff00000u && m.x != 0u);
}
bool infinity_bits(double x) { return magnitude_of(x) == uvec2(0u, 0x7ff00000u); }
bool nonzero(double x) {
  uvec2 m = magnitude_of(x);
  return (m.x | m.y) != 0u;
}
double abs_bits(double x) { return packDouble2x32(magnitude_of(x)); }
double negate_bits(double x) {
  uvec2 bits = unpackDouble2x32(x);
  return packDouble2x32(uvec2(bits.x, bits.y ^ kSignBit));
}
double with_sign(double x, double sign) {
  uvec2 m = magnitude_of(x);
  return packDouble2x32(uvec2(m.x, m.y | (unpackDouble2x32(sign).y & kSignBit)));
}
#endif
