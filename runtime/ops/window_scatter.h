#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// window_scatter_max and window_scatter_min of a tensor, a source and an initial value. The result has the tensor's
// shape and holds the initial value; each value of the source is added, in row-major order, where its window's last
// extreme is. Attributes as plan_window has them, without dilations.
OpPlan plan_window_scatter(const OpCall& call);

}  // namespace nxv
