#pragma once
// Operands A … C and the output Z: a_load_vector, a_get, z_put … for each (vector.glsl).

#include "narrow_floats.glsl"

// M(0) M(1) … M(ELEMS - 1). Many elements go word by word, so that a module has few copies of M; the loop is left to the driver.
#if ELEMS == 1
#define FOR_ELEMS(M) M(0)
#elif ELEMS == 2
#define FOR_ELEMS(M) M(0) M(1)
#elif ELEMS == 4
#define FOR_ELEMS(M) M(0) M(1) M(2) M(3)
#elif ELEMS == 8 && !(A_BITS == 8 || B_BITS == 8 || C_BITS == 8 || Z_BITS == 8)
#define FOR_ELEMS(M) \
  for (uint element = 0; element < ELEMS; element += 2) { M(element) M(element + 1) }
#elif ELEMS == 8 || ELEMS == 16
#define FOR_ELEMS(M) \
  for (uint element = 0; element < ELEMS; element += 4) { M(element) M(element + 1) M(element + 2) M(element + 3) }
#else
#error "no vectors of so many elements"
#endif

#if INPUTS >= 1
#define V_NAME(x) a_##x
#define V_STORAGE A_STORAGE
#define V_COMPUTE A_COMPUTE
#define V_BITS A_BITS
#define V_LOAD(x) A_LOAD(x)
#define V_STORE(x) A_STORE(x)
#define V_DECODE(x) A_DECODE(x)
#define V_ENCODE(x) A_ENCODE(x)
#ifdef A_FLOAT
#define V_IS_FLOAT 1
#elif defined(A_SINT)
#define V_IS_SINT 1
#elif defined(A_UINT)
#define V_IS_UINT 1
#elif defined(A_COMPLEX)
#define V_IS_COMPLEX 1
#endif
#include "vector.glsl"
#endif

#if INPUTS >= 2
#define V_NAME(x) b_##x
#define V_STORAGE B_STORAGE
#define V_COMPUTE B_COMPUTE
#define V_BITS B_BITS
#define V_LOAD(x) B_LOAD(x)
#define V_STORE(x) B_STORE(x)
#define V_DECODE(x) B_DECODE(x)
#define V_ENCODE(x) B_ENCODE(x)
#ifdef B_FLOAT
#define V_IS_FLOAT 1
#elif defined(B_SINT)
#define V_IS_SINT 1
#elif defined(B_UINT)
#define V_IS_UINT 1
#elif defined(B_COMPLEX)
#define V_IS_COMPLEX 1
#endif
#include "vector.glsl"
#endif

#if INPUTS >= 3
#define V_NAME(x) c_##x
#define V_STORAGE C_STORAGE
#define V_COMPUTE C_COMPUTE
#define V_BITS C_BITS
#define V_LOAD(x) C_LOAD(x)
#define V_STORE(x) C_STORE(x)
#define V_DECODE(x) C_DECODE(x)
#define V_ENCODE(x) C_ENCODE(x)
#ifdef C_FLOAT
#define V_IS_FLOAT 1
#elif defined(C_SINT)
#define V_IS_SINT 1
#elif defined(C_UINT)
#define V_IS_UINT 1
#elif defined(C_COMPLEX)
#define V_IS_COMPLEX 1
#endif
#include "vector.glsl"
#endif

#define V_NAME(x) z_##x
#define V_STORAGE Z_STORAGE
#define V_COMPUTE Z_COMPUTE
#define V_BITS Z_BITS
#define V_LOAD(x) Z_LOAD(x)
#define V_STORE(x) Z_STORE(x)
#define V_DECODE(x) Z_DECODE(x)
#define V_ENCODE(x) Z_ENCODE(x)
#ifdef Z_FLOAT
#define V_IS_FLOAT 1
#elif defined(Z_SINT)
#define V_IS_SINT 1
#elif defined(Z_UINT)
#define V_IS_UINT 1
#elif defined(Z_COMPLEX)
#define V_IS_COMPLEX 1
#endif
#include "vector.glsl"
