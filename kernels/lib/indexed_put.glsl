// An invocation moves one element of an update, where that is the last one of its slot.
// Constants: 0 workgroup size, 1 dimensions of a slice, 2 whether their words lie in memory, 3 whether there is a table, else the later
// updates are looked at.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kRank = 1;
layout(constant_id = 2) const uint kInMemory = 0;
layout(constant_id = 3) const uint kTable = 1;

#include "indexed_slice.glsl"

layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) readonly buffer AElements { A_STORAGE v[]; };
layout(buffer_reference, scalar, buffer_reference_align = A_BITS / 8) writeonly buffer ZElements { A_STORAGE v[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 z;
  AElements updates;  // those of this dispatch
  Numbers slots, places, table;
  uvec2 unit;    // bytes of a step of places
  uint n;        // elements here
  uint inner;    // elements of a slice
  uint first;    // number of the first update here
  uint all;      // updates of the whole operation
  Slice slice;
};

bool is_last(uint u) {
  const uint slot = slots.v[u];
  if (kTable != 0u) return table.v[slot] == u + 1;
  for (uint later = u + 1; later < all; later++) {
    if (slots.v[later] == slot) return false;
  }
  return true;
}

void main() {
  const uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= n) return;
  const SliceElement e = slice_element(slice, i, inner);
  const uint u = first + e.slice;
  if (!is_last(u)) return;
  ZElements start = ZElements(add64(z, multiply64(uvec2(places.v[u], 0), unit)));
  start.v[e.offset] = Z_STORE(A_LOAD(updates.v[i]));
}
