#include "index_values.glsl"

layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  // Words: rank dimensions (size, magic, shift, a_stride, z_stride), then the starts, 8 words each:
  // address (2), code, limit (2), bytes a step (2), unused.
  Words block;
  uint n, a_origin, rank;
  uint starts;       // how many there are
  uint starts_move;  // 0: a, 1: z
};

void main() {
  uint i = (linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x);
  if (i >= n) return;
  uint from = a_origin, to = 0;
  uint w = 0;
  for (uint d = 0; d < rank; d++, w += 5) {
    uint q = divide_by(i, block.v[w + 1], block.v[w + 2]);
    uint r = i - q * block.v[w];
    from += r * block.v[w + 3];
    to += r * block.v[w + 4];
    i = q;
  }
  uvec2 shift = uvec2(0);
  for (uint s = 0; s < starts; s++, w += 8) {
    uint code = block.v[w + 2];
    uvec2 start = load_integer(uvec2(block.v[w], block.v[w + 1]), code);
    start = clamp_start(start, uvec2(block.v[w + 3], block.v[w + 4]), (code & 16u) != 0u);
    shift = add64(shift, multiply64(start, uvec2(block.v[w + 5], block.v[w + 6])));
  }
  AElements a_at = AElements(starts_move == 0u ? add64(a, shift) : a);
  ZElements z_at = ZElements(starts_move == 0u ? z : add64(z, shift));
  z_at.v[to] = Z_STORE(A_LOAD(a_at.v[from]));
}
