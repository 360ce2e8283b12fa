#pragma once

#include "runtime/ops/axis_shape.h"
#include "runtime/ops/planner.h"

namespace nxv {

// argmax and argmin. Attributes: axis (absent: the flat index over all), keep_axis (1: as size 1), tie_break ("low",
// the default, or "high": the last of equal elements; of NaN the first counts always).
OpPlan plan_arg(const OpCall& call);

struct ArgChoice {
  bool smallest = false, last = false;
};

// Appends the dispatches that give, as u32 or s32, the index of the chosen element of each from[outer][..][inner].
void append_arg(PlanBuilder& plan, const ArgChoice& choice, const Operand& from, const AxisShape& shape,
                const Operand& to);

}  // namespace nxv
