layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kLanes = 32;   // invocations a chunk: a power of two up to 32
layout(constant_id = 2) const uint kVectors = 1;  // 1: n is a multiple of 4 and the runs are aligned to vectors
layout(constant_id = 3) const uint kQuads = 0;    // 1 or 4: n <= 4 · kLanes · kQuads, each accumulator has one element at most;
                                                  // 0: any n, kLanes is 32

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

// Short runs: vector lane + kLanes · m, or elements lane + kLanes · (m, m + kQuads …), for m < kQuads; what lies kLanes apart and
// further has met.
Quad fold_short(uint first, uint length, uint lane) {
  Quad v[4];
  [[unroll]] for (uint m = 0; m < 4; m++) {
    v[m] = identity_quad();
    if (m >= kQuads) continue;
    uint i = lane + kLanes * m, step = kLanes * kQuads;
    if (kVectors != 0u) {
      if (4 * i < length) v[m] = combine_quads(v[m], take_vector(a_load_vector(a, first / 4 + i)));
    } else {
      if (i < length) v[m].x = combine(v[m].x, take_at(a, first + i));
      if (i + step < length) v[m].y = combine(v[m].y, take_at(a, first + i + step));
      if (i + 2 * step < length) v[m].z = combine(v[m].z, take_at(a, first + i + 2 * step));
      if (i + 3 * step < length) v[m].w = combine(v[m].w, take_at(a, first + i + 3 * step));
    }
  }
  if (kVectors == 0u) {
    [[unroll]] for (uint m = 0; m < 4; m++) v[m] = Quad(meet(v[m]), kIdentity, kIdentity, kIdentity);
  }
  if (kQuads == 1u) return v[0];
  return combine_quads(combine_quads(v[0], v[2]), combine_quads(v[1], v[3]));
}

// The lanes of a unit meet, up to 8 at a time.
Quad meet_lanes(Quad q, uint lane) {
  uint place = gl_LocalInvocationID.x;
  for (uint width = kLanes; width > 1;) {
    uint together = min(width, 8u), next = width / together;
    stage[place] = q;
    barrier();
    if (lane < next) {
      Quad v[8];
      [[unroll]] for (uint k = 0; k < 8; k++) v[k] = k < together ? stage[place + k * next] : identity_quad();
      if (together == 8u) {
        [[unroll]] for (uint k = 0; k < 4; k++) v[k] = combine_quads(v[k], v[k + 4]);
      }
      if (together >= 4u) {
        [[unroll]] for (uint k = 0; k < 2; k++) v[k] = combine_quads(v[k], v[k + 2]);
      }
      q = combine_quads(v[0], v[1]);
    }
    width = next;
    if (width > 1) barrier();
  }
  return q;
}

void main() {
  uint lane = gl_LocalInvocationID.x % kLanes;
  uint unit = linear_group() * (gl_WorkGroupSize.x / kLanes) + gl_LocalInvocationID.x / kLanes;
  bool live = unit < units;
  uint first = 0, length = 0;
  if (live && kQuads != 0u) {
    first = unit * n;
    length = n;
  } else if (live) {
    uint run = divide_by(unit, chunks_magic, chunks_shift);
    uint begin = (unit - run * chunks) * kChunk;
    first = run * n + begin;
    length = min(kChunk, n - begin);
  }
  Quad q;
  if (kQuads != 0u) {
    q = fold_short(first, length, lane);
  } else if (kVectors != 0u) {
    q = fold_vectors(first, length, lane);
  } else {
    q = Quad(meet(fold_elements(first, length, lane)), kIdentity, kIdentity, kIdentity);
  }
  q = meet_lanes(q, lane);
  if (live && lane == 0u) z_store_element(z, unit, result(kVectors != 0u ? meet(q) : q.x));
}
