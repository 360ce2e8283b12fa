// Moves elements of one width. No arithmetic touches them, so every bit pattern survives.
//
// Access dense: n elements, both addresses multiples of 16. Constant 1: 128-bit vectors an invocation.
// Access strided: for each index of up to 5 dimensions, z[Σ i·z_stride] = a[a_origin + Σ i·a_stride]. Constant 1: the rank.
// Access block: the same with dimensions, and start indices that live in device memory, in a parameter block.
// Access tile: z[r·z_step + c] = a[c·a_step + r], with up to 2 batch dimensions, through shared memory.
//   Constant 1: edge of the tile. Constant 2: elements a load and a store. Constant 3: batch dimensions.
// Access patch: the same without shared memory: an invocation moves a 4 × 4 patch. Constant 3: batch dimensions.

#include "index.glsl"

#if defined(ACCESS_dense)
#include "copy_dense.glsl"
#elif defined(ACCESS_strided)
#include "copy_strided.glsl"
#elif defined(ACCESS_block)
#include "copy_block.glsl"
#else
#include "copy_tile.glsl"
#endif
