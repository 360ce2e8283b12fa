#pragma once

#include <string>

#include "runtime/ops/builder.h"

namespace nxv {

// How kernels that are keyed by width see an element type: the constants of order_bits.glsl.
struct OrderBits {
  uint32_t kind = 0;      // 0 unsigned, 1 signed, 2 float, 3 keys of floats
  uint32_t infinity = 0;  // of floats: the largest magnitude that is no NaN; of 64 bits the upper half

  void add_to(StepWriter& step) const { step.constant(10, kind).constant(11, infinity); }
};

// Of a real type that fills bytes.
OrderBits order_bits(Type type);

// "b32": the width of a type's elements.
std::string width_name(Type type);

}  // namespace nxv
