
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 32;   // a power of two up to 32; below 32 only for n <= 4 · kLanes
layout(constant_id = 2) const uint kVectors = 1;  // 1: n is a multiple of 4 and the runs are aligned to vectors

layout(push_constant, scalar) uniform Push {
  uvec2 a, z;
  uint units;   // runs · chunks
  uint n;       // elements a run
  uint chunks;  // chunks a run
  uint chunks_magic, chunks_shift;
};

shared Quad stage[gl_WorkGroupSize.x];

// With vectors, lane t holds accumulators 4t … 4t + 3: one load a step.
Quad fold_vectors(uint first, uint length, uint lane) {
  Quad q = identity_quad();
  uint i = lane, vectors = length / 4;
  first /= 4;
  for (; i + 7 * kLanes < vectors; i += 8 * kLanes) {
    a_Vector v[8];
    [[unroll]] for (uint k = 0; k < 8; k++) v[k] = a_load_vector(a, first + i + k * kLanes);
    [[unroll]] for (uint k = 0; k < 8; k++) q = combine_quads(q, take_vector(v[k]));
  }
  for (; i < vectors; i += kLanes) q = combine_quads(q, take_vector(a_load_vector(a, first + i)));
  return q;
}

// Without, lane t holds accumulators t + kLanes · 0 … 3: neighbours read neighbouring elements.
Quad fold_elements(uint first, uint length, uint lane) {
  Quad q = identity_quad();
  uint i = lane;
  for (; i + 15 * kLanes < length; i += 16 * kLanes) {
    Acc v[16];
    [[unroll]] for (uint k = 0; k < 16; k++) v[k] = take_at(a, first + i + k * kLanes);
    [[unroll]] for (uint k = 0; k < 16; k += 4) q = combine_quads(q, Quad(v[k], v[k + 1], v[k + 2], v[k + 3]));
  }
  for (; i < length; i += 4 * kLanes) {
    q.x = combine(q.x, take_at(a, first + i));
    if (i + kLanes < length) q.y = combine(q.y, take_at(a, first + i + kLanes));
    if (i + 2 * kLanes < length) q.z = combine(q.z, take_at(a, first + i + 2 * kLanes));
    if (i + 3 * kLanes < length) q.w = combine(q.w, take_at(a, first + i + 3 * kLanes));
  }
  return q;
}

Acc meet(Quad q) { return combine(combine(q.x, q.z), combine(q.y, q.w)); }

void main() {
  uint lane = gl_LocalInvocationID.x % kLanes;
  uint unit = linear_group() * (gl_WorkGroupSize.x / kLanes) + gl_LocalInvocationID.x / kLanes;
  bool live = unit < units;
  uint first = 0, length = 0;
  if (live) {
    uint run = divide_by(unit, chunks_magic, chunks_shift);
    uint begin = (unit - run * chunks) * kChunk;
    first = run * n + begin;
    length = min(kChunk, n - begin);
  }
  Quad q;
  if (kVectors != 0u) {
    q = fold_vectors(first, length, lane);
  } else {
    q = fold_elements(first, length, lane);
    q.x = meet(q);
  }
  // Two levels of the tree at a time: lanes t, t + w/4, t + w/2 and t + 3w/4 of w meet in lane t.
  uint place = gl_LocalInvocationID.x;
  for (uint width = kLanes; width > 1;) {
    uint next = max(width / 4, 1u);
    if (kVectors != 0u) stage[place] = q;
    else stage[place].x = q.x;
    barrier();
    if (lane < next) {
      if (kVectors != 0u) {
        if (width == 2) q = combine_quads(q, stage[place + 1]);
        else q = combine_quads(combine_quads(q, stage[place + 2 * next]), combine_quads(stage[place + next], stage[place + 3 * next]));
      } else {
        if (width == 2) q.x = combine(q.x, stage[place + 1].x);
        else q.x = combine(combine(q.x, stage[place + 2 * next].x), combine(stage[place + next].x, stage[place + 3 * next].x));
      }
    }
    width = next;
    if (width > 1) barrier();
  }
  if (live && lane == 0u) z_store_element(z, unit, result(kVectors != 0u ? meet(q) : q.x));
}
