#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// bitcast, broadcast, transpose, slice, put_slice, reverse, pad, concatenate and stack. Operands are cast to the
// output's type; the output's shape is inferred, and must be the wanted one where there is one.
OpPlan plan_copy(const OpCall& call);

}  // namespace nxv
