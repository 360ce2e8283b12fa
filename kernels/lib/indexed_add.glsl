// The first update of a slot adds all of them to the slice, in their order; an invocation does that for one element, or for ELEMS of them.
// A dispatch has a run of entries; one that begins within a slot goes on with what the one before it wrote.
// Constants: 0 workgroup size, 1 dimensions of a slice, 2 whether their words lie in memory, 3 how updates are found: 0 by looking at all
// of them, 1 in the order of a sort, 2 they stand in order, 4 whether slices move as vectors: stride 1, all addresses multiples of 16.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kRank = 1;
layout(constant_id = 2) const uint kInMemory = 0;
layout(constant_id = 3) const uint kOrder = 1;
layout(constant_id = 4) const uint kVectors = 0;

#include "operands.glsl"
#include "indexed_slice.glsl"

layout(push_constant, scalar) uniform Push {
  uvec2 z, updates;
  Numbers slots, places, order;
  uvec2 unit;     // bytes of a step of places
  uint n;         // elements here, or vectors
  uint inner;     // elements of a slice, or vectors
  uint first;     // the first entry here: a place in the order
  uint end;       // behind the last entry
  Slice slice;
};

const uint kUnrolled = 8;

uint update_at(uint entry) { return kOrder == 1u ? order.v[entry] : entry; }

bool is_first(uint entry) {
  const uint slot = slots.v[entry];
  if (kOrder != 0u) return entry == first || slots.v[entry - 1] != slot;
  for (uint earlier = first; earlier < entry; earlier++) {
    if (slots.v[earlier] == slot) return false;
  }
  return true;
}

uvec2 update_address(uint entry, uint element_bytes) {
  const uvec2 row = multiply64(uvec2(inner, 0), uvec2(element_bytes, 0));
  return add64(updates, multiply64(uvec2(update_at(entry), 0), row));
}

#define ADD_TO(x, y) x = Z_COMPUTE(x + y)

#define FOLD fold_vector
#define SUM_SIZE ELEMS
#define TERM a_Vector
#define LOAD_TERM(address, inside) a_load_vector(address, inside)
#define BYTES (ELEMS * A_BITS / 8)
#define ADD_ONE(k) ADD_TO(sum[k], a_get(term, k));
#define ADD_TERM FOR_ELEMS(ADD_ONE)
#include "indexed_fold.glsl"
#undef FOLD
#undef SUM_SIZE
#undef TERM
#undef LOAD_TERM
#undef BYTES
#undef ADD_TERM

#define FOLD fold_element
#define SUM_SIZE 1
#define TERM A_COMPUTE
#define LOAD_TERM(address, inside) a_load_element(address, inside)
#define BYTES (A_BITS / 8)
#define ADD_TERM ADD_TO(sum[0], term);
#include "indexed_fold.glsl"

void main() {
  const uint i = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (i >= n) return;
  const SliceElement e = slice_element(slice, i, inner);
  const uint entry = first + e.slice;
  if (!is_first(entry)) return;
  const uvec2 start = add64(z, multiply64(uvec2(places.v[update_at(entry)], 0), unit));
  if (kVectors != 0u) {
    Z_COMPUTE sum[ELEMS];
    z_Vector v = z_load_vector(start, e.offset);
#define GET(k) sum[k] = z_get(v, k);
    FOR_ELEMS(GET)
    fold_vector(sum, entry, e.inside);
    v = z_zero();
#define PUT(k) z_put(v, k, sum[k]);
    FOR_ELEMS(PUT)
    z_store_vector(start, e.offset, v);
  } else {
    Z_COMPUTE sum[1];
    sum[0] = z_load_element(start, e.offset);
    fold_element(sum, entry, e.inside);
    z_store_element(start, e.offset, sum[0]);
  }
}
