#if defined(ACCESS_column)
layout(constant_id = 1) const uint kParts = 8;  // a power of two
#else
const uint kParts = 1;
#endif
layout(constant_id = 2) const uint kVectors = 1;  // 1: a's rows lie side by side, aligned to vectors, m is a multiple of 4

struct Quad {
  Acc x, y, z, w;
};

const uint kWide = gl_WorkGroupSize.x / kParts;
#if defined(ACCESS_column)
shared Quad stage[gl_WorkGroupSize.x];
#endif

Quad load_a(uint at, uint count) {
  if (kVectors != 0u) {
    a_Vector v = a_load_vector(a, at / 4);
    return Quad(Acc(a_get(v, 0)), Acc(a_get(v, 1)), Acc(a_get(v, 2)), Acc(a_get(v, 3)));
  }
  Quad q = Quad(Acc(0), Acc(0), Acc(0), Acc(0));
  q.x = element_a(at);
  if (count > 1u) q.y = element_a(at + a_m);
  if (count > 2u) q.z = element_a(at + 2 * a_m);
  if (count > 3u) q.w = element_a(at + 3 * a_m);
  return q;
}

// tiles_m counts strips of 4 · kWide rows, tiles_n is 1.
void main() {
  uint local = gl_LocalInvocationID.x, part = local / kWide;
  Job job = job_of(linear_group());
  uint row = (job.tile_m * kWide + local % kWide) * 4;
  bool live = job.unit < units && row < m;
  uint count = live ? min(4u, m - row) : 0u;
  Quad s = Quad(Acc(0), Acc(0), Acc(0), Acc(0));
  if (live) {
    uint at = job.a_first + row * a_m;
    uint p = job.k_begin + part;
    for (; p + 3 * kParts < job.k_end; p += 4 * kParts) {
      Quad q[4];
      Acc f[4];
      [[unroll]] for (uint u = 0; u < 4; u++) {
        q[u] = load_a(at + (p + u * kParts) * a_k, count);
        f[u] = element_b(job.b_first + (p + u * kParts) * b_k);
      }
      [[unroll]] for (uint u = 0; u < 4; u++) {
        s = Quad(s.x + times(q[u].x, f[u]), s.y + times(q[u].y, f[u]), s.z + times(q[u].z, f[u]), s.w + times(q[u].w, f[u]));
      }
    }
    for (; p < job.k_end; p += kParts) {
      Quad q = load_a(at + p * a_k, count);
      Acc f = element_b(job.b_first + p * b_k);
      s = Quad(s.x + times(q.x, f), s.y + times(q.y, f), s.z + times(q.z, f), s.w + times(q.w, f));
    }
  }
#if defined(ACCESS_column)
  for (uint parts = kParts; parts > 1; parts /= 2) {
    uint next = parts / 2;
    if (part >= next && part < parts) stage[local] = s;
    barrier();
    if (part < next) {
      Quad o = stage[local + next * kWide];
      s = Quad(s.x + o.x, s.y + o.y, s.z + o.z, s.w + o.w);
    }
  }
#endif
  if (!live || part != 0u) return;
  uint to = job.unit * z_unit + row * z_m;
  z_store_element(z, to, s.x);
  if (count > 1u) z_store_element(z, to + z_m, s.y);
  if (count > 2u) z_store_element(z, to + 2 * z_m, s.z);
  if (count > 3u) z_store_element(z, to + 3 * z_m, s.w);
}
