#pragma once
// Conversions between element types by NUMERICS: floats to integers truncate, then saturate, NaN gives 0; integers wrap; integers and
// doubles to floats round to nearest even, by integer arithmetic, so that a device's rounding mode does not matter.
#include "float_bits.glsl"
#include "float_width.glsl"
#include "rounded.glsl"

// Complex numbers convert part by part.
#if defined(A_COMPLEX) && A_BITS == 64
#define FROM float
#define FROM_BITS 32
#define FROM_FLOAT 1
#elif defined(A_COMPLEX)
#define FROM double
#define FROM_BITS 64
#define FROM_FLOAT 1
#else
#define FROM A_COMPUTE
#define FROM_BITS A_BITS
#ifdef A_FLOAT
#define FROM_FLOAT 1
#endif
#endif
#if defined(Z_COMPLEX)
#define TO_FLOAT_BITS (Z_BITS / 2)
#elif defined(Z_FLOAT)
#define TO_FLOAT_BITS Z_BITS
#endif

#if defined(TO_FLOAT_BITS) && TO_FLOAT_BITS <= 32
float convert_to_float(float a) { return a; }
float convert_to_float(uint a) { return rounded(a, 0); }
float convert_to_float(int a) {
  const float magnitude = rounded(a < 0 ? -uint(a) : uint(a), 0);
  return a < 0 ? -magnitude : magnitude;
}
#if A_BITS == 64 && defined(A_SINT)
float convert_to_float(int64_t a) {
  const float magnitude = rounded(unpackUint2x32(a < 0 ? -uint64_t(a) : uint64_t(a)));
  return a < 0 ? -magnitude : magnitude;
}
#elif A_BITS == 64 && defined(A_UINT)
float convert_to_float(uint64_t a) { return rounded(unpackUint2x32(a)); }
#endif
#endif

#if defined(TO_FLOAT_BITS) && TO_FLOAT_BITS == 64
double convert_to_double(double a) { return a; }
double convert_to_double(uint a) { return double(a); }
double convert_to_double(int a) { return double(a); }
#if A_BITS == 64 && (defined(A_SINT) || defined(A_UINT))
double convert_to_double(int64_t a) {
  return double(int(a >> 32)) * 4294967296.0lf + double(uint(a));  // only the sum rounds
}
double convert_to_double(uint64_t a) { return double(uint(a >> 32)) * 4294967296.0lf + double(uint(a)); }
#endif
#endif

#if defined(FROM_FLOAT) && (defined(Z_SINT) || defined(Z_UINT))
// `least` and `beyond` are the limits of Z as floats: the least value, and the first one too large.
#if Z_BITS == 64
#define WIDE int64_t
#else
#define WIDE int
#endif
#ifdef Z_SINT
Z_COMPUTE convert_to_integer(FROM a) {
  const FROM beyond = FROM(WIDE(1) << (Z_BITS - 2)) * FROM(2);
  const Z_COMPUTE least = -(Z_COMPUTE(1) << (Z_BITS - 2)) * Z_COMPUTE(2);
  if (nan_bits(a)) return Z_COMPUTE(0);
  if (a >= beyond) return ~least;
  if (a <= -beyond) return least;
  return Z_COMPUTE(a);
}
#else
Z_COMPUTE convert_to_integer(FROM a) {
  const FROM beyond = FROM(WIDE(1) << (Z_BITS - 2)) * FROM(4);
  if (nan_bits(a) || a <= FROM(0)) return Z_COMPUTE(0);
  if (a >= beyond) return Z_COMPUTE(~Z_COMPUTE(0)) >> (Z_BITS < 32 ? 32 - Z_BITS : 0);
  return Z_COMPUTE(a);
}
#endif
#endif

Z_COMPUTE convert(A_COMPUTE a) {
#if defined(A_COMPLEX) && defined(Z_COMPLEX) && Z_BITS == 64
  return Z_COMPUTE(convert_to_float(a.x), convert_to_float(a.y));
#elif defined(A_COMPLEX) && defined(Z_COMPLEX)
  return Z_COMPUTE(convert_to_double(a.x), convert_to_double(a.y));
#else
#ifdef A_COMPLEX
  const FROM part = a.x;
#else
  const FROM part = a;
#endif
#if defined(Z_COMPLEX) && Z_BITS == 64
  return Z_COMPUTE(convert_to_float(part), 0.0);
#elif defined(Z_COMPLEX)
  return Z_COMPUTE(convert_to_double(part), 0.0lf);
#elif defined(Z_FLOAT) && Z_BITS <= 32
  return convert_to_float(part);
#elif defined(Z_FLOAT)
  return convert_to_double(part);
#elif defined(FROM_FLOAT)
  return convert_to_integer(part);
#else
  return Z_COMPUTE(part);
#endif
#endif
}
