#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// The shape that shapes meet in, aligned at the right, as NumPy. Throws "[op] shapes f32[2] and f32[3] do not
// broadcast".
Dims broadcast_dims(std::string_view op, std::span<const TensorSpec> specs);

// Throws "[op] f32[2] does not broadcast to f32[3]".
void check_broadcast(std::string_view op, const TensorSpec& from, const TensorSpec& to);

// Row-major strides in elements of a contiguous tensor read under the shape `to`: 0 along broadcast dimensions.
std::vector<int64_t> broadcast_strides(const Dims& from, const Dims& to);

// Loop nest over several tensors, outermost axis first.
struct Axis {
  int64_t extent = 1;
  std::vector<int64_t> strides;  // one a tensor, in elements
  bool operator==(const Axis&) const = default;
};

// The fewest axes that visit the same elements in the same order. strides[t][d] is tensor t's stride along dims[d].
// Never empty.
std::vector<Axis> collapse(const Dims& dims, std::span<const std::vector<int64_t>> strides);

}  // namespace nxv
