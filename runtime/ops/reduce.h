#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// sum, product, reduce_max, reduce_min, all and any. Attributes: axes (absent: all), keep_axes (1: as size 1).
OpPlan plan_reduce(const OpCall& call);

}  // namespace nxv
