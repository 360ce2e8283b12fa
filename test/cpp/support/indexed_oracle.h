#pragma once

// What indices point at, one element after the other.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// A tensor of integers, `values` as the type holds them.
struct IndexTensor {
  Type type{};
  Dims dims;
  std::vector<std::byte> bytes;
};

// Indices for axes of the given sizes, one of each in the last dimension of `dims`: mostly within, some at the limits
// of the type.
IndexTensor random_indices(Type type, const Dims& dims, const std::vector<int64_t>& sizes, uint32_t seed);

// The element of `dims` that each update and each element of its slice comes to: [updates][slice]. A slice has all of
// the axes that are not indexed, or `some` of each.
std::vector<int64_t> indexed_places(const Dims& dims, const std::vector<int64_t>& axes, const IndexTensor& indices,
                                    const Dims& some = {});

// Index i of the tensor, clamped to 0 … size - 1.
int64_t clamped_index(const IndexTensor& indices, int64_t i, int64_t size);

}  // namespace nxv
