#pragma once

#include <cstdint>

#include "runtime/ops/type.h"

namespace nxv {

// The layout of a binary float, sign first: of a complex type, that of its parts.
struct FloatFormat {
  int exponent_bits = 8, fraction_bits = 23;
  bool has_infinity = true;  // else all exponents are those of numbers, only the largest magnitude is NaN

  int bits() const { return 1 + exponent_bits + fraction_bits; }
};

// Throws internal for integers.
FloatFormat float_format(Type type);

// Exact for every format.
double decode_float(uint64_t bits, FloatFormat format);

// Rounds once, to nearest even. What is too large becomes infinite, or the largest number where there is no infinity.
uint64_t encode_float(double value, FloatFormat format);
uint64_t encode_float(int64_t value, FloatFormat format);
uint64_t encode_float(uint64_t value, FloatFormat format);

}  // namespace nxv
