// The table keeps the number of the last update of each slot, plus one.
#include "index.glsl"

layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Slots { uint v[]; };

layout(push_constant, scalar) uniform Push {
  Slots slots, table;
  uint n, first;  // updates here, and the number of the first
};

void main() {
  const uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i < n) atomicMax(table.v[slots.v[first + i]], first + i + 1);
}
