#pragma once
// The monoid of a scan. Numbers narrower than 32 bits are f32, int or uint until they are stored.

#define Acc A_COMPUTE

#if defined(OP_cumulative_sum)

Acc combine(Acc a, Acc b) { return a + b; }
#if defined(A_FLOAT) || defined(A_COMPLEX)
Acc identity() { return Acc(-0.0); }
#else
Acc identity() { return Acc(0); }
#endif

#elif defined(OP_cumulative_product)

#if defined(A_COMPLEX)
Acc combine(Acc a, Acc b) { return multiply_complex(a, b); }
Acc identity() { return Acc(1, 0); }
#else
Acc combine(Acc a, Acc b) { return a * b; }
Acc identity() { return Acc(1); }
#endif

#else

#if defined(OP_cumulative_max)
#define FIRST_OF(negative, positive) (negative)
#else
#define FIRST_OF(negative, positive) (positive)
#endif

#if defined(A_FLOAT) && A_BITS == 64
Acc identity() { return packDouble2x32(uvec2(0u, FIRST_OF(0xfff00000u, 0x7ff00000u))); }
#elif defined(A_FLOAT)
Acc identity() { return uintBitsToFloat(FIRST_OF(0xff800000u, 0x7f800000u)); }
#elif defined(A_SINT) && A_BITS == 64
Acc identity() { return FIRST_OF(-0x7fffffffffffffffl - 1l, 0x7fffffffffffffffl); }
#elif defined(A_SINT)
Acc identity() { return FIRST_OF(int(0x80000000u), 0x7fffffff); }
#elif A_BITS == 64
Acc identity() { return FIRST_OF(0ul, 0xfffffffffffffffful); }
#else
Acc identity() { return FIRST_OF(0u, 0xffffffffu); }
#endif

#if defined(A_FLOAT) && defined(OP_cumulative_max)
Acc combine(Acc a, Acc b) { return max_of(a, b); }
#elif defined(A_FLOAT)
Acc combine(Acc a, Acc b) { return min_of(a, b); }
#elif defined(OP_cumulative_max)
Acc combine(Acc a, Acc b) { return max(a, b); }
#else
Acc combine(Acc a, Acc b) { return min(a, b); }
#endif

#endif
