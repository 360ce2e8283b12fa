#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ops/builder.h"

namespace nxv {

// One axis of a copy: how far apart its elements are read and written, in elements.
struct CopyAxis {
  int64_t extent = 1;
  int64_t from = 0, to = 0;
  bool operator==(const CopyAxis&) const = default;
};

// A start index in device memory: an integer, clamped to 0 … limit by the kernel, that moves the read or the written
// box.
struct CopyStart {
  Operand index;
  uint64_t limit = 0;
  int64_t stride = 0;  // elements a step
};

// to[to_origin + Σ i·to_stride] = from[from_origin + Σ i·from_stride] for all indices. No element is written twice.
struct StridedCopy {
  Operand from = {}, to = {};  // elements of one type, each a whole tensor
  int64_t from_origin = 0, to_origin = 0;
  std::vector<CopyAxis> axes = {};
  std::vector<CopyStart> starts = {};
  bool starts_move_to = false;  // the written box, else the read one
};

// Appends the dispatches: as few axes and as wide elements as the strides and addresses allow, through the kernel that
// suits.
void append_copy(PlanBuilder& plan, const StridedCopy& copy);

// All of `from`, in order, to elements to_origin … of `to`.
void append_dense_copy(PlanBuilder& plan, const Operand& from, const Operand& to, int64_t to_origin = 0);

}  // namespace nxv
