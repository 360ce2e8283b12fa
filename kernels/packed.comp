// Elements narrower than a byte: several a byte, the first one in the highest bits, the last byte filled up with zeros.
//
// unpack: z[i], a byte each, from n packed elements. An invocation writes 4 of them; z's address is a multiple of 4.
// pack: the low kWidth bits of each of n bytes. An invocation writes one byte.
// Constants: 0 workgroup size, 1 bits of an element, 2 whether unpack extends the sign.

#include "index.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kWidth = 4;
layout(constant_id = 2) const uint kSigned = 0;

layout(buffer_reference, scalar, buffer_reference_align = 1) readonly buffer ABytes { uint8_t v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 1) writeonly buffer ZBytes { uint8_t v[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer ZWords { uint v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint n;  // elements
};

const uint kPerByte = 8 / kWidth;

#if defined(OP_unpack)
uint element(uint i) {
  const uint shift = 8 - kWidth - (i % kPerByte) * kWidth;
  const uint bits = uint(ABytes(a).v[i / kPerByte]) >> shift;
  const int extended = kSigned != 0u ? bitfieldExtract(int(bits), 0, int(kWidth)) : int(bitfieldExtract(bits, 0, int(kWidth)));
  return uint(extended) & 0xffu;
}

void main() {
  const uint first = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 4;
  if (first >= n) return;
  if (first + 4 <= n) {
    uint word = 0;
    [[unroll]] for (uint k = 0; k < 4; k++) word |= element(first + k) << (8 * k);
    ZWords(z).v[first / 4] = word;
  } else {
    for (uint i = first; i < n; i++) ZBytes(z).v[i] = uint8_t(element(i));
  }
}
#else
void main() {
  const uint index = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x, first = index * kPerByte;
  if (first >= n) return;
  uint packed = 0;
  for (uint k = 0; k < kPerByte && first + k < n; k++) {
    const uint bits = uint(ABytes(a).v[first + k]) & ((1u << kWidth) - 1u);
    packed |= bits << (8 - kWidth - k * kWidth);
  }
  ZBytes(z).v[index] = uint8_t(packed);
}
#endif
