layout(constant_id = 1) const uint kRows = 16;
layout(constant_id = 2) const uint kVectors = 1;  // 1: b's rows and z's are aligned to vectors, n is a multiple of 4

struct Quad {
  Acc x, y, z, w;
};

Quad load_b(uint at, uint count) {
  if (kVectors != 0u) {
    b_Vector v = b_load_vector(b, at / 4);
    return Quad(Acc(b_get(v, 0)), Acc(b_get(v, 1)), Acc(b_get(v, 2)), Acc(b_get(v, 3)));
  }
  Quad q = Quad(Acc(0), Acc(0), Acc(0), Acc(0));
  q.x = element_b(at);
  if (count > 1u) q.y = element_b(at + 1);
  if (count > 2u) q.z = element_b(at + 2);
  if (count > 3u) q.w = element_b(at + 3);
  return q;
}

// tiles_n counts workgroups side by side over the columns, tiles_m groups of kRows rows: a's elements are the same for a whole
// workgroup.
void main() {
  Job job = job_of(linear_group());
  if (job.unit >= units) return;
  uint first_row = job.tile_m * kRows, rows = min(kRows, m - first_row);
  uint column = (job.tile_n * gl_WorkGroupSize.x + gl_LocalInvocationID.x) * 4;
  if (column >= n) return;
  uint count = min(4u, n - column);

  Quad sums[kRows];
  for (uint i = 0; i < kRows; i++) sums[i] = Quad(Acc(0), Acc(0), Acc(0), Acc(0));
  uint a_at = job.a_first + first_row * a_m, b_at = job.b_first + column;
  if (rows == kRows) {
    for (uint p = job.k_begin; p < job.k_end; p++) {
      Quad q = load_b(b_at + p * b_k, count);
      for (uint i = 0; i < kRows; i++) {
        Acc f = element_a(a_at + i * a_m + p * a_k);
        sums[i] = Quad(sums[i].x + times(f, q.x), sums[i].y + times(f, q.y), sums[i].z + times(f, q.z), sums[i].w + times(f, q.w));
      }
    }
  } else {
    for (uint p = job.k_begin; p < job.k_end; p++) {
      Quad q = load_b(b_at + p * b_k, count);
      for (uint i = 0; i < kRows; i++) {
        if (i >= rows) break;
        Acc f = element_a(a_at + i * a_m + p * a_k);
        sums[i] = Quad(sums[i].x + times(f, q.x), sums[i].y + times(f, q.y), sums[i].z + times(f, q.z), sums[i].w + times(f, q.w));
      }
    }
  }

  for (uint i = 0; i < kRows; i++) {
    if (i >= rows) break;
    uint at = job.unit * z_unit + (first_row + i) * z_m + column;
    z_store_element(z, at, sums[i].x);
    if (count > 1u) z_store_element(z, at + 1, sums[i].y);
    if (count > 2u) z_store_element(z, at + 2, sums[i].z);
    if (count > 3u) z_store_element(z, at + 3, sums[i].w);
  }
}
