#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// Operations by indices: integers of any type, clamped to their axis in the kernel.
//   gather (tensor, indices; axes): the last axis of indices holds one index for each of the axes, which are the first
//     ones where none are named; the result has the other axes of indices, then the tensor's axes that are left.
//   take (tensor, indices; axis): the axis is replaced by those of indices.
//   take_along_axis (tensor, indices; axis): indices has the tensor's shape, but for the axis.
OpPlan plan_indexed(const OpCall& call);

}  // namespace nxv
