#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// map1, map2, map3 and cast. Operands broadcast; arithmetic computes in the output's type, comparisons in the type that
// the operands meet in.
OpPlan plan_elementwise(const OpCall& call);

}  // namespace nxv
