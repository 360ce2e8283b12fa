layout(local_size_x_id = 0) in;
#if defined(ACCESS_col)
layout(constant_id = 1) const uint kParts = 8;    // invocations that share 4 columns: a power of two up to 128
#else
const uint kParts = 1;
#endif
layout(constant_id = 2) const uint kShort = 0;    // 1: n <= 8 · kParts, so that every accumulator has one element at most
layout(constant_id = 3) const uint kVectors = 1;  // 1: inner is a multiple of 4 and the rows are aligned to vectors

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint n, inner, inner_magic, inner_shift;
  uint columns;       // outer · inner: all columns of all outer indices, side by side
  uint first_column;  // of this dispatch
  uint chunks;
  uint strips, strips_magic, strips_shift;  // workgroups side by side over the columns; times chunks
};

// Invocations side by side over the columns, 4 each.
const uint kWide = gl_WorkGroupSize.x / kParts;
#if defined(ACCESS_col)
shared Quad stage[gl_WorkGroupSize.x];
#endif

// Where the 4 columns of this invocation lie: neighbours with vectors, else kWide apart.
struct Columns {
  uvec4 a_at, z_at;
  uint count;
};

Columns columns_at(uint first, uint chunk) {
  Columns c;
  uint step = kVectors != 0u ? 1u : kWide;
  c.count = first >= columns ? 0u : min(4u, (columns - first + step - 1) / step);
  [[unroll]] for (uint e = 0; e < 4; e++) {
    uint f = first + e * step;
    uint outer = divide_by(min(f, columns - 1), inner_magic, inner_shift);
    uint i = min(f, columns - 1) - outer * inner;
    c.a_at[e] = (outer * n + chunk * kChunk) * inner + i;
    c.z_at[e] = (outer * chunks + chunk) * inner + i;
  }
  return c;
}

Quad load_columns(uint row, Columns c) {
  uint at = row * inner;
  if (kVectors != 0u) return take_vector(a_load_vector(a, (c.a_at.x + at) / 4));
  Quad q = identity_quad();
  q.x = take_at(a, c.a_at.x + at);
  if (c.count > 1u) q.y = take_at(a, c.a_at.y + at);
  if (c.count > 2u) q.z = take_at(a, c.a_at.z + at);
  if (c.count > 3u) q.w = take_at(a, c.a_at.w + at);
  return q;
}

// Accumulator j.
Quad fold(uint length, uint j, Columns c) {
  Quad q = identity_quad();
  for (; j + 7 * kAccumulators < length; j += 8 * kAccumulators) {
    Quad v[8];
    [[unroll]] for (uint k = 0; k < 8; k++) v[k] = load_columns(j + k * kAccumulators, c);
    [[unroll]] for (uint k = 0; k < 8; k++) q = combine_quads(q, v[k]);
  }
  for (; j < length; j += kAccumulators) q = combine_quads(q, load_columns(j, c));
  return q;
}

// Accumulators part + kParts · m for m < 8, each of one row.
Quad fold_short(uint length, uint part, Columns c) {
  Quad v[8];
  [[unroll]] for (uint m = 0; m < 8; m++) {
    uint row = part + kParts * m;
    v[m] = identity_quad();
    if (row < length) v[m] = combine_quads(v[m], load_columns(row, c));
  }
  [[unroll]] for (uint w = 4; w > 0; w /= 2) {
    [[unroll]] for (uint m = 0; m < w; m++) v[m] = combine_quads(v[m], v[m + w]);
  }
  return v[0];
}

// Accumulators part + kParts · m, visited so that those that meet first come one after the other; what waits for its partner
// lies in s0 … s6.
Quad fold_part(uint length, uint part, Columns c) {
  uint used = kAccumulators / kParts;
  while (used > 1u && used / 2 * kParts >= length) used /= 2;  // the upper half is empty
  Quad s0, s1, s2, s3, s4, s5, s6, q;
  for (uint count = 0; count < used; count++) {
    uint m = used == 1u ? 0u : bitfieldReverse(count) / (0x80000000u / (used / 2));
    q = fold(length, part + kParts * m, c);
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
  uint chunk = divide_by(group, strips_magic, strips_shift);
  uint x = gl_LocalInvocationID.x % kWide, part = gl_LocalInvocationID.x / kWide;
  uint first = first_column + (group - chunk * strips) * kWide * 4 + (kVectors != 0u ? 4 * x : x);
  Columns c = columns_at(first, chunk);
  bool live = chunk < chunks && c.count != 0u;

  Quad q = identity_quad();
  if (live) {
    uint length = min(kChunk, n - chunk * kChunk);
    if (kShort != 0u) q = fold_short(length, part, c);
    else q = fold_part(length, part, c);
  }
#if defined(ACCESS_col)
  for (uint parts = kParts; parts > 1; parts /= 2) {
    uint next = parts / 2;
    if (part >= next && part < parts) stage[gl_LocalInvocationID.x] = q;
    barrier();
    if (part < next) q = combine_quads(q, stage[gl_LocalInvocationID.x + next * kWide]);
  }
#endif
  if (!live || part != 0u) return;
  z_store_element(z, c.z_at.x, result(q.x));
  if (c.count > 1u) z_store_element(z, c.z_at.y, result(q.y));
  if (c.count > 2u) z_store_element(z, c.z_at.z, result(q.z));
  if (c.count > 3u) z_store_element(z, c.z_at.w, result(q.w));
}
