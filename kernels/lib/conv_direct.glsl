layout(constant_id = 3) const uint kRows = 8;

// tiles_m counts groups of kRows channels, tiles_n workgroups side by side over the positions: the kernel's elements are the same for a
// whole workgroup.
void main() {
  Job job = job_of(first_job + linear_group());
  uint j = job.tile_n * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (job.unit >= units || j >= n) return;
  place(block, j);
  const uint first_row = job.tile_m * kRows;
  const uint a_channel = block.v[kInChannel], b_in = block.v[kKernelIn], b_out = block.v[kKernelOut];
  const uint channels = block.v[kChannels];

  Acc sums[kRows];
  uint rows[kRows];
  [[unroll]] for (uint i = 0; i < kRows; i++) {
    sums[i] = Acc(0);
    rows[i] = job.b_first + min(first_row + i, m - 1) * b_out;
  }
  uint position = divide_by(job.k_begin, block.v[kChannelsMagic], block.v[kChannelsShift]);
  for (uint k0 = position * channels; k0 < job.k_end; k0 += channels) {
    uint at;
    bool inside = find_input(block, position, at);
    uint b_at = find_kernel(block, position);
    position++;
    if (!inside) continue;
    at += job.a_first + in_first;
    uint c = max(k0, job.k_begin) - k0, end = min(channels, job.k_end - k0);
    for (; c < end; c++) {
      Acc x = Acc(a_load_element(a, at + c * a_channel));
      uint term = b_at + c * b_in;
      [[unroll]] for (uint i = 0; i < kRows; i++) {
        sums[i] += times(x, Acc(b_load_element(b, rows[i] + term)));
      }
    }
  }
  [[unroll]] for (uint i = 0; i < kRows; i++) {
    if (first_row + i < m) z_store_element(z, job.z_first + out_first + (first_row + i) * block.v[kOutChannel], sums[i]);
  }
}
