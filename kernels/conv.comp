// Convolutions as products of matrices that are never written: z[group][i][j] = Σ b[group][i][k] · a[group][k][j] over the k of a split,
// where i is an output channel, j a batch and an output position, k a kernel position and an input channel (channels fastest). Where
// the elements lie is told by strides, so axes come in any order. Where there are several splits, a reduction adds them up.
//
// Access tile: workgroups of kTileM × kTileN results through shared memory, kRegM × kRegN an invocation; the workgroup is a multiple of
// kTileN, so that an invocation loads a single column of a.
// Access direct: an invocation computes kRows channels of one position.

#include "index.glsl"
#include "conv_axes.glsl"
#undef ELEMS
#define ELEMS 4
#include "operands.glsl"

layout(local_size_x_id = 0) in;

layout(push_constant, scalar) uniform Push {
  uvec2 a, b, z;
  Words block;
  uint m, n, k;
  uint units, groups, groups_magic, groups_shift;  // splits · groups
  uint k_each;                                     // the k of a split
  uint tiles_m, tiles_m_magic, tiles_m_shift;
  uint tiles_n, tiles_n_magic, tiles_n_shift;
  uint first_job, first_split;  // of this dispatch
};

#define Acc Z_COMPUTE

#ifdef Z_COMPLEX
Acc times(Acc a, Acc b) { return Acc(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
#else
Acc times(Acc a, Acc b) { return a * b; }
#endif

struct Job {
  uint tile_m, tile_n, unit;
  uint a_first, b_first, z_first;
  uint k_begin, k_end;
};

Job job_of(uint index) {
  Job job;
  uint q = divide_by(index, tiles_n_magic, tiles_n_shift);
  job.tile_n = index - q * tiles_n;
  job.unit = divide_by(q, tiles_m_magic, tiles_m_shift);
  job.tile_m = q - job.unit * tiles_m;
  uint split = divide_by(job.unit, groups_magic, groups_shift);
  uint group = job.unit - split * groups;
  job.a_first = group * block.v[kInGroup];
  job.b_first = group * block.v[kKernelGroup];
  job.z_first = group * block.v[kOutGroup] + split * block.v[kOutSplit];
  job.k_begin = (first_split + split) * k_each;
  job.k_end = min(k, job.k_begin + k_each);
  return job;
}

#if defined(ACCESS_tile)
#include "conv_tile.glsl"
#else
#include "conv_direct.glsl"
#endif
