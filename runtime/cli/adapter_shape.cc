// What moves, makes and views elements.

#include <algorithm>
#include <numeric>

#include "runtime/cli/adapter_rules.h"

namespace nxv::cli::adapter {

Tensors reshape(const Call& call) {
  return {viewed_as(call.in[0], call.out_or({call.in[0].spec.type, call.list("shape")}))};
}

Tensors squeeze(const Call& call) {
  const Dims& dims = call.in[0].spec.dims;
  std::vector<int64_t> axes = normal_axes(call.list("axes"), dims.size());
  Dims left;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    bool named = std::find(axes.begin(), axes.end(), static_cast<int64_t>(axis)) != axes.end();
    if (call.has("axes") ? !named : dims[axis] != 1) left.push_back(dims[axis]);
  }
  return {reshaped(call.in[0], left)};
}

Tensors bitcast(const Call& call) {
  Type type = parse_type(call.opts.at("type").get_ref<const std::string&>());
  return {viewed_as(call.in[0], {type, call.in[0].spec.dims})};
}

Tensors as_type(const Call& call) {
  Type type = parse_type(call.opts.at("type").get_ref<const std::string&>());
  if (type == call.in[0].spec.type) return {call.in[0]};
  return {call.session.run_one("as_type", {}, {type, call.in[0].spec.dims}, call.in)};
}

// With axes, input axis i becomes axis axes[i] of the result.
Tensors broadcast(const Call& call) {
  auto dims = call.opts.at("shape").get<Dims>();
  Tensor tensor = call.in[0];
  if (call.has("axes")) {
    std::vector<int64_t> axes = normal_axes(call.list("axes"), dims.size());
    Dims spread(dims.size(), 1);
    for (size_t i = 0; i < axes.size(); ++i) spread.at(static_cast<size_t>(axes[i])) = tensor.spec.dims.at(i);
    tensor = reshaped(tensor, spread);
  }
  return {broadcast_to(call, tensor, dims)};
}

// {a, b} tiled {m, n} times is {m, a, n, b} broadcast from {1, a, 1, b}.
Tensors tile(const Call& call) {
  std::vector<int64_t> repetitions = call.list("repetitions");
  Dims dims = call.in[0].spec.dims;
  size_t rank = std::max(dims.size(), repetitions.size());
  dims.insert(dims.begin(), rank - dims.size(), 1);
  repetitions.insert(repetitions.begin(), rank - repetitions.size(), 1);
  Dims apart, wide, result;
  for (size_t axis = 0; axis < rank; ++axis) {
    apart.insert(apart.end(), {1, dims[axis]});
    wide.insert(wide.end(), {repetitions[axis], dims[axis]});
    result.push_back(repetitions[axis] * dims[axis]);
  }
  return {reshaped(broadcast_to(call, reshaped(call.in[0], apart), wide), result)};
}

Tensors with_axes(const Call& call) {
  size_t rank = call.in[0].spec.dims.size();
  return {run(call, call.op, {{"axes", normal_axes(call.list("axes"), rank)}}, call.in)};
}

Tensors concatenate(const Call& call) {
  int64_t axis = normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size());
  return {run(call, "concatenate", {{"axis", axis}}, call.in)};
}

Tensors stack(const Call& call) {
  int64_t axis = normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size() + 1);
  return {run(call, "stack", {{"axis", axis}}, call.in)};
}

Tensors pad(const Call& call) {
  std::vector<int64_t> config;
  for (const json& axis : call.opts.at("config")) {
    for (const json& amount : axis) config.push_back(amount.get<int64_t>());
  }
  return {run(call, "pad", {{"config", config}}, call.in)};
}

namespace {

// Starts are numbers in the options, or one scalar tensor an axis after the first `fixed` inputs.
Tensors slice_with(const Call& call, std::string_view op, Attrs attrs, size_t fixed) {
  if (call.has("starts")) attrs["starts"] = call.list("starts");
  Tensors operands(call.in.begin(),
                   call.in.begin() + static_cast<std::ptrdiff_t>(call.has("starts") ? fixed : call.in.size()));
  return {run(call, op, attrs, operands)};
}

}  // namespace

Tensors slice(const Call& call) {
  Attrs attrs{{"lengths", call.list("lengths")}};
  if (call.has("strides")) attrs["strides"] = call.list("strides");
  return slice_with(call, "slice", attrs, 1);
}

// Cases found in bug reports give the starts before the slice, which has the first operand's rank.
Tensors put_slice(const Call& call) {
  if (call.in[1].spec.dims.size() == call.in[0].spec.dims.size()) return slice_with(call, "put_slice", {}, 2);
  Tensors operands{call.in[0], call.in.back()};
  operands.insert(operands.end(), call.in.begin() + 1, call.in.end() - 1);
  return {run(call, "put_slice", {}, operands)};
}

Tensors iota(const Call& call) {
  Attrs attrs;
  if (call.has("axis")) attrs["axis"] = normal_axis(call.opts.at("axis").get<int64_t>(), call.list("shape").size());
  Type type = parse_type(call.opts.at("type").get_ref<const std::string&>());
  return {call.session.run_one("iota", attrs, {type, call.list("shape")}, {})};
}

Tensors eye(const Call& call) {
  Type type = parse_type(call.opts.at("type").get_ref<const std::string&>());
  return {call.session.run_one("eye", {}, {type, call.list("shape")}, {})};
}

// tril keeps what lies on and below the k-th diagonal, triu what lies on and above.
Tensors triangle(const Call& call) {
  const Tensor& t = call.in[0];
  Type index = parse_type("s32");
  Dims plane(t.spec.dims.end() - 2, t.spec.dims.end());
  Tensor rows = call.session.run_one("iota", {{"axis", int64_t{0}}}, {index, plane}, {});
  Tensor columns = call.session.run_one("iota", {{"axis", int64_t{1}}}, {index, plane}, {});
  Tensor edge = between(call, "add", {}, {rows, number(call.opts.value("k", int64_t{0}), index)});
  Tensor mask = between(call, call.op == "tril" ? "greater_equal" : "less_equal", {}, {edge, columns});
  Tensors operands{broadcast_to(call, mask, t.spec.dims), t, number(0, t.spec.type)};
  return {run(call, "select", {}, operands)};
}

Tensors adjoint(const Call& call) {
  std::vector<int64_t> axes(call.in[0].spec.dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (axes.size() > 1) std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return {run(call, "transpose", {{"axes", axes}}, call.in)};
}

}  // namespace nxv::cli::adapter
