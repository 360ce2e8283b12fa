
layout(local_size_x_id = 0) in;
layout(constant_id = 2) const uint kVectors = 1;  // as in reduce_row.glsl

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint units, n, chunks, chunks_magic, chunks_shift;
};

// 16 neighbouring accumulators: a line of the cache of f32.
struct Line {
  Quad q[4];
};

Line combine_lines(Line a, Line b) {
  [[unroll]] for (uint k = 0; k < 4; k++) a.q[k] = combine_quads(a.q[k], b.q[k]);
  return a;
}

Line fold_line(uint first, uint length, uint j) {
  Line line;
  [[unroll]] for (uint k = 0; k < 4; k++) line.q[k] = identity_quad();
  for (; j + 16 <= length; j += kAccumulators) {
    if (kVectors != 0u) {
      a_Vector v[4];
      [[unroll]] for (uint k = 0; k < 4; k++) v[k] = a_load_vector(a, (first + j) / 4 + k);
      [[unroll]] for (uint k = 0; k < 4; k++) line.q[k] = combine_quads(line.q[k], take_vector(v[k]));
    } else {
      [[unroll]] for (uint k = 0; k < 4; k++) {
        uint i = first + j + 4 * k;
        line.q[k] = combine_quads(line.q[k], Quad(take_at(a, i), take_at(a, i + 1), take_at(a, i + 2), take_at(a, i + 3)));
      }
    }
  }
  [[unroll]] for (uint k = 0; k < 4; k++) {
    uint e = j + 4 * k, i = first + e;
    if (e < length) line.q[k].x = combine(line.q[k].x, take_at(a, i));
    if (e + 1 < length) line.q[k].y = combine(line.q[k].y, take_at(a, i + 1));
    if (e + 2 < length) line.q[k].z = combine(line.q[k].z, take_at(a, i + 2));
    if (e + 3 < length) line.q[k].w = combine(line.q[k].w, take_at(a, i + 3));
  }
  return line;
}

// The 8 lines of the accumulators in the order in which they meet: 0 4 2 6 1 5 3 7. Lines without elements are left out.
Line fold_chunk(uint first, uint length) {
  uint lines = length > 64 ? 8 : length > 32 ? 4 : length > 16 ? 2 : 1;
  Line s0, s1, s2, line;
  for (uint count = 0; count < lines; count++) {
    uint at = lines == 1 ? 0 : bitfieldReverse(count) / (0x80000000u / (lines / 2));
    line = fold_line(first, length, at * 16);
    if ((count & 1u) == 0u && lines > 1) { s0 = line; continue; }
    if (lines > 1) line = combine_lines(s0, line);
    if ((count & 2u) == 0u && lines > 2) { s1 = line; continue; }
    if (lines > 2) line = combine_lines(s1, line);
    if ((count & 4u) == 0u && lines > 4) { s2 = line; continue; }
    if (lines > 4) line = combine_lines(s2, line);
  }
  return line;
}

void main() {
  uint unit = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (unit >= units) return;
  uint run = divide_by(unit, chunks_magic, chunks_shift);
  uint begin = (unit - run * chunks) * kChunk;
  Line line = fold_chunk(run * n + begin, min(kChunk, n - begin));
  Quad q = combine_quads(combine_quads(line.q[0], line.q[2]), combine_quads(line.q[1], line.q[3]));
  z_store_element(z, unit, result(combine(combine(q.x, q.z), combine(q.y, q.w))));
}
