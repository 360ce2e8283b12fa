#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ops/broadcast.h"
#include "runtime/ops/builder.h"

namespace nxv {

// An axis of a tensor that indices point into.
struct IndexedAxis {
  int64_t size = 1, stride = 1;  // elements
  bool operator==(const IndexedAxis&) const = default;
};

// For every index r of `dims`, row-major: to[r] = from[Σ r·from_stride + Σ clamp(index k)·stride k], with the indices
// in a row at Σ r·index_stride.
struct Gather {
  Operand from = {}, indices = {}, to = {};
  Dims dims = {};
  std::vector<int64_t> from_strides = {}, index_strides = {};  // one an axis of dims, in elements
  std::vector<IndexedAxis> indexed = {};
};

// Appends the dispatches, with elements as wide as strides and addresses allow.
void append_gather(PlanBuilder& plan, const Gather& gather);

// What kernels call the type of an index: its bytes, plus 16 if it has a sign.
uint32_t index_code(Type type);

}  // namespace nxv
