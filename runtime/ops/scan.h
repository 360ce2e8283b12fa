#pragma once

#include <string_view>

#include "runtime/ops/axis_shape.h"
#include "runtime/ops/planner.h"

namespace nxv {

// cumulative_sum, cumulative_product, cumulative_max and cumulative_min. Attributes: axis (absent: 0), reverse (1: runs
// begin at their end).
OpPlan plan_scan(const OpCall& call);

// Appends the dispatches of op over from[outer][n][inner]. `to` has the type and the elements of `from`.
void append_scan(PlanBuilder& plan, std::string_view op, const Operand& from, const AxisShape& shape, bool reverse,
                 const Operand& to);

}  // namespace nxv
