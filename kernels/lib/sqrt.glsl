#pragma once
// The correctly rounded square root on every device, as divide.glsl does it.
#include "float_bits.glsl"

// `magnitude` is that of a normal number.
uint sqrt_normal(uint magnitude) {
  const uint fraction = magnitude & 0x7fffffu, exponent = magnitude >> 23;
  const uint doubled = ~exponent & 1u;  // the radicand lies in [1, 4)
  const float radicand = uintBitsToFloat((fraction | 0x3f800000u) + (doubled << 23));
  const float inverse = inversesqrt(radicand);
  uint root = floatBitsToUint(radicand * inverse) - 0x3f000000u;
  int rest = int((fraction << (23u + doubled)) - root * root);
  const int steps = floatBitsToInt(float(rest) * (inverse * 5.9604644775390625e-8) + 12582912.0) - 0x4b400000;
  rest -= steps * (2 * int(root) + steps);
  root += uint(steps);
  root += (rest > int(root) ? 1u : 0u) - (rest <= -int(root) ? 1u : 0u);
  return (((exponent + 127u) >> 1) << 23) + root - 0x800000u;
}

float square_root(float x) {
  const uint bits = floatBitsToUint(x);
  if (bits - 0x800000u < 0x7f000000u) return uintBitsToFloat(sqrt_normal(bits));
  if (magnitude_of(x) == 0u || bits == kInfinityBits) return x;
  if (bits >= kInfinityBits) return uintBitsToFloat(kNanBits);
  // A subnormal: times 2²⁴, and the root's exponent down by 12.
  const int shift = 23 - findMSB(bits);
  const uint normal = ((bits << shift) & 0x7fffffu) | (uint(25 - shift) << 23);
  return uintBitsToFloat(sqrt_normal(normal) - (12u << 23));
}

#ifdef HAS_DOUBLE
double square_root(double x) { return sqrt(x); }  // correctly rounded by every driver
#endif
