// What the rules of the adapter share.

#include <utility>

#include "runtime/cli/adapter_rules.h"

namespace nxv::cli::adapter {

int64_t normal_axis(int64_t axis, size_t rank) { return axis < 0 ? axis + static_cast<int64_t>(rank) : axis; }

std::vector<int64_t> normal_axes(std::vector<int64_t> axes, size_t rank) {
  for (int64_t& axis : axes) axis = normal_axis(axis, rank);
  return axes;
}

Tensor number(int64_t value, Type type) { return {{type, {}}, {}, Scalar{value}}; }

Tensor run(const Call& call, std::string_view op, const Attrs& attrs, std::span<const Tensor> inputs) {
  return call.session.run(op, attrs, call.outs, inputs).at(0);
}

Tensor between(const Call& call, std::string_view op, const Attrs& attrs, const Tensors& inputs) {
  return call.session.run(op, attrs, {}, inputs).at(0);
}

Tensor reshaped(const Tensor& tensor, Dims dims) { return viewed_as(tensor, {tensor.spec.type, std::move(dims)}); }

Tensor broadcast_to(const Call& call, const Tensor& tensor, const Dims& dims) {
  if (tensor.spec.dims == dims) return tensor;
  return call.session.run_one("broadcast", {}, {tensor.spec.type, dims}, std::span(&tensor, 1));
}

Attrs reduction(const Call& call) {
  Attrs attrs;
  if (call.has("axes")) attrs["axes"] = normal_axes(call.list("axes"), call.in[0].spec.dims.size());
  if (call.opts.value("keep_axes", false)) attrs["keep_axes"] = int64_t{1};
  return attrs;
}

Tensor divided(const Call& call, const Tensor& tensor, int64_t count) {
  Tensors operands{tensor, number(count, tensor.spec.type)};
  return run(call, "divide", {}, operands);
}

}  // namespace nxv::cli::adapter
