layout(constant_id = 1) const uint kTileM = 64;
layout(constant_id = 2) const uint kTileN = 64;
layout(constant_id = 3) const uint kTileK = 16;
layout(constant_id = 4) const uint kRegM = 4;  // (kTileM / kRegM) · (kTileN / kRegN) invocations
layout(constant_id = 5) const uint kRegN = 4;
layout(constant_id = 6) const uint kLoadAlongM = 0;  // neighbours load a along m, else along k
layout(constant_id = 7) const uint kLoadAlongN = 1;  // neighbours load b along n, else along k

const uint kPitchM = kTileM + 1, kPitchN = kTileN + 1;
const uint kAcross = kTileN / kRegN, kDown = kTileM / kRegM;
const uint kLoadsA = kTileM * kTileK, kLoadsB = kTileN * kTileK;

shared Acc a_tile[kTileK * kPitchM];
shared Acc b_tile[kTileK * kPitchN];

void main() {
  uint group = linear_group(), local = gl_LocalInvocationID.x;
  Job job = job_of(group);
  if (job.unit >= units) return;
  uint m0 = job.tile_m * kTileM, n0 = job.tile_n * kTileN;
  uint x = local % kAcross, y = local / kAcross;

  Acc sums[kRegM * kRegN];
  [[unroll]] for (uint i = 0; i < kRegM * kRegN; i++) sums[i] = Acc(0);

  for (uint k0 = job.k_begin; k0 < job.k_end; k0 += kTileK) {
    for (uint e = local; e < kLoadsA; e += gl_WorkGroupSize.x) {
      uint i = kLoadAlongM != 0u ? e % kTileM : e / kTileK;
      uint p = kLoadAlongM != 0u ? e / kTileM : e % kTileK;
      bool inside = m0 + i < m && k0 + p < job.k_end;
      a_tile[p * kPitchM + i] = inside ? element_a(job.a_first + (m0 + i) * a_m + (k0 + p) * a_k) : Acc(0);
    }
    for (uint e = local; e < kLoadsB; e += gl_WorkGroupSize.x) {
      uint j = kLoadAlongN != 0u ? e % kTileN : e / kTileK;
      uint p = kLoadAlongN != 0u ? e / kTileN : e % kTileK;
      bool inside = n0 + j < n && k0 + p < job.k_end;
      b_tile[p * kPitchN + j] = inside ? element_b(job.b_first + (k0 + p) * b_k + (n0 + j) * b_n) : Acc(0);
    }
    barrier();
    for (uint p = 0; p < kTileK; p++) {
      Acc a_line[kRegM], b_line[kRegN];
      [[unroll]] for (uint i = 0; i < kRegM; i++) a_line[i] = a_tile[p * kPitchM + y + i * kDown];
      [[unroll]] for (uint j = 0; j < kRegN; j++) b_line[j] = b_tile[p * kPitchN + x + j * kAcross];
      [[unroll]] for (uint i = 0; i < kRegM; i++) {
        [[unroll]] for (uint j = 0; j < kRegN; j++) sums[i * kRegN + j] += times(a_line[i], b_line[j]);
      }
    }
    barrier();
  }

  [[unroll]] for (uint i = 0; i < kRegM; i++) {
    uint row = m0 + y + i * kDown;
    if (row >= m) continue;
    [[unroll]] for (uint j = 0; j < kRegN; j++) {
      uint column = n0 + x + j * kAcross;
      if (column < n) z_store_element(z, job.unit * z_unit + row * z_m + column, sums[i * kRegN + j]);
    }
  }
}
