// z[i] = op(a[i] …) for INPUTS operands and n elements; the output is dense.
//
// Accesses (modes are 4 bits an operand of constant 2, A in the lowest):
//   dense    every operand is dense and aligned to vectors
//   scalar   modes 0 dense, 1 a scalar whose bits lie in the push constants, 2 a scalar read through its address
//   inner    n = rows · columns, columns a multiple of ELEMS; modes 0 to 2, and 3 an element a column, 4 an element a row
//   strided  any broadcast and any element alignment: extents and strides in a parameter block. Modes 0 element by element,
//            1 as above; and, where the innermost extent is a multiple of ELEMS or the only one, 5 dense and aligned to vectors,
//            6 one element along the innermost axis
//
// Constants: 0 workgroup size, 1 vectors an invocation, 2 modes, 3 rank (strided), 4 whether z is aligned to vectors (strided).
// An invocation computes kVectors vectors, strided by the workgroup, all loads before the first store. Loads past the end read the last
// vector again; the elements after the last vector are the first workgroup's. n < 2³¹; nothing outside the n elements is read or
// written.
#include "index.glsl"
#include "operands.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kVectors = 1;
layout(constant_id = 2) const uint kModes = 0;
#ifdef ACCESS_strided
layout(constant_id = 3) const uint kRank = 1;
layout(constant_id = 4) const uint kVectorStores = 1;
#endif

layout(push_constant, scalar) uniform Push {
  uvec2 a;  // an address, or the bits of a scalar
#if INPUTS >= 2
  uvec2 b;
#endif
#if INPUTS >= 3
  uvec2 c;
#endif
  uvec2 z;
#ifdef ACCESS_strided
  uvec2 dims;
#endif
  uint n;
#ifdef ACCESS_inner
  uint columns, magic, shift;  // a row's vectors and the division by them
#endif
} push;

const uint kModeA = kModes & 15u;
const uint kModeB = (kModes >> 4) & 15u;
const uint kModeC = (kModes >> 8) & 15u;

#ifdef ACCESS_strided
// Outermost first: the extent and the division by it, the strides of A, B and C in elements.
struct Dim { uint extent, magic, shift, a, b, c; };
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Dims { Dim at[]; };

// Where the operands' elements for element `index` of z lie.
uvec3 offsets_of(uint index) {
  Dims dims = Dims(push.dims);
  uvec3 offsets = uvec3(0);
  for (uint d = kRank - 1; d > 0; --d) {
    Dim dim = dims.at[d];
    uint outer = divide_by(index, dim.magic, dim.shift);
    offsets += (index - outer * dim.extent) * uvec3(dim.a, dim.b, dim.c);
    index = outer;
  }
  Dim dim = dims.at[0];
  return offsets + index * uvec3(dim.a, dim.b, dim.c);
}
#endif

#define V_NAME(x) a_##x
#define V_COMPUTE A_COMPUTE
#define V_ADDRESS push.a
#define V_MODE kModeA
#define V_OFFSET(offsets) offsets.x
#include "map_fetch.glsl"
#if INPUTS >= 2
#define V_NAME(x) b_##x
#define V_COMPUTE B_COMPUTE
#define V_ADDRESS push.b
#define V_MODE kModeB
#define V_OFFSET(offsets) offsets.y
#include "map_fetch.glsl"
#endif
#if INPUTS >= 3
#define V_NAME(x) c_##x
#define V_COMPUTE C_COMPUTE
#define V_ADDRESS push.c
#define V_MODE kModeC
#define V_OFFSET(offsets) offsets.z
#include "map_fetch.glsl"
#endif

struct Vectors {
  a_Vector a;
#if INPUTS >= 2
  b_Vector b;
#endif
#if INPUTS >= 3
  c_Vector c;
#endif
};

Vectors fetch(uint v) {
  Place place = place_of(v);
  Vectors x;
  x.a = a_fetch(place);
#if INPUTS >= 2
  x.b = b_fetch(place);
#endif
#if INPUTS >= 3
  x.c = c_fetch(place);
#endif
  return x;
}

z_Vector apply(Vectors x) {
  z_Vector z = z_zero();
#if INPUTS == 1
#define APPLY(k) z_put(z, k, op(a_get(x.a, k)));
#elif INPUTS == 2
#define APPLY(k) z_put(z, k, op(a_get(x.a, k), b_get(x.b, k)));
#else
#define APPLY(k) z_put(z, k, op(a_get(x.a, k), b_get(x.b, k), c_get(x.c, k)));
#endif
  FOR_ELEMS(APPLY)
  return z;
}

void store(uint v, z_Vector z) {
#ifdef ACCESS_strided
  if (kVectorStores == 0) {
#define STORE(k) z_store_element(push.z, v * ELEMS + k, z_get(z, k));
    FOR_ELEMS(STORE)
    return;
  }
#endif
  z_store_vector(push.z, v, z);
}

#if !defined(ACCESS_inner) && ELEMS > 1
#define HAS_REST 1
void compute_element(uint i) {
  Place place = place_of_element(i);
#if INPUTS == 1
  z_store_element(push.z, i, op(a_fetch_element(place)));
#elif INPUTS == 2
  z_store_element(push.z, i, op(a_fetch_element(place), b_fetch_element(place)));
#else
  z_store_element(push.z, i, op(a_fetch_element(place), b_fetch_element(place), c_fetch_element(place)));
#endif
}
#endif

void main() {
  const uint vectors = push.n / ELEMS;
  const uint first = linear_group() * (gl_WorkGroupSize.x * kVectors) + gl_LocalInvocationID.x;
  if (vectors > 0) {
    Vectors x[kVectors];
    [[unroll]] for (uint k = 0; k < kVectors; ++k) x[k] = fetch(min(first + k * gl_WorkGroupSize.x, vectors - 1));
    [[unroll]] for (uint k = 0; k < kVectors; ++k) {
      const uint v = first + k * gl_WorkGroupSize.x;
      if (v < vectors) store(v, apply(x[k]));
    }
  }
#ifdef HAS_REST
  if (linear_group() == 0) {
    for (uint i = vectors * ELEMS + gl_LocalInvocationID.x; i < push.n; i += gl_WorkGroupSize.x) compute_element(i);
  }
#endif
}
