layout(constant_id = 3) const uint kTileM = 64;
layout(constant_id = 4) const uint kTileN = 64;
layout(constant_id = 5) const uint kTileK = 16;
layout(constant_id = 6) const uint kRegM = 4;  // (kTileM / kRegM) · (kTileN / kRegN) invocations
layout(constant_id = 7) const uint kRegN = 4;

const uint kPitchM = kTileM + 1, kPitchN = kTileN;
const uint kAcross = kTileN / kRegN, kDown = kTileM / kRegM;

shared Acc a_tile[kTileK * kPitchN];
shared Acc b_tile[kTileK * kPitchM];

uint channel_of(uint at_k, out uint position) {
  position = divide_by(at_k, block.v[kChannelsMagic], block.v[kChannelsShift]);
  return at_k - position * block.v[kChannels];
}

void main() {
  Job job = job_of(first_job + linear_group());
  if (job.unit >= units) return;
  const uint local = gl_LocalInvocationID.x;
  const uint m0 = job.tile_m * kTileM, n0 = job.tile_n * kTileN;
  const uint x = local % kAcross, y = local / kAcross;
  const uint column = local % kTileN;
  const bool live = n0 + column < n;
  place(block, live ? n0 + column : 0u);

  Acc sums[kRegM * kRegN];
  [[unroll]] for (uint i = 0; i < kRegM * kRegN; i++) sums[i] = Acc(0);

  for (uint k0 = job.k_begin; k0 < job.k_end; k0 += kTileK) {
    for (uint e = local; e < kTileM * kTileK; e += gl_WorkGroupSize.x) {
      uint i = e / kTileK, p = e % kTileK, position;
      Acc value = Acc(0);
      if (m0 + i < m && k0 + p < job.k_end) {
        uint c = channel_of(k0 + p, position);
        uint at = job.b_first + (m0 + i) * block.v[kKernelOut] + c * block.v[kKernelIn] + find_kernel(block, position);
        value = Acc(b_load_element(b, at));
      }
      b_tile[p * kPitchM + i] = value;
    }
    for (uint p = local / kTileN; p < kTileK; p += gl_WorkGroupSize.x / kTileN) {
      uint position, at;
      Acc value = Acc(0);
      if (live && k0 + p < job.k_end) {
        uint c = channel_of(k0 + p, position);
        if (find_input(block, position, at)) {
          value = Acc(a_load_element(a, job.a_first + in_first + at + c * block.v[kInChannel]));
        }
      }
      a_tile[p * kPitchN + column] = value;
    }
    barrier();
    for (uint p = 0; p < kTileK; p++) {
      Acc b_line[kRegM], a_line[kRegN];
      [[unroll]] for (uint i = 0; i < kRegM; i++) b_line[i] = b_tile[p * kPitchM + y + i * kDown];
      [[unroll]] for (uint j = 0; j < kRegN; j++) a_line[j] = a_tile[p * kPitchN + x + j * kAcross];
      [[unroll]] for (uint i = 0; i < kRegM; i++) {
        [[unroll]] for (uint j = 0; j < kRegN; j++) sums[i * kRegN + j] += times(b_line[i], a_line[j]);
      }
    }
    barrier();
  }

  [[unroll]] for (uint j = 0; j < kRegN; j++) {
    uint to = n0 + x + j * kAcross;
    if (to >= n) continue;
    place(block, to);
    [[unroll]] for (uint i = 0; i < kRegM; i++) {
      uint row = m0 + y + i * kDown;
      if (row < m) z_store_element(z, job.z_first + out_first + row * block.v[kOutChannel], sums[i * kRegN + j]);
    }
  }
}
