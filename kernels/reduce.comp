// Reductions by one tree, a function of the number of elements only: element i of a reduced run goes to accumulator i mod 128
// of its chunk of 8,192 elements; an accumulator folds its elements in order, starting from the identity; the accumulators meet
// as an xor tree over 64, 32 … 1; the chunks' results are reduced by the same rule in a further dispatch. Absent elements
// are the identity, so a short run may use fewer accumulators.
//
// Access row: runs of n consecutive elements; z[run · chunks + chunk]. kLanes invocations a chunk, with 4 accumulators each.
// Access col: a[outer][n][inner] to z[outer][chunks][inner]. An invocation folds 4 columns and every kParts-th accumulator.
// Access serial_row, serial_col: the same for CPU devices, one invocation a chunk (of a run, or of 4 columns), without barriers.

#include "index.glsl"
#include "reduce_quad.glsl"

#if defined(ACCESS_row)
#include "reduce_row.glsl"
#elif defined(ACCESS_serial_row)
#include "reduce_serial_row.glsl"
#else
#include "reduce_col.glsl"
#endif
