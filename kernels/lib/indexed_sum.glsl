// Integers are added by atomics: their sums are the same in any order. An invocation adds one element of an update; elements of 64 bits
// go as two words, with what the lower one carries.
// Constants: 0 workgroup size, 1 dimensions of a slice, 2 whether their words lie in memory.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kRank = 1;
layout(constant_id = 2) const uint kInMemory = 0;

#include "indexed_slice.glsl"

struct Element {
  uint low;
#if A_BITS == 64
  uint high;
#endif
};

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { Element v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) buffer ZElements { Element v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 z;
  AElements updates;  // those of this dispatch
  Numbers places;
  uvec2 unit;         // bytes of a step of places
  uint n;             // elements here
  uint inner;         // elements of a slice
  uint first, end;    // numbers of the updates here
  Slice slice;
};

void main() {
  const uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= n) return;
  const SliceElement e = slice_element(slice, i, inner);
  ZElements start = ZElements(add64(z, multiply64(uvec2(places.v[first + e.slice], 0), unit)));
  const uint low = updates.v[i].low, before = atomicAdd(start.v[e.offset].low, low);
#if A_BITS == 64
  const uint high = updates.v[i].high + (before + low < before ? 1u : 0u);
  if (high != 0u) atomicAdd(start.v[e.offset].high, high);
#endif
}
