// z[i] = a[…], see indexed.comp.
#include "index.glsl"
#include "index_values.glsl"

// Constants: 0 workgroup size, 1 elements an invocation, 2 dimensions, 3 indices an element, 4 bytes of an index, plus 16 if it has a
// sign, 5 whether what is read lies further than 32 bits hold, 6 whether the words lie in memory.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kElements = 1;
layout(constant_id = 2) const uint kRank = 1;
layout(constant_id = 3) const uint kIndices = 1;
layout(constant_id = 4) const uint kCode = 20;
layout(constant_id = 5) const uint kWide = 0;
layout(constant_id = 6) const uint kInMemory = 0;

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };

const uint kPushed = 23;

layout(push_constant, scalar) uniform Push {
  uvec2 a;
  ZElements z;
  uvec2 indices;
  Words block;
  uint n;
  // The dimensions, innermost first: size, magic, shift, index_stride, a_stride (2 words if wide). Then for each index: its largest
  // value, its stride (2 words each if wide).
  uint pushed[kPushed];
};

uint word(uint w) { return kInMemory != 0u ? block.v[w] : pushed[w]; }
uvec2 wide_word(uint w) { return uvec2(word(w), word(w + 1)); }

const uint kStrideWords = kWide != 0u ? 2 : 1;

// Of index `at`, counted from the start of `indices`.
uvec2 index_at(uint at, uvec2 limit) {
  return clamp_start(load_index(indices, at, kCode), limit, (kCode & 16u) != 0u);
}

// What the dimensions and indices add up to.
struct Place {
  uint rest, at, near;  // what is left of i, where the indices are, elements from a
  uvec2 far;            // the same in 64 bits
};

void add_dimension(inout Place p, uint d) {
  const uint w = d * (4 + kStrideWords);
  const uint q = d + 1 < kRank ? divide_by(p.rest, word(w + 1), word(w + 2)) : 0;
  const uint r = p.rest - q * word(w);
  p.at += r * word(w + 3);
  if (kWide != 0u) {
    p.far = add64(p.far, multiply64(uvec2(r, 0), wide_word(w + 4)));
  } else {
    p.near += r * word(w + 4);
  }
  p.rest = q;
}

void add_index(inout Place p, uint k) {
  const uint w = kRank * (4 + kStrideWords) + k * 2 * kStrideWords;
  if (kWide != 0u) {
    p.far = add64(p.far, multiply64(index_at(p.at + k, wide_word(w)), wide_word(w + 2)));
  } else {
    p.near += index_at(p.at + k, uvec2(word(w), 0)).x * word(w + 1);
  }
}

// The usual few are written out: not every driver unrolls loops.
A_COMPUTE element(uint i) {
  Place p = Place(i, 0, 0, uvec2(0));
  add_dimension(p, 0);
  if (kRank > 1u) add_dimension(p, 1);
  if (kRank > 2u) add_dimension(p, 2);
  for (uint d = 3; d < kRank; d++) add_dimension(p, d);
  add_index(p, 0);
  if (kIndices > 1u) add_index(p, 1);
  for (uint k = 2; k < kIndices; k++) add_index(p, k);
  if (kWide != 0u) return A_LOAD(AElements(add64(a, multiply64(p.far, uvec2(A_BITS / 8, 0)))).v[0]);
  return A_LOAD(AElements(a).v[p.near]);
}

void main() {
  const uint first = linear_group() * gl_WorkGroupSize.x * kElements;
  uint i = first + gl_LocalInvocationID.x;
  if (kElements == 1u) {
    if (i < n) z.v[i] = Z_STORE(element(i));
    return;
  }
  // All loads are on their way before the first store.
  if (first + gl_WorkGroupSize.x * kElements <= n) {
    A_COMPUTE v[kElements];
    for (uint k = 0; k < kElements; k++) v[k] = element(i + k * gl_WorkGroupSize.x);
    for (uint k = 0; k < kElements; k++) z.v[i + k * gl_WorkGroupSize.x] = Z_STORE(v[k]);
    return;
  }
  for (uint k = 0; k < kElements && i < n; k++, i += gl_WorkGroupSize.x) z.v[i] = Z_STORE(element(i));
}
