// Where the largest or the smallest element of each run is: a[outer][n][inner] to z[outer][chunks][inner]. The order of elements
// and indices is total, so the result doesn't depend on how a run is cut.
//
// kParts invocations share a column of a chunk. Further passes go over the chunks' results: keys, and the indices they stand for.
// Access shared: the parts of a column meet in shared memory. Access serial: for CPU devices, one part a column, no barrier.
// The index of an element is first_index plus its row, or what `indices` has in its place.

#include "index.glsl"
#include "operands.glsl"
#include "order_bits.glsl"

layout(local_size_x_id = 0) in;
#if defined(ACCESS_shared)
layout(constant_id = 1) const uint kParts = 8;  // a power of two up to the workgroup's size
#else
const uint kParts = 1;
#endif
layout(constant_id = 2) const uint kVectors = 0;  // 1: inner is 1, n and kChunk are multiples of ELEMS, a is aligned to vectors
layout(constant_id = 3) const uint kRows = 0;     // 1: inner is 1; parts lie side by side, else columns do
layout(constant_id = 4) const uint kSmallest = 0;
layout(constant_id = 5) const uint kLast = 0;     // 1: of equal elements the last, but of NaN always the first
layout(constant_id = 6) const uint kIndices = 0;  // 1: reads `indices`
layout(constant_id = 7) const uint kKeys = 0;     // 1: writes `keys`, for a further pass

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };

layout(push_constant, scalar) uniform Push {
  uvec2 a, z, indices, keys;
  uint n, inner, inner_magic, inner_shift;
  uint columns;       // outer · inner: all columns of all outer indices, side by side
  uint first_column;  // of this dispatch
  uint chunk, chunks;
  uint strips, strips_magic, strips_shift;  // workgroups side by side over the columns; times chunks
  uint first_index;
};

// The best so far: of the highest key the highest place, where a place is an index or its complement.
struct Best {
  Key key;
  uint place;
};

Best better(Best a, Best b) { return below(a.key, b.key) || (a.key == b.key && a.place < b.place) ? b : a; }

bool forward(Key key) { return kLast != 0u && !(kKind >= 2u && key == kHighest); }

Best taken(Key bits, uint index) {
  Key key = key_of(bits);
  if (kSmallest != 0u && !(kKind == 2u && key == kHighest)) key = reversed(key);
  return Best(key, forward(key) ? index : ~index);
}

uint index_at(uint row, uint at) {
  return kIndices != 0u ? Words(indices).at[at] : first_index + row;
}

#if defined(ACCESS_shared)
shared Key stage_key[gl_WorkGroupSize.x];
shared uint stage_place[gl_WorkGroupSize.x];
#endif

Best best_of_vectors(uint first, uint begin, uint length, uint part) {
  Best best = Best(kLowest, 0u);
  for (uint i = part * ELEMS; i < length; i += 4 * kParts * ELEMS) {
    a_Vector v[4];
    [[unroll]] for (uint k = 0; k < 4; k++) v[k] = a_load_vector(a, (first + min(i + k * kParts * ELEMS, length - ELEMS)) / ELEMS);
    for (uint k = 0; k < 4; k++) {
      const uint row = min(i + k * kParts * ELEMS, length - ELEMS);
      for (uint e = 0; e < ELEMS; e++) best = better(best, taken(a_get(v[k], e), index_at(begin + row + e, first + row + e)));
    }
  }
  return best;
}

Best best_of_column(uint first, uint begin, uint length, uint part) {
  Best best = Best(kLowest, 0u);
  for (uint i = part; i < length; i += 4 * kParts) {
    Key v[4];
    [[unroll]] for (uint k = 0; k < 4; k++) v[k] = a_load_element(a, first + min(i + k * kParts, length - 1) * inner);
    for (uint k = 0; k < 4; k++) {
      const uint row = min(i + k * kParts, length - 1);
      best = better(best, taken(v[k], index_at(begin + row, first + row * inner)));
    }
  }
  return best;
}

void main() {
  const uint wide = gl_WorkGroupSize.x / kParts, id = gl_LocalInvocationID.x;
  const uint x = kRows != 0u ? id / kParts : id % wide, part = kRows != 0u ? id % kParts : id / wide;
  const uint group = linear_group(), chunk_index = divide_by(group, strips_magic, strips_shift);
  const uint column = first_column + (group - chunk_index * strips) * wide + x;
  const bool live = chunk_index < chunks && column < columns;
  const uint outer = divide_by(min(column, columns - 1), inner_magic, inner_shift);
  const uint i = min(column, columns - 1) - outer * inner;

  Best best = Best(kLowest, 0u);
  if (live) {
    const uint begin = chunk_index * chunk, length = min(chunk, n - begin);
    const uint first = (outer * n + begin) * inner + i;
    if (kVectors != 0u) best = best_of_vectors(first, begin, length, part);
    else best = best_of_column(first, begin, length, part);
  }
#if defined(ACCESS_shared)
  const uint beside = kRows != 0u ? 1u : wide;
  for (uint width = kParts / 2; width > 0; width /= 2) {
    if (part >= width && part < 2 * width) {
      stage_key[id] = best.key;
      stage_place[id] = best.place;
    }
    barrier();
    if (part < width) best = better(best, Best(stage_key[id + width * beside], stage_place[id + width * beside]));
  }
#endif
  if (!live || part != 0u) return;
  const uint to = (outer * chunks + chunk_index) * inner + i;
  Words(z).at[to] = forward(best.key) ? best.place : ~best.place;
  if (kKeys != 0u) a_store_element(keys, to, best.key);
}
