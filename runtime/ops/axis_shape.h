#pragma once

#include <cstdint>

#include "runtime/ops/builder.h"

namespace nxv {

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
