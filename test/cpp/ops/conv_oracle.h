#pragma once

// Convolutions, straight from their definition.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/ops/op.h"
#include "test/cpp/ops/window_oracle.h"

namespace nxv::oracle {

// Dimensions as the operands have them in memory.
struct Conv {
  Dims input, kernel;
  Dims strides, padding, input_dilation, kernel_dilation;
  int64_t features = 1, batches = 1;
  Dims input_permutation, kernel_permutation, output_permutation;

  size_t spatial() const { return input.size() - 2; }
  Attrs attrs() const {
    return {{"strides", strides},
            {"padding", padding},
            {"input_dilation", input_dilation},
            {"kernel_dilation", kernel_dilation},
            {"feature_group_size", features},
            {"batch_group_size", batches},
            {"input_permutation", input_permutation},
            {"kernel_permutation", kernel_permutation},
            {"output_permutation", output_permutation}};
  }
};

inline Dims permuted(const Dims& dims, const Dims& permutation) {
  Dims result;
  for (int64_t axis : permutation) result.push_back(dims[static_cast<size_t>(axis)]);
  return result;
}

// The element of a tensor of these dimensions whose index along axis permutation[i] is index[i].
inline size_t conv_element(const Dims& dims, const Dims& permutation, const Dims& index) {
  Dims placed(dims.size());
  for (size_t i = 0; i < index.size(); ++i) placed[static_cast<size_t>(permutation[i])] = index[i];
  int64_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) at = at * dims[d] + placed[d];
  return static_cast<size_t>(at);
}

inline Dims conv_dims(const Conv& one) {
  const Dims input = permuted(one.input, one.input_permutation), kernel = permuted(one.kernel, one.kernel_permutation);
  Dims dims{input[0] / one.batches, kernel[0]}, placed(input.size());
  for (size_t d = 0; d < one.spatial(); ++d) {
    const int64_t padded = (input[d + 2] - 1) * one.input_dilation[d] + 1 + one.padding[2 * d] + one.padding[2 * d + 1];
    dims.push_back((padded - (kernel[d + 2] - 1) * one.kernel_dilation[d] - 1) / one.strides[d] + 1);
  }
  for (size_t i = 0; i < dims.size(); ++i) placed[static_cast<size_t>(one.output_permutation[i])] = dims[i];
  return placed;
}

// The index into the input along spatial axis d, or -1.
inline int64_t under_kernel(const Conv& one, size_t d, int64_t out, int64_t k, int64_t extent) {
  const int64_t x = out * one.strides[d] + k * one.kernel_dilation[d] - one.padding[2 * d];
  if (x < 0 || x % one.input_dilation[d] != 0 || x / one.input_dilation[d] >= extent) return -1;
  return x / one.input_dilation[d];
}

template <typename W>
std::vector<W> convolved(const Conv& one, const std::vector<W>& a, const std::vector<W>& b) {
  const Dims input = permuted(one.input, one.input_permutation), kernel = permuted(one.kernel, one.kernel_permutation);
  const Dims placed = conv_dims(one), out = permuted(placed, one.output_permutation);
  const int64_t filters = kernel[0] / (one.features * one.batches), batches = input[0] / one.batches;
  std::vector<W> results(static_cast<size_t>(element_count(placed)));
  Dims window = kernel;
  window.erase(window.begin());
  for_indices(out, [&](const Dims& o) {
    const int64_t group = o[1] / filters;
    W sum = 0;
    for_indices(window, [&](const Dims& k) {
      Dims from{o[0] + (one.batches > 1 ? group * batches : 0), k[0] + (one.features > 1 ? group * kernel[1] : 0)};
      for (size_t d = 0; d < one.spatial(); ++d) {
        from.push_back(under_kernel(one, d, o[d + 2], k[d + 1], input[d + 2]));
        if (from.back() < 0) return;
      }
      Dims weight = k;
      weight.insert(weight.begin(), o[1]);
      sum += a[conv_element(one.input, one.input_permutation, from)] *
             b[conv_element(one.kernel, one.kernel_permutation, weight)];
    });
    results[conv_element(placed, one.output_permutation, o)] = sum;
  });
  return results;
}

}  // namespace nxv::oracle
