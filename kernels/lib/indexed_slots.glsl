// An invocation finds the slot and the place of one update, see indexed.comp.
// Constants: 0 workgroup size, 1 indices an update, 2 bytes of an index, plus 16 if it has a sign, 3 whether the words lie in memory,
// 4 whether the slot's entry in the table is cleared.
#include "index.glsl"
#include "index_values.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kIndices = 1;
layout(constant_id = 2) const uint kCode = 20;
layout(constant_id = 3) const uint kInMemory = 0;
layout(constant_id = 4) const uint kClears = 0;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Slots { uint v[]; };

const uint kPushed = 18;

layout(push_constant, scalar) uniform Push {
  uvec2 indices;
  Slots slots, places, table;
  Words block;
  uint n, first;  // updates here, and the number of the first
  // For each index: its largest value, its stride in slots, its stride in the unit of places.
  uint pushed[kPushed];
};

uint word(uint w) { return kInMemory != 0u ? block.v[w] : pushed[w]; }

uint slot = 0, place = 0;

void add_index(uint u, uint k) {
  const uvec2 number = add64(multiply64(uvec2(u, 0), uvec2(kIndices, 0)), uvec2(k, 0));
  const uvec2 address = add64(indices, multiply64(number, uvec2(kCode & 15u, 0)));
  const uint index = clamp_start(load_integer(address, kCode), uvec2(word(3 * k), 0), (kCode & 16u) != 0u).x;
  slot += index * word(3 * k + 1);
  place += index * word(3 * k + 2);
}

void main() {
  uint u = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (u >= n) return;
  u += first;
  // The usual few are written out: not every driver unrolls loops.
  add_index(u, 0);
  if (kIndices > 1u) add_index(u, 1);
  for (uint k = 2; k < kIndices; k++) add_index(u, k);
  slots.v[u] = slot;
  places.v[u] = place;
  // Several invocations may clear the same entry: with an atomic, that is no race.
  if (kClears != 0u) atomicExchange(table.v[slot], 0u);
}
