#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// Operations by indices: integers of any type, clamped to their axis in the kernel.
//   gather (tensor, indices; axes): the last axis of indices holds one index for each of the axes, which are the first
//     ones where none are named; the result has the other axes of indices, then the tensor's axes that are left.
//   take (tensor, indices; axis): the axis is replaced by those of indices.
//   take_along_axis (tensor, indices; axis): indices has the tensor's shape, but for the axis.
//   indexed_put, indexed_add (tensor, indices, updates; axes): updates has the shape that gather would give, or less of
//     each axis that is left: it goes to the start of the slice then. Of several for one place the last counts, or all
//     are added one by one in the order of their indices.
OpPlan plan_indexed(const OpCall& call);

}  // namespace nxv
