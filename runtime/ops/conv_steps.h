#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ops/builder.h"

namespace nxv {

// A spatial axis of a convolution. Strides in memory are in elements.
struct ConvAxis {
  int64_t out = 1, extent = 1, kernel = 1;
  int64_t stride = 1, low = 0;  // low: padding before the first element; negative: elements left out
  int64_t dilation = 1, kernel_dilation = 1;
  int64_t in_elements = 0, kernel_elements = 0, out_elements = 0;

  // Each output position is its own element of the input.
  bool is_plain() const { return kernel == 1 && stride == 1 && low == 0 && dilation == 1 && out == extent; }
};

// For each group: out[batch, i, o…] = Σ kernel[i, c, k…] · input[batch, c, o · stride + k · kernel_dilation − low …].
struct Convolution {
  Operand input = {}, kernel = {}, out = {};                   // of one type; each a whole tensor
  int64_t groups = 1, batches = 1, channels = 1, filters = 1;  // of a group: batches, channels of the input and output
  int64_t in_group = 0, in_batch = 0, in_channel = 0;
  int64_t kernel_group = 0, kernel_out = 0, kernel_in = 0;
  int64_t out_group = 0, out_batch = 0, out_channel = 0;
  std::vector<ConvAxis> axes = {};  // outermost first
};

void append_convolution(PlanBuilder& plan, const Convolution& convolution);

}  // namespace nxv
