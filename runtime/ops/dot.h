#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// dot. Attributes, lists of axes: contract_a and contract_b (absent: the last axis of a with the last but one of b),
// batch_a and batch_b (absent: none). The output is batch ++ free axes of a ++ free axes of b.
OpPlan plan_dot(const OpCall& call);

}  // namespace nxv
