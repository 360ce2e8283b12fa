#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// window_sum, window_product, window_max and window_min. Attributes, lists with a number an axis: window, strides,
// padding (low and high an axis), window_dilations; see window_axes.h. The fold starts from the operation's identity
// and takes a window's elements in row-major order; floats narrower than f32 are rounded once, at its end.
OpPlan plan_window(const OpCall& call);

}  // namespace nxv
