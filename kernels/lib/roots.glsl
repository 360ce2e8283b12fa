#pragma once
// 1 / √x and the cube root: a start from the exponent, a step of third order, and a last one from the exact rest.
#include "exact.glsl"

float rsqrt_of(float x) {
  uint bits = floatBitsToUint(x);
  int exponent = -127;
  if (bits - 0x800000u >= 0x7f000000u) {
    if ((bits & ~kSignBit) == 0u) return uintBitsToFloat(bits | kInfinityBits);
    if (bits >= kInfinityBits) return bits == kInfinityBits ? 0.0 : nan_f32();
    const int shift = 23 - findMSB(bits);
    bits <<= shift;
    exponent -= shift;
  }
  exponent += int(bits >> 23);
  const int odd = exponent & 1;
  const float m = uintBitsToFloat((bits & 0x7fffffu) | (uint(127 + odd) << 23));
  const float start = uintBitsToFloat(0x5f375400u - (floatBitsToUint(m) >> 1));
  const float miss = 1.0 - (m * start) * start;
  const float head = head_of(start + start * (miss * (0.5 + 0.375 * miss)));
  const vec2 product = exact_product(m, head * head);
  const float rest = (1.0 - product.x) - product.y;
  return scaled(head + head * (rest * (0.5 + rest * (0.375 + rest * 0.3125))), uint(-((exponent - odd) >> 1)) << 23);
}

float cbrt_of(float x) {
  uint bits = magnitude_of(x);
  int offset = 23;  // makes the exponent, less 127, a multiple of 3 where that of 1 is
  if (bits - 0x800000u >= 0x7f000000u) {
    if (bits == 0u || bits >= kInfinityBits) return x;
    const int shift = 23 - findMSB(bits);
    bits <<= shift;
    offset -= shift;
  }
  const uint exponent = uint(int(bits >> 23) + offset), third = exponent / 3u;  // 150 for x in [1, 2)
  const float m = uintBitsToFloat((bits & 0x7fffffu) | ((127u + exponent - 3u * third) << 23));
  const float start = uintBitsToFloat(0x54a20000u - floatBitsToUint(m) / 3u);
  const float miss = 1.0 - (m * start) * (start * start);
  const float first = start + start * (miss * (0.333333343 + 0.222222224 * miss));
  const float inverse = first + first * (0.333333343 * (1.0 - (m * first) * (first * first)));
  const float head = head_of(m * (inverse * inverse));
  const vec2 cube = exact_product(head * head, head);
  const float step = ((m - cube.x) - cube.y) * (0.333333343 * (inverse * inverse));
  return with_sign(scaled(head + (step + step * step * inverse), (third - 50u) << 23), x);
}
