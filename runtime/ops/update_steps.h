#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ops/gather_steps.h"

namespace nxv {

// Updates of slices of a tensor. `to` holds the tensor already; `updates` has its type, [count][slice] without gaps;
// the indices of update u stand in a row, one for each of `indexed`.
struct IndexedUpdates {
  Operand to = {}, indices = {}, updates = {};
  int64_t count = 0;
  Dims slice = {};                    // of an update
  std::vector<int64_t> strides = {};  // of the slice's axes in `to`, in elements
  std::vector<IndexedAxis> indexed = {};
};

// Appends the dispatches. Of several updates of one place the last one counts.
void append_put(PlanBuilder& plan, const IndexedUpdates& updates);

// As a left fold: the tensor's element, then all its updates in the order of their indices. Floats narrower than f32
// are rounded once, at the end.
void append_add(PlanBuilder& plan, const IndexedUpdates& updates);

}  // namespace nxv
