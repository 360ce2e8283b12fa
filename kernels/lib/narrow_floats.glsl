#pragma once
// Floats narrower than 32 bits: exact as f32, and f32 rounded to them once, to nearest even. No intermediate is subnormal, so the bits
// are the same on every device.

// bits: sign, exponent and fraction; the result is normal or zero, but for the largest exponent, which is not looked at.
float widened(uint bits, uint exponent_bits, uint fraction_bits) {
  const uint sign = bits >> (exponent_bits + fraction_bits) << 31, bias = (1u << (exponent_bits - 1u)) - 1u;
  const uint magnitude = (bits & ((1u << (exponent_bits + fraction_bits)) - 1u)) << (23u - fraction_bits);
  const uint below = (128u - bias) << 23;  // the least normal number: a subnormal is what exceeds it
  const uint small = floatBitsToUint(uintBitsToFloat(magnitude + below) - uintBitsToFloat(below));
  return uintBitsToFloat(sign | (magnitude < 0x800000u ? small : magnitude + below - 0x800000u));
}

// The magnitude of an f32 with fewer bits of exponent and fraction, `most` if it is too large.
uint narrowed(uint magnitude, uint exponent_bits, uint fraction_bits, uint most) {
  const uint drop = 23u - fraction_bits, bias = (1u << (exponent_bits - 1u)) - 1u, below = (128u - bias) << 23;
  // For the subnormal range: the float unit rounds where the last place of the sum is that of the result.
  const uint last_place = below + (drop << 23);
  const uint small = floatBitsToUint(uintBitsToFloat(magnitude) + uintBitsToFloat(last_place)) - last_place;
  const uint normal = (magnitude - below + 0x800000u + (1u << (drop - 1u)) - 1u + ((magnitude >> drop) & 1u)) >> drop;
  return magnitude < below ? small : min(normal, most);
}

float f16_to_float(uint bits) {
  const uint result = floatBitsToUint(widened(bits, 5u, 10u));
  return uintBitsToFloat((bits & 0x7c00u) == 0x7c00u ? result | 0x7f800000u : result);
}
uint float_to_f16(float x) {
  const uint bits = floatBitsToUint(x), magnitude = bits & 0x7fffffffu;
  return magnitude > 0x7f800000u ? 0x7e00u : (bits >> 31 << 15) | narrowed(magnitude, 5u, 10u, 0x7c00u);
}

float f8_to_float(uint bits) { return f16_to_float(bits << 8); }
uint float_to_f8(float x) {
  const uint bits = floatBitsToUint(x), magnitude = bits & 0x7fffffffu;
  return magnitude > 0x7f800000u ? 0x7eu : (bits >> 31 << 7) | narrowed(magnitude, 5u, 2u, 0x7cu);
}

// Without infinities: what is too large becomes 448, the largest number.
float f8_e4m3fn_to_float(uint bits) {
  return (bits & 0x7fu) == 0x7fu ? uintBitsToFloat(0x7fc00000u) : widened(bits, 4u, 3u);
}
uint float_to_f8_e4m3fn(float x) {
  const uint bits = floatBitsToUint(x), magnitude = bits & 0x7fffffffu;
  return magnitude > 0x7f800000u ? 0x7fu : (bits >> 31 << 7) | narrowed(magnitude, 4u, 3u, 0x7eu);
}

float bf16_to_float(uint bits) { return uintBitsToFloat(bits << 16); }
uint float_to_bf16(float x) {
  const uint bits = floatBitsToUint(x);
  const uint rounded_bits = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded_bits;
}
