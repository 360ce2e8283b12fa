#pragma once
// Whole numbers as floats by integer arithmetic, rounded once, so that a device's rounding mode does not matter. Where Z is narrower
// than f32 its store rounds to nearest even; what comes before it rounds to odd, so that nothing is rounded twice.
#if defined(Z_FLOAT) && Z_BITS < 32
#define ROUND_TO_ODD 1
#endif

// `kept` with what was cut off its end, of which `half_step` is one half of the last kept place.
uint round_kept(uint kept, uint rest, uint half_step) {
#ifdef ROUND_TO_ODD
  return kept | (rest != 0u ? 1u : 0u);
#else
  return kept + (rest > half_step || (rest == half_step && (kept & 1u) != 0u) ? 1u : 0u);
#endif
}

// m · 2^exponent; the result is normal or zero.
float rounded(uint m, int exponent) {
  if (m == 0u) return 0.0;
  const int cut = findMSB(m) - 23;
  if (cut > 0) {
    m = round_kept(m >> cut, m & ((1u << cut) - 1u), 1u << (cut - 1));
    exponent += cut;
  }
  return uintBitsToFloat(floatBitsToUint(float(m)) + (uint(exponent) << 23));
}
float rounded(uvec2 m) {
  if (m.y == 0u) return rounded(m.x, 0);
  const int shift = 31 - findMSB(m.y);  // the top bit to bit 63; what is cut off sets the lowest kept bit
  const uint top = shift == 0 ? m.y : (m.y << shift) | (m.x >> (32 - shift));
  return rounded(top | ((m.x << shift) != 0u ? 1u : 0u), 32 - shift);
}
