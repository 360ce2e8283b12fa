#pragma once
// Elements, given by their bits, as keys that ascend as unsigned numbers in the order of the elements: −0 and +0 have one key,
// every NaN the highest. The kind of element is a number, so that a kernel is keyed by width.

layout(constant_id = 10) const uint kKind = 0;      // 0 unsigned, or keys of integers; 1 signed; 2 float; 3 keys of floats
layout(constant_id = 11) const uint kInfinity = 0;  // of floats: the largest magnitude that is no NaN; of 64 bits the upper half

const uint kSign = 0x80000000u >> (A_BITS < 32 ? 32 - A_BITS : 0);
const uint kOnes = 0xffffffffu >> (A_BITS < 32 ? 32 - A_BITS : 0);

#if A_BITS == 64
// Words: x low, y high.
#define Key uvec2
const Key kLowest = uvec2(0u), kHighest = uvec2(kOnes);
bool below(Key a, Key b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
Key reversed(Key key) { return ~key; }
Key signed_key(Key bits) { return uvec2(bits.x, bits.y ^ kSign); }
bool is_negative(Key bits) { return bits.y >= kSign; }
bool is_nan(Key bits) {
  const uint high = bits.y & ~kSign;
  return high > kInfinity || (high == kInfinity && bits.x != 0u);
}
bool is_zero(Key bits) { return (bits.x | (bits.y & ~kSign)) == 0u; }
#else
#define Key uint
const Key kLowest = 0u, kHighest = kOnes;
bool below(Key a, Key b) { return a < b; }
Key reversed(Key key) { return ~key & kOnes; }
Key signed_key(Key bits) { return bits ^ kSign; }
bool is_negative(Key bits) { return bits >= kSign; }
bool is_nan(Key bits) { return (bits & ~kSign) > kInfinity; }
bool is_zero(Key bits) { return (bits & ~kSign) == 0u; }
#endif

Key key_of(Key bits) {
  if (kKind == 1u) return signed_key(bits);
  if (kKind != 2u) return bits;
  if (is_nan(bits)) return kHighest;
  if (is_zero(bits) || !is_negative(bits)) return signed_key(is_zero(bits) ? kLowest : bits);
  return reversed(bits);
}
