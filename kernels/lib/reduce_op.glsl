#pragma once
// The monoid of a reduction: Acc, its identity, how elements come in, how two meet, how the result goes out.
//
// Maxima and minima work on integer keys that are ordered as the floats are, −0 below +0, so that no comparison can flush a
// subnormal; every NaN has the key that wins.

#if defined(OP_sum) || defined(OP_product)

#define Acc Z_COMPUTE
Acc take(A_COMPUTE x) { return Z_COMPUTE(x); }
Z_COMPUTE result(Acc a) { return a; }
#if defined(OP_product)
#if defined(Z_COMPLEX)
const Acc kIdentity = Z_COMPUTE(1, 0);
Acc combine(Acc a, Acc b) { return multiply_complex(a, b); }
#else
const Acc kIdentity = Z_COMPUTE(1);
Acc combine(Acc a, Acc b) { return a * b; }
#endif
#else
#if defined(Z_FLOAT) || defined(Z_COMPLEX)
const Acc kIdentity = Z_COMPUTE(-0.0);
#else
const Acc kIdentity = Z_COMPUTE(0);
#endif
Acc combine(Acc a, Acc b) { return a + b; }
#endif

#elif defined(OP_all) || defined(OP_any)

#define Acc uint
#if defined(A_FLOAT) && A_BITS == 64
bool is_true(A_COMPUTE x) {
  uvec2 bits = unpackDouble2x32(x);
  return (bits.x | (bits.y << 1)) != 0u;
}
#elif defined(A_COMPLEX) && A_BITS == 64
bool is_true(A_COMPUTE x) { return ((floatBitsToUint(x.x) | floatBitsToUint(x.y)) << 1) != 0u; }
#elif defined(A_COMPLEX)
bool is_true(A_COMPUTE x) {
  uvec2 bits = unpackDouble2x32(x.x) | unpackDouble2x32(x.y);
  return (bits.x | (bits.y << 1)) != 0u;
}
#elif defined(A_FLOAT)
bool is_true(A_COMPUTE x) { return (floatBitsToUint(x) << 1) != 0u; }
#else
bool is_true(A_COMPUTE x) { return x != A_COMPUTE(0); }
#endif
Acc take(A_COMPUTE x) { return is_true(x) ? 1u : 0u; }
Z_COMPUTE result(Acc a) { return Z_COMPUTE(a); }
#if defined(OP_all)
const Acc kIdentity = 1u;
Acc combine(Acc a, Acc b) { return a & b; }
#else
const Acc kIdentity = 0u;
Acc combine(Acc a, Acc b) { return a | b; }
#endif

#else

#if defined(A_FLOAT) && A_BITS == 64
#define Acc int64_t
const Acc kTop = 0x7fffffffffffffffl, kNanBits = 0x7ff8000000000000l, kInfinityBits = 0x7ff0000000000000l;
Acc bits_of(A_COMPUTE x) { return doubleBitsToInt64(x); }
A_COMPUTE float_of(Acc bits) { return int64BitsToDouble(bits); }
#define KEYED 1
#elif defined(A_FLOAT)
#define Acc int
const Acc kTop = 0x7fffffff, kNanBits = 0x7fc00000, kInfinityBits = 0x7f800000;
Acc bits_of(A_COMPUTE x) { return floatBitsToInt(x); }
A_COMPUTE float_of(Acc bits) { return intBitsToFloat(bits); }
#define KEYED 1
#else
#define Acc A_COMPUTE
Acc take(A_COMPUTE x) { return x; }
Z_COMPUTE result(Acc a) { return a; }
#endif

#if defined(OP_reduce_max)
Acc combine(Acc a, Acc b) { return max(a, b); }
#else
Acc combine(Acc a, Acc b) { return min(a, b); }
#endif

#if defined(KEYED)
// kTop and -kTop - 1 are no keys of numbers: they stand for NaN.
#if defined(OP_reduce_max)
const Acc kNanKey = kTop;
const Acc kIdentity = ~kInfinityBits;  // that of −Inf
#else
const Acc kNanKey = -kTop - 1;
const Acc kIdentity = kInfinityBits;
#endif
Acc take(A_COMPUTE x) {
  Acc bits = bits_of(x);
  if ((bits & kTop) > kInfinityBits) return kNanKey;
  return bits < 0 ? bits ^ kTop : bits;
}
Z_COMPUTE result(Acc key) {
  if (key == kNanKey) return float_of(kNanBits);
  return float_of(key < 0 ? key ^ kTop : key);
}
#elif defined(A_SINT) && A_BITS == 64
const Acc kLowest = -0x7fffffffffffffffl - 1l, kHighest = 0x7fffffffffffffffl;
#elif defined(A_SINT)
const Acc kHighest = A_COMPUTE((1u << (A_BITS - 1)) - 1u), kLowest = -kHighest - 1;
#elif A_BITS == 64
const Acc kLowest = 0ul, kHighest = 0xfffffffffffffffful;
#else
const Acc kLowest = 0u, kHighest = 0xffffffffu >> (32 - A_BITS);
#endif
#if !defined(KEYED) && defined(OP_reduce_max)
const Acc kIdentity = kLowest;
#elif !defined(KEYED)
const Acc kIdentity = kHighest;
#endif

#endif
