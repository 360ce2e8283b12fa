// Rows of counters become their running sums, without the counter itself; z[row] is the sum of all of a row.
// Access group: a workgroup a row. Access serial: an invocation a row, without barriers.
#include "index.glsl"

layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Counters { uint v[]; };

layout(push_constant, scalar) uniform Push {
  Counters counters, z;
  uint rows, n;  // counters a row
};

#if defined(ACCESS_group)
// The workgroup has 256 invocations.
const uint kThreads = 256, kEach = 4;
shared uint sums[kThreads];

void main() {
  const uint row = linear_group(), me = gl_LocalInvocationID.x;
  if (row >= rows) return;
  uint before = 0;
  for (uint start = 0; start < n; start += kThreads * kEach) {
    uint mine[kEach], total = 0;
    const uint at = start + me * kEach;
    [[unroll]] for (uint k = 0; k < kEach; k++) {
      mine[k] = total;
      if (at + k < n) total += counters.v[row * n + at + k];
    }
    sums[me] = total;
    barrier();
    [[unroll]] for (uint reach = 1; reach < kThreads; reach *= 2) {
      const uint other = me >= reach ? sums[me - reach] : 0u;
      barrier();
      sums[me] += other;
      barrier();
    }
    const uint left = before + sums[me] - total;
    [[unroll]] for (uint k = 0; k < kEach; k++) {
      if (at + k < n) counters.v[row * n + at + k] = left + mine[k];
    }
    before += sums[kThreads - 1];
    barrier();
  }
  if (me == 0u) z.v[row] = before;
}
#else
void main() {
  const uint row = linear_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (row >= rows) return;
  uint sum = 0;
  for (uint i = 0; i < n; i++) {
    const uint count = counters.v[row * n + i];
    counters.v[row * n + i] = sum;
    sum += count;
  }
  z.v[row] = sum;
}
#endif
