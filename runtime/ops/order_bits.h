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

// A tensor around one axis, from[outer][n][inner].
struct AxisShape {
  int64_t outer = 1, n = 1, inner = 1;
};
AxisShape axis_shape(const Dims& dims, int64_t axis);

// from[outer][n][inner] as [outer][inner][n], and back.
Operand axis_last(PlanBuilder& plan, const Operand& from, const AxisShape& shape);
void axis_back(PlanBuilder& plan, const Operand& from, const AxisShape& shape, const Operand& to);

// The attribute that names one axis, counted from 0.
int64_t checked_axis(const PlanBuilder& plan, int64_t axis, const Dims& dims);

// The part of an operand from an element on.
Ref element_at(const Operand& operand, int64_t element);

}  // namespace nxv
