layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kShort = 0;    // 1: n <= 32, an invocation a run
layout(constant_id = 2) const uint kVectors = 1;  // as in reduce_row.glsl

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint units, n, chunks, chunks_magic, chunks_shift;
};

// Long runs: 8 invocations walk along a chunk side by side and leave 32 accumulators, z[unit · 32 + …], which a dispatch over
// runs of 32 brings together by the rest of the tree: so nothing waits for a neighbour.
const uint kSideBySide = 8, kLeft = 32;

Quad load_quad(uint at, uint remaining) {
  if (kVectors != 0u) return take_vector(a_load_vector(a, at / 4));
  Quad q = identity_quad();
  q.x = take_at(a, at);
  if (remaining > 1u) q.y = take_at(a, at + 1);
  if (remaining > 2u) q.z = take_at(a, at + 2);
  if (remaining > 3u) q.w = take_at(a, at + 3);
  return q;
}

Acc fold_short(uint first, uint length) {
  Quad q[8];
  [[unroll]] for (uint k = 0; k < 8; k++) {
    q[k] = identity_quad();
    if (4 * k < length) q[k] = combine_quads(q[k], load_quad(first + 4 * k, length - 4 * k));
  }
  [[unroll]] for (uint w = 4; w > 0; w /= 2) {
    [[unroll]] for (uint k = 0; k < w; k++) q[k] = combine_quads(q[k], q[k + w]);
  }
  return meet(q[0]);
}

// Accumulators 4 · lane … 4 · lane + 3 of each 32.
Quad fold_chunk(uint first, uint length, uint lane) {
  Quad q[4];
  [[unroll]] for (uint k = 0; k < 4; k++) q[k] = identity_quad();
  uint i = 4 * lane;
  for (; i + 100 <= length; i += kAccumulators) {
    [[unroll]] for (uint k = 0; k < 4; k++) q[k] = combine_quads(q[k], load_quad(first + i + kLeft * k, 4));
  }
  [[unroll]] for (uint k = 0; k < 4; k++) {
    uint e = i + kLeft * k;
    if (e < length) q[k] = combine_quads(q[k], load_quad(first + e, length - e));
  }
  return combine_quads(combine_quads(q[0], q[2]), combine_quads(q[1], q[3]));
}

void main() {
  uint invocation = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (kShort != 0u) {
    if (invocation < units) z_store_element(z, invocation, result(fold_short(invocation * n, n)));
    return;
  }
  uint unit = invocation / kSideBySide, lane = invocation % kSideBySide;
  if (unit >= units) return;
  uint run = divide_by(unit, chunks_magic, chunks_shift);
  uint begin = (unit - run * chunks) * kChunk;
  Quad q = fold_chunk(run * n + begin, min(kChunk, n - begin), lane);
  uint to = unit * kLeft + 4 * lane;
  z_store_element(z, to, result(q.x));
  z_store_element(z, to + 1, result(q.y));
  z_store_element(z, to + 2, result(q.z));
  z_store_element(z, to + 3, result(q.w));
}
