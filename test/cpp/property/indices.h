#pragma once

// Tensors by their indices, for references.

#include <cstdint>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv::property {

// The elements at `axes` of `dims`.
Dims picked(const Dims& dims, const Dims& axes);
// The axes below `rank` that `axes` does not name, in order.
Dims other_axes(int64_t rank, const Dims& axes);
bool contains(const Dims& list, int64_t number);

// The element at `index`, row-major.
int64_t place_of(const Dims& dims, const Dims& index);

// For each index along the other axes, in row-major order, the elements that `axes` lead through, in row-major order of
// the sorted axes.
std::vector<std::vector<int64_t>> runs_along(const Dims& dims, const Dims& axes);

}  // namespace nxv::property
