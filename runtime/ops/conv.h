#pragma once

#include "runtime/ops/planner.h"

namespace nxv {

// conv of an input {batch, channels, spatial…} and a kernel {output channels, input channels, spatial…}, in this order
// after input_permutation and kernel_permutation; axis i of the result {batch, output channels, spatial…} is axis
// output_permutation[i] of the output. Attributes, lists with a number a spatial axis: strides, padding (low and high),
// input_dilation, kernel_dilation; numbers: feature_group_size, batch_group_size. All may be absent. The output is
// floating or complex; floats narrower than f32 are added up as f32.
OpPlan plan_conv(const OpCall& call);

}  // namespace nxv
