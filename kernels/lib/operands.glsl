#pragma once
// Operands A … C and the output Z: a_load_vector, a_get, z_put … for each (vector.glsl).

// M(0) M(1) … M(ELEMS - 1)
#if ELEMS == 1
#define FOR_ELEMS(M) M(0)
#elif ELEMS == 2
#define FOR_ELEMS(M) M(0) M(1)
#elif ELEMS == 4
#define FOR_ELEMS(M) M(0) M(1) M(2) M(3)
#elif ELEMS == 8
#define FOR_ELEMS(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#elif ELEMS == 16
#define FOR_ELEMS(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)
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
#ifdef A_FLOAT
#define V_IS_FLOAT 1
#elif defined(A_SINT)
#define V_IS_SINT 1
#elif defined(A_UINT)
#define V_IS_UINT 1
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
#ifdef B_FLOAT
#define V_IS_FLOAT 1
#elif defined(B_SINT)
#define V_IS_SINT 1
#elif defined(B_UINT)
#define V_IS_UINT 1
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
#ifdef C_FLOAT
#define V_IS_FLOAT 1
#elif defined(C_SINT)
#define V_IS_SINT 1
#elif defined(C_UINT)
#define V_IS_UINT 1
#endif
#include "vector.glsl"
#endif

#define V_NAME(x) z_##x
#define V_STORAGE Z_STORAGE
#define V_COMPUTE Z_COMPUTE
#define V_BITS Z_BITS
#define V_LOAD(x) Z_LOAD(x)
#define V_STORE(x) Z_STORE(x)
#ifdef Z_FLOAT
#define V_IS_FLOAT 1
#elif defined(Z_SINT)
#define V_IS_SINT 1
#elif defined(Z_UINT)
#define V_IS_UINT 1
#endif
#include "vector.glsl"
