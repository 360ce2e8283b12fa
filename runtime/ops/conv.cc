#include "runtime/ops/conv.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/conv_steps.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

// Dimensions in the order that the convolution has them, and how far apart elements along them are.
struct Ordered {
  Dims dims;
  std::vector<int64_t> strides;
};

Ordered ordered(const Dims& dims, const std::vector<int64_t>& permutation) {
  Ordered result;
  for (int64_t axis : permutation) {
    result.dims.push_back(dims[static_cast<size_t>(axis)]);
    result.strides.push_back(std::accumulate(dims.begin() + axis + 1, dims.end(), int64_t{1}, std::multiplies<>()));
  }
  return result;
}

class Conv {
 public:
  explicit Conv(const OpCall& call) : call_(call), plan_("conv", call.traits), attrs_("conv", call.attrs) {
    if (call.inputs.size() != 2) plan_.fail("takes 2 operands, not " + std::to_string(call.inputs.size()));
    if (call.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call.outs.size()));
  }

  OpPlan plan() {
    Convolution conv;
    conv.input = plan_.input(call_.inputs, 0);
    conv.kernel = plan_.input(call_.inputs, 1);
    const size_t rank = conv.input.spec.dims.size();
    if (rank < 2 || conv.kernel.spec.dims.size() != rank) {
      plan_.fail("takes an input and a kernel of one rank, 2 at least, not " + to_string(conv.input.spec) + " and " +
                 to_string(conv.kernel.spec));
    }
    const Ordered input = ordered(conv.input.spec.dims, permutation("input_permutation", rank));
    const Ordered kernel = ordered(conv.kernel.spec.dims, permutation("kernel_permutation", rank));
    const std::vector<int64_t> out_axes = permutation("output_permutation", rank);
    conv.axes = spatial_axes(input, kernel);
    const Dims dims = read_groups(conv, input, kernel);
    Dims placed(rank);
    for (size_t i = 0; i < rank; ++i) placed[static_cast<size_t>(out_axes[i])] = dims[i];
    conv.out = plan_.output(out_spec(conv, placed));
    const Ordered out = ordered(placed, out_axes);
    conv.out_batch = out.strides[0];
    conv.out_channel = out.strides[1];
    conv.out_group = conv.filters * out.strides[1];
    for (size_t d = 2; d < rank; ++d) conv.axes[d - 2].out_elements = out.strides[d];
    for (Operand* operand : {&conv.input, &conv.kernel}) {
      *operand = in_memory(plan_, cast_to(plan_, *operand, conv.out.spec.type));
    }
    append_convolution(plan_, conv);
    return plan_.finish();
  }

 private:
  std::vector<int64_t> permutation(std::string_view name, size_t rank) {
    std::vector<int64_t> axes(rank);
    std::iota(axes.begin(), axes.end(), int64_t{0});
    const std::optional<std::vector<int64_t>> given = attrs_.list(name);
    if (!given) return axes;
    if (!std::is_permutation(axes.begin(), axes.end(), given->begin(), given->end())) {
      plan_.fail(std::string(name) + " does not name each of " + std::to_string(rank) + " axes once");
    }
    return *given;
  }

  std::vector<int64_t> numbers(std::string_view name, size_t count, int64_t absent, bool positive) {
    const std::vector<int64_t> given = attrs_.list(name).value_or(std::vector<int64_t>(count, absent));
    const std::string what(name);
    if (given.size() != count) {
      plan_.fail(what + " has " + std::to_string(given.size()) + " numbers, not " + std::to_string(count));
    }
    for (int64_t number : given) {
      if (positive && number < 1) plan_.fail(what + " has " + std::to_string(number));
    }
    return given;
  }

  std::vector<ConvAxis> spatial_axes(const Ordered& input, const Ordered& kernel) {
    const size_t count = input.dims.size() - 2;
    const std::vector<int64_t> strides = numbers("strides", count, 1, true),
                               padding = numbers("padding", 2 * count, 0, false),
                               dilation = numbers("input_dilation", count, 1, true),
                               kernel_dilation = numbers("kernel_dilation", count, 1, true);
    std::vector<ConvAxis> axes(count);
    for (size_t d = 0; d < count; ++d) {
      ConvAxis& axis = axes[d];
      axis.extent = input.dims[d + 2];
      axis.kernel = kernel.dims[d + 2];
      axis.stride = strides[d];
      axis.low = padding[2 * d];
      axis.dilation = axis.extent == 1 ? 1 : dilation[d];
      axis.kernel_dilation = kernel_dilation[d];
      axis.in_elements = input.strides[d + 2];
      axis.kernel_elements = kernel.strides[d + 2];
      const int64_t padded = (axis.extent - 1) * axis.dilation + 1 + axis.low + padding[2 * d + 1];
      const int64_t covered = (axis.kernel - 1) * axis.kernel_dilation + 1;
      if (covered > padded) {
        plan_.fail("a kernel over " + std::to_string(covered) + " elements does not fit into " +
                   std::to_string(padded) + " along spatial axis " + std::to_string(d));
      }
      axis.out = (padded - covered) / axis.stride + 1;
    }
    return axes;
  }

  // Cuts channels or batches into groups; returns the result's dimensions.
  Dims read_groups(Convolution& conv, const Ordered& input, const Ordered& kernel) {
    const int64_t features = attrs_.integer("feature_group_size", 1), batches = attrs_.integer("batch_group_size", 1);
    attrs_.finish();
    const int64_t filters = kernel.dims[0];
    if (features < 1 || batches < 1) plan_.fail("has groups of no size");
    if (features > 1 && batches > 1) plan_.fail("groups features or batches, not both");
    if (input.dims[1] != kernel.dims[1] * features) {
      plan_.fail("has " + std::to_string(input.dims[1]) + " input channels for a kernel of " +
                 std::to_string(kernel.dims[1]) + " in " + std::to_string(features) + " groups");
    }
    conv.groups = features * batches;
    if (filters % conv.groups != 0 || input.dims[0] % batches != 0) {
      plan_.fail(std::to_string(filters) + " output channels of " + std::to_string(input.dims[0]) +
                 " batches do not part into " + std::to_string(conv.groups) + " groups");
    }
    conv.batches = input.dims[0] / batches;
    conv.channels = kernel.dims[1];
    conv.filters = filters / conv.groups;
    conv.in_batch = input.strides[0];
    conv.in_channel = input.strides[1];
    conv.in_group = features > 1 ? conv.channels * conv.in_channel : conv.batches * conv.in_batch;
    conv.kernel_out = kernel.strides[0];
    conv.kernel_in = kernel.strides[1];
    conv.kernel_group = conv.filters * conv.kernel_out;
    Dims dims{conv.batches, filters};
    for (const ConvAxis& axis : conv.axes) dims.push_back(axis.out);
    return dims;
  }

  TensorSpec out_spec(const Convolution& conv, const Dims& dims) const {
    if (call_.outs.empty()) return {to_floating(merge_types(conv.input.spec.type, conv.kernel.spec.type)), dims};
    if (call_.outs[0].dims != dims) {
      plan_.fail("gives " + to_string({call_.outs[0].type, dims}) + ", not " + to_string(call_.outs[0]));
    }
    return call_.outs[0];
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
};

}  // namespace

OpPlan plan_conv(const OpCall& call) { return Conv(call).plan(); }

}  // namespace nxv
