// Products of matrices: z[unit][i][j] = Σ a[batch, i, k] · b[batch, k, j] over the k of a split, with unit = split · batches + batch.
// a and b lie anywhere that a stride a batch, a row and a column describes. Where there are several splits, a reduction adds them up.
//
// Access block: workgroups of kTileM × kTileN results through shared memory, kRegM × kRegN an invocation.
// Access rows: for CPU devices; an invocation computes kRows rows of 4 neighbouring columns of z. b's columns lie side by side.
// Access line: n = 1; kLanes invocations walk along k together. serial_line: one does.
// Access column: n = 1; invocations side by side over 4 rows each, kParts of them share k. serial_column: one walks all of k.

#include "index.glsl"
#undef ELEMS
#define ELEMS 4
#include "operands.glsl"

layout(local_size_x_id = 0) in;

layout(push_constant, scalar) uniform Push {
  uvec2 a, b, z;
  uint m, n, k;
  uint a_batch, a_m, a_k;
  uint b_batch, b_k, b_n;
  uint z_unit, z_m;
  uint units, batches, batches_magic, batches_shift;
  uint k_each;  // the k of a split
  uint tiles_m, tiles_m_magic, tiles_m_shift;
  uint tiles_n, tiles_n_magic, tiles_n_shift;
};

#define Acc Z_COMPUTE

#ifdef Z_COMPLEX
Acc times(Acc a, Acc b) { return Acc(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
#else
Acc times(Acc a, Acc b) { return a * b; }
#endif

// The part of the product that this workgroup (or invocation) computes.
struct Job {
  uint tile_m, tile_n;
  uint unit, a_first, b_first;  // elements
  uint k_begin, k_end;
};

Job job_at(uint unit, uint tile_m, uint tile_n) {
  Job job;
  job.unit = unit;
  job.tile_m = tile_m;
  job.tile_n = tile_n;
  uint split = divide_by(job.unit, batches_magic, batches_shift);
  uint batch = job.unit - split * batches;
  job.a_first = batch * a_batch;
  job.b_first = batch * b_batch;
  job.k_begin = split * k_each;
  job.k_end = min(k, job.k_begin + k_each);
  return job;
}

// Tiles along n, then along m, then units.
Job job_of(uint index) {
  const uint q = divide_by(index, tiles_n_magic, tiles_n_shift), unit = divide_by(q, tiles_m_magic, tiles_m_shift);
  return job_at(unit, q - unit * tiles_m, index - q * tiles_n);
}

Acc element_a(uint at) { return Acc(a_load_element(a, at)); }
Acc element_b(uint at) { return Acc(b_load_element(b, at)); }

#if defined(ACCESS_block)
#include "dot_block.glsl"
#elif defined(ACCESS_rows)
#include "dot_rows.glsl"
#elif defined(ACCESS_line) || defined(ACCESS_serial_line)
#include "dot_line.glsl"
#else
#include "dot_column.glsl"
#endif
