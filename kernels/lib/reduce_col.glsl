
layout(local_size_x_id = 0) in;
#if defined(ACCESS_col)
layout(constant_id = 1) const uint kParts = 1;    // invocations that share a chunk of 4 columns: a power of two
#else
const uint kParts = 1;
#endif
layout(constant_id = 2) const uint kUsed = 128;   // accumulators in use: a power of two from kParts to 128; below 128 only for n <= kUsed
layout(constant_id = 3) const uint kVectors = 1;  // 1: inner is a multiple of 4 and the rows are aligned to vectors

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint outers;  // outer · chunks
  uint n, inner;
  uint columns;  // of this dispatch, inner at most
  uint chunks, chunks_magic, chunks_shift;
  uint strips, strips_magic, strips_shift;  // workgroups side by side over the columns
};

// invocations side by side over the columns
const uint kWide = gl_WorkGroupSize.x / kParts;
#if defined(ACCESS_col)
shared Quad stage[gl_WorkGroupSize.x];
#endif

// The four columns of this invocation, and which of them exist.
struct Columns {
  uint first, step, count;
};

Quad load_columns(uint row, Columns c) {
  if (kVectors != 0u) return take_vector(a_load_vector(a, (row * inner + c.first) / 4));
  Quad q = identity_quad();
  uint i = row * inner + c.first;
  if (c.count > 0u) q.x = take_at(a, i);
  if (c.count > 1u) q.y = take_at(a, i + c.step);
  if (c.count > 2u) q.z = take_at(a, i + 2 * c.step);
  if (c.count > 3u) q.w = take_at(a, i + 3 * c.step);
  return q;
}

// Accumulator j of the chunk that begins at `row` and has `length` rows.
Quad fold(uint row, uint length, uint j, Columns c) {
  Quad q = identity_quad();
  for (; j + 7 * kAccumulators < length; j += 8 * kAccumulators) {
    Quad v[8];
    [[unroll]] for (uint k = 0; k < 8; k++) v[k] = load_columns(row + j + k * kAccumulators, c);
    [[unroll]] for (uint k = 0; k < 8; k++) q = combine_quads(q, v[k]);
  }
  for (; j < length; j += kAccumulators) q = combine_quads(q, load_columns(row + j, c));
  return q;
}

// Accumulators part + kParts · m, visited so that those that meet first come one after the other; what waits for its partner
// lies in s0 … s6.
Quad fold_part(uint row, uint length, uint part, Columns c) {
  const uint used = kUsed / kParts;
  Quad s0, s1, s2, s3, s4, s5, s6, q;
  for (uint count = 0; count < used; count++) {
    uint m = used == 1u ? 0u : bitfieldReverse(count) / (0x80000000u / (used / 2));
    q = fold(row, length, part + kParts * m, c);
    if ((count & 1u) == 0u) { s0 = q; continue; }
    q = combine_quads(s0, q);
    if ((count & 2u) == 0u) { s1 = q; continue; }
    q = combine_quads(s1, q);
    if ((count & 4u) == 0u) { s2 = q; continue; }
    q = combine_quads(s2, q);
    if ((count & 8u) == 0u) { s3 = q; continue; }
    q = combine_quads(s3, q);
    if ((count & 16u) == 0u) { s4 = q; continue; }
    q = combine_quads(s4, q);
    if ((count & 32u) == 0u) { s5 = q; continue; }
    q = combine_quads(s5, q);
    if ((count & 64u) == 0u) { s6 = q; continue; }
    q = combine_quads(s6, q);
  }
  return q;
}

void main() {
  uint group = linear_group();
  uint outer_chunk = divide_by(group, strips_magic, strips_shift);
  uint strip = group - outer_chunk * strips;
  uint x = gl_LocalInvocationID.x % kWide, part = gl_LocalInvocationID.x / kWide;
  uint outer = divide_by(outer_chunk, chunks_magic, chunks_shift);
  uint begin = (outer_chunk - outer * chunks) * kChunk;
  uint length = min(kChunk, n - begin);

  Columns c;
  uint strip_first = strip * kWide * 4;
  c.first = kVectors != 0u ? strip_first + 4 * x : strip_first + x;
  c.step = kVectors != 0u ? 1u : kWide;
  c.count = c.first >= columns ? 0u : min(4u, (columns - c.first + c.step - 1) / c.step);
  bool live = outer_chunk < outers && c.count != 0u;

  Quad q = identity_quad();
  if (live) q = fold_part(outer * n + begin, length, part, c);
#if defined(ACCESS_col)
  for (uint parts = kParts; parts > 1; parts /= 2) {
    uint next = parts / 2;
    if (part >= next && part < parts) stage[gl_LocalInvocationID.x] = q;
    barrier();
    if (part < next) q = combine_quads(q, stage[gl_LocalInvocationID.x + next * kWide]);
  }
#endif
  if (!live || part != 0u) return;
  uint to = outer_chunk * inner + c.first;
  z_store_element(z, to, result(q.x));
  if (c.count > 1u) z_store_element(z, to + c.step, result(q.y));
  if (c.count > 2u) z_store_element(z, to + 2 * c.step, result(q.z));
  if (c.count > 3u) z_store_element(z, to + 3 * c.step, result(q.w));
}
