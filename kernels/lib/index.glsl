#pragma once
// Index arithmetic in 32 bits.

// The number of this workgroup where x has been folded into y.
uint linear_group() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }

// x / d for x < 2³¹, with shift = ⌈log₂ d⌉ and magic = ⌈2^(31 + shift) / d⌉.
uint divide_by(uint x, uint magic, uint shift) {
  uint high, low;
  umulExtended(x << 1, magic, high, low);
  return high >> shift;
}
