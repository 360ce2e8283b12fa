#pragma once
// Indices that come from data: read, clamped, and multiplied in 64 bits.

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Words { uint v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer WordPairs { uvec2 v[]; };

uvec2 add64(uvec2 x, uvec2 y) {
  uint carry;
  uint low = uaddCarry(x.x, y.x, carry);
  return uvec2(low, x.y + y.y + carry);
}

uvec2 multiply64(uvec2 x, uvec2 y) {
  uint high, low;
  umulExtended(x.x, y.x, high, low);
  return uvec2(low, high + x.x * y.y + x.y * y.x);
}

// An integer of any type, extended to 64 bits, from the aligned words around its address. code: bytes, plus 16 if signed.
uvec2 load_integer(uvec2 address, uint code) {
  uint bytes = code & 15u;
  Words words = Words(uvec2(address.x & ~3u, address.y));
  if (bytes == 8u) return uvec2(words.v[0], words.v[1]);
  uint value = words.v[0];
  if (bytes < 4u) {
    value >>= (address.x & 3u) * 8u;
    value = (code & 16u) != 0u ? uint(bitfieldExtract(int(value), 0, int(bytes) * 8)) : bitfieldExtract(value, 0, int(bytes) * 8);
  }
  return uvec2(value, (code & 16u) != 0u && int(value) < 0 ? 0xffffffffu : 0u);
}

// Integer `at`, below 2³¹, of a tensor of them, which is aligned to its elements.
uvec2 load_index(uvec2 tensor, uint at, uint code) {
  const uint bytes = code & 15u;
  if (bytes == 8u) return WordPairs(tensor).v[at];
  if (bytes < 4u) return load_integer(add64(tensor, uvec2(at * bytes, 0)), code);
  const uint value = Words(tensor).v[at];
  return uvec2(value, (code & 16u) != 0u && int(value) < 0 ? 0xffffffffu : 0u);
}

// 0 … limit, as XLA does it.
uvec2 clamp_start(uvec2 start, uvec2 limit, bool is_signed) {
  if (is_signed && int(start.y) < 0) return uvec2(0);
  bool above = start.y > limit.y || (start.y == limit.y && start.x > limit.x);
  return above ? limit : start;
}
