#pragma once
// Integers of the type of A, wrapping. Signed division is written with unsigned operations: those of SPIR-V are undefined for some
// operands.

#if A_BITS == 64
#define UNSIGNED uint64_t
#else
#define UNSIGNED uint
#endif

#ifdef A_SINT
UNSIGNED unsigned_magnitude(A_COMPUTE x) { return x < 0 ? -UNSIGNED(x) : UNSIGNED(x); }

// Division by zero gives −1 and leaves the dividend as the remainder; the least number by −1 wraps.
A_COMPUTE quotient_of(A_COMPUTE a, A_COMPUTE b) {
  if (b == 0) return A_COMPUTE(-1);
  UNSIGNED q = unsigned_magnitude(a) / unsigned_magnitude(b);
  return A_COMPUTE((a < 0) != (b < 0) ? -q : q);
}
A_COMPUTE remainder_of(A_COMPUTE a, A_COMPUTE b) {
  if (b == 0) return a;
  UNSIGNED r = unsigned_magnitude(a) % unsigned_magnitude(b);
  return A_COMPUTE(a < 0 ? -r : r);
}
#elif defined(A_UINT)
A_COMPUTE quotient_of(A_COMPUTE a, A_COMPUTE b) { return b == 0 ? ~A_COMPUTE(0) : a / b; }
A_COMPUTE remainder_of(A_COMPUTE a, A_COMPUTE b) { return b == 0 ? a : a % b; }
#endif

#if defined(A_SINT) || defined(A_UINT)
// A negative exponent gives 0, except for the bases 1 and −1.
A_COMPUTE power_of(A_COMPUTE base, A_COMPUTE exponent) {
  A_COMPUTE result = A_COMPUTE(1);
#ifdef A_SINT
  if (exponent < 0) {
    if (base == 1 || (base == -1 && (exponent & 1) == 0)) return A_COMPUTE(1);
    return base == -1 ? A_COMPUTE(-1) : A_COMPUTE(0);
  }
#endif
  while (exponent != 0) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
    exponent >>= 1;
  }
  return result;
}

// Amounts at or past the width, negative ones among them, shift everything out.
A_COMPUTE shift_left(A_COMPUTE a, A_COMPUTE amount) {
  return UNSIGNED(amount) < A_BITS ? a << (int(amount) & (A_BITS - 1)) : A_COMPUTE(0);
}
A_COMPUTE shift_right(A_COMPUTE a, A_COMPUTE amount) {
#ifdef A_SINT
  return a >> (UNSIGNED(amount) < A_BITS ? int(amount) : A_BITS - 1);
#else
  return UNSIGNED(amount) < A_BITS ? a >> (int(amount) & (A_BITS - 1)) : A_COMPUTE(0);
#endif
}

#if A_BITS == 64
A_COMPUTE count_ones(A_COMPUTE a) {
  uvec2 words = unpackUint2x32(UNSIGNED(a));
  return A_COMPUTE(bitCount(words.x) + bitCount(words.y));
}
A_COMPUTE count_leading_zeros(A_COMPUTE a) {
  uvec2 words = unpackUint2x32(UNSIGNED(a));
  return A_COMPUTE(words.y != 0u ? 31 - findMSB(words.y) : 63 - findMSB(words.x));
}
#else
uint low_bits(A_COMPUTE a) { return UNSIGNED(a) & (0xffffffffu >> (32 - A_BITS)); }
A_COMPUTE count_ones(A_COMPUTE a) { return A_COMPUTE(bitCount(low_bits(a))); }
A_COMPUTE count_leading_zeros(A_COMPUTE a) { return A_COMPUTE(A_BITS - 1 - findMSB(low_bits(a))); }
#endif
#endif
