#pragma once
// Four accumulators an invocation, and the places where they meet.

#undef ELEMS
#define ELEMS 4
#include "operands.glsl"
#include "reduce_op.glsl"

// Elements a chunk: 128 accumulators of up to 64 elements each.
const uint kChunk = 8192;
const uint kAccumulators = 128;

struct Quad {
  Acc x, y, z, w;
};

Quad identity_quad() { return Quad(kIdentity, kIdentity, kIdentity, kIdentity); }

Quad combine_quads(Quad a, Quad b) {
  return Quad(combine(a.x, b.x), combine(a.y, b.y), combine(a.z, b.z), combine(a.w, b.w));
}

Quad take_vector(a_Vector v) { return Quad(take(a_get(v, 0)), take(a_get(v, 1)), take(a_get(v, 2)), take(a_get(v, 3))); }

Acc take_at(uvec2 address, uint index) { return take(a_load_element(address, index)); }

// The last two levels of the tree.
Acc meet(Quad q) { return combine(combine(q.x, q.z), combine(q.y, q.w)); }
