#if defined(ACCESS_line)
layout(constant_id = 1) const uint kLanes = 32;  // a power of two
#else
const uint kLanes = 1;
#endif
layout(constant_id = 2) const uint kVectors = 1;  // 1: both walk by 1 along k, aligned to vectors, k is a multiple of 4

#if defined(ACCESS_line)
shared Acc stage[gl_WorkGroupSize.x];
#endif

struct Quad {
  Acc x, y, z, w;
};

Quad products(uint a_at, uint b_at) {
  a_Vector u = a_load_vector(a, a_at / 4);
  b_Vector v = b_load_vector(b, b_at / 4);
  return Quad(times(a_get(u, 0), b_get(v, 0)), times(a_get(u, 1), b_get(v, 1)),
              times(a_get(u, 2), b_get(v, 2)), times(a_get(u, 3), b_get(v, 3)));
}

Quad add(Quad p, Quad q) { return Quad(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w); }

Acc fold(Job job, uint row, uint lane) {
  uint a_at = job.a_first + row * a_m, b_at = job.b_first;
  if (kVectors != 0u) {
    Quad s = Quad(Acc(0), Acc(0), Acc(0), Acc(0)), t = s;
    uint p = job.k_begin + 4 * lane;
    for (; p + 12 * kLanes < job.k_end; p += 16 * kLanes) {
      Quad q0 = products(a_at + p, b_at + p), q1 = products(a_at + p + 4 * kLanes, b_at + p + 4 * kLanes);
      Quad q2 = products(a_at + p + 8 * kLanes, b_at + p + 8 * kLanes);
      Quad q3 = products(a_at + p + 12 * kLanes, b_at + p + 12 * kLanes);
      s = add(s, add(q0, q2));
      t = add(t, add(q1, q3));
    }
    for (; p < job.k_end; p += 4 * kLanes) s = add(s, products(a_at + p, b_at + p));
    s = add(s, t);
    return (s.x + s.z) + (s.y + s.w);
  }
  Acc s = Acc(0), t = Acc(0);
  uint p = job.k_begin + lane;
  for (; p + kLanes < job.k_end; p += 2 * kLanes) {
    s += times(element_a(a_at + p * a_k), element_b(b_at + p * b_k));
    t += times(element_a(a_at + (p + kLanes) * a_k), element_b(b_at + (p + kLanes) * b_k));
  }
  if (p < job.k_end) s += times(element_a(a_at + p * a_k), element_b(b_at + p * b_k));
  return s + t;
}

// tiles_m counts rows, tiles_n is 1.
void main() {
  uint local = gl_LocalInvocationID.x, lane = local % kLanes;
  Job job = job_of(linear_group() * (gl_WorkGroupSize.x / kLanes) + local / kLanes);
  bool live = job.unit < units;
  Acc sum = Acc(0);
  if (live) sum = fold(job, job.tile_m, lane);
#if defined(ACCESS_line)
  for (uint width = kLanes / 2; width > 0; width /= 2) {
    stage[local] = sum;
    barrier();
    if (lane < width) sum += stage[local + width];
    barrier();
  }
#endif
  if (live && lane == 0u) z_store_element(z, job.unit * z_unit + job.tile_m * z_m, sum);
}
