#include "runtime/cli/adapter.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "runtime/cli/case.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

namespace {

using nlohmann::json;
using Tensors = std::vector<Tensor>;

struct Call {
  Session& session;
  const std::string& op;
  const json& opts;
  std::span<const Tensor> in;
  std::span<const TensorSpec> outs;

  // The wanted output, or what is known of it without a planner.
  TensorSpec out_or(const TensorSpec& known) const { return outs.empty() ? known : outs[0]; }
  std::vector<int64_t> list(const char* name) const { return opts.value(name, std::vector<int64_t>{}); }
  bool has(const char* name) const { return opts.contains(name) && !opts.at(name).is_null(); }
};

int64_t normal_axis(int64_t axis, size_t rank) { return axis < 0 ? axis + static_cast<int64_t>(rank) : axis; }

std::vector<int64_t> normal_axes(std::vector<int64_t> axes, size_t rank) {
  for (int64_t& axis : axes) axis = normal_axis(axis, rank);
  return axes;
}

Tensor number(int64_t value, Type type) { return {{type, {}}, {}, Scalar{value}}; }

Tensor run(const Call& call, std::string_view op, const Attrs& attrs, std::span<const Tensor> inputs) {
  return call.session.run(op, attrs, call.outs, inputs).at(0);
}

// Without a wanted output: for what lies between.
Tensor between(const Call& call, std::string_view op, const Attrs& attrs, const Tensors& inputs) {
  return call.session.run(op, attrs, {}, inputs).at(0);
}

Tensors direct(const Call& call) { return call.session.run(call.op, {}, call.outs, call.in); }

// reshape, squeeze, bitcast: the same bytes.
Tensor reshaped(const Tensor& tensor, Dims dims) { return viewed_as(tensor, {tensor.spec.type, std::move(dims)}); }

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

Tensor broadcast_to(const Call& call, const Tensor& tensor, const Dims& dims) {
  if (tensor.spec.dims == dims) return tensor;
  return call.session.run_one("broadcast", {}, {tensor.spec.type, dims}, std::span(&tensor, 1));
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

Attrs reduction(const Call& call) {
  Attrs attrs;
  if (call.has("axes")) attrs["axes"] = normal_axes(call.list("axes"), call.in[0].spec.dims.size());
  if (call.opts.value("keep_axes", false)) attrs["keep_axes"] = int64_t{1};
  return attrs;
}

Tensors reduce(const Call& call) { return {run(call, call.op, reduction(call), call.in)}; }

Tensors arg_reduce(const Call& call) {
  Attrs attrs{{"tie_break", call.opts.value("tie_break", std::string("low"))}};
  if (call.has("axis")) attrs["axis"] = normal_axis(call.opts.at("axis").get<int64_t>(), call.in[0].spec.dims.size());
  if (call.opts.value("keep_axis", false)) attrs["keep_axis"] = int64_t{1};
  return {run(call, call.op, attrs, call.in)};
}

Tensors scan(const Call& call) {
  Attrs attrs{{"axis", normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size())}};
  if (call.opts.value("reverse", false)) attrs["reverse"] = int64_t{1};
  return {run(call, call.op, attrs, call.in)};
}

Tensors sort(const Call& call) {
  Attrs attrs{{"direction", call.opts.value("direction", std::string("asc"))}};
  const size_t rank = call.in[0].spec.dims.size();
  if (rank > 0) attrs["axis"] = normal_axis(call.opts.value("axis", int64_t{0}), rank);
  return {run(call, call.op, attrs, call.in)};
}

// The two elements of a vector, as scalars.
Tensors halves(const Call& call, const Tensor& two) {
  Tensors parts;
  for (int64_t start : {0, 1}) {
    const Attrs attrs{{"starts", Dims{start}}, {"lengths", Dims{1}}};
    parts.push_back(reshaped(between(call, "slice", attrs, {two}), {}));
  }
  return parts;
}

// The middle of the sorted elements, or the mean of the two there.
Tensors median(const Call& call) {
  Tensor t = call.in[0];
  const bool whole = !call.has("axis");
  if (whole) t = reshaped(t, {element_count(t.spec.dims)});
  const int64_t axis = whole ? 0 : normal_axis(call.opts.at("axis").get<int64_t>(), t.spec.dims.size());
  const int64_t n = t.spec.dims.at(static_cast<size_t>(axis)), some = n % 2 == 1 ? 1 : 2;
  Dims starts(t.spec.dims.size(), 0), lengths = t.spec.dims;
  starts[static_cast<size_t>(axis)] = (n - some + 1) / 2;
  lengths[static_cast<size_t>(axis)] = some;
  const Tensor middle = between(call, "slice", {{"starts", starts}, {"lengths", lengths}},
                                {between(call, "sort", {{"axis", axis}}, {t})});
  Dims kept = middle.spec.dims;
  if (call.opts.value("keep_axis", false) && !whole) {
    kept[static_cast<size_t>(axis)] = 1;
  } else {
    kept.erase(kept.begin() + axis);
  }
  if (some == 1) return {reshaped(middle, kept)};
  // Without an axis Nx adds the two in their own type, and integers wrap.
  const Tensor sum =
      whole ? between(call, "add", {}, halves(call, middle)) : between(call, "sum", {{"axes", Dims{axis}}}, {middle});
  Tensors operands{reshaped(sum, kept), number(2, sum.spec.type)};
  return {run(call, "divide", {}, operands)};
}

Tensors top_k(const Call& call) {
  return call.session.run("top_k", {{"k", call.opts.value("k", int64_t{1})}}, call.outs, call.in);
}

int64_t reduced_count(const Call& call) {
  const Dims& dims = call.in[0].spec.dims;
  if (!call.has("axes")) return element_count(dims);
  int64_t count = 1;
  for (int64_t axis : normal_axes(call.list("axes"), dims.size())) count *= dims.at(static_cast<size_t>(axis));
  return count;
}

Tensor divided(const Call& call, const Tensor& tensor, int64_t count) {
  Tensors operands{tensor, number(count, tensor.spec.type)};
  return run(call, "divide", {}, operands);
}

Tensors mean(const Call& call) {
  return {divided(call, between(call, "sum", reduction(call), {call.in[0]}), reduced_count(call))};
}

// The mean square of what is left when the mean is taken away.
Tensor squares(const Call& call) {
  Attrs kept = reduction(call);
  kept["keep_axes"] = int64_t{1};
  Tensor total = between(call, "sum", kept, {call.in[0]});
  Tensor center = between(call, "divide", {}, {total, number(reduced_count(call), total.spec.type)});
  Tensor apart = between(call, "subtract", {}, {call.in[0], center});
  return between(call, "sum", reduction(call), {between(call, "multiply", {}, {apart, apart})});
}

Tensors variance(const Call& call) {
  return {divided(call, squares(call), reduced_count(call) - call.opts.value("ddof", int64_t{0}))};
}

Tensors standard_deviation(const Call& call) {
  Tensor total = squares(call);
  int64_t count = reduced_count(call) - call.opts.value("ddof", int64_t{0});
  Tensors operands{between(call, "divide", {}, {total, number(count, total.spec.type)})};
  return {run(call, "sqrt", {}, operands)};
}

Tensors outer(const Call& call) {
  const Tensor &a = call.in[0], &b = call.in[1];
  Tensors operands{reshaped(a, {element_count(a.spec.dims), 1}), reshaped(b, {1, element_count(b.spec.dims)})};
  return {run(call, "multiply", {}, operands)};
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

// Starts are numbers in the options, or one scalar tensor an axis after the first `fixed` inputs.
Tensors slice_with(const Call& call, std::string_view op, Attrs attrs, size_t fixed) {
  if (call.has("starts")) attrs["starts"] = call.list("starts");
  Tensors operands(call.in.begin(),
                   call.in.begin() + static_cast<std::ptrdiff_t>(call.has("starts") ? fixed : call.in.size()));
  return {run(call, op, attrs, operands)};
}

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

// gather, indexed_put, indexed_add.
Tensors indexed(const Call& call) {
  Attrs attrs;
  if (call.has("axes")) attrs["axes"] = normal_axes(call.list("axes"), call.in[0].spec.dims.size());
  return {run(call, call.op, attrs, call.in)};
}

Tensors take(const Call& call) {
  int64_t axis = normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size());
  return {run(call, call.op, {{"axis", axis}}, call.in)};
}

// Where the diagonal of the last two axes lies, one index an axis, for each of the batches.
Tensor diagonal_indices(const Call& call, const Dims& dims) {
  const int64_t offset = call.opts.value("offset", int64_t{0});
  const size_t rank = dims.size();
  const int64_t batches = element_count(Dims(dims.begin(), dims.end() - 2));
  std::vector<int64_t> indices;
  for (int64_t batch = 0; batch < batches; ++batch) {
    int64_t row = std::max<int64_t>(-offset, 0), column = std::max<int64_t>(offset, 0);
    for (; row < dims[rank - 2] && column < dims[rank - 1]; ++row, ++column) {
      const size_t first = indices.size();
      int64_t rest = batch;
      indices.resize(first + rank);
      for (size_t d = rank - 2; d-- > 0; rest /= dims[d]) indices[first + d] = rest % dims[d];
      indices[first + rank - 2] = row;
      indices[first + rank - 1] = column;
    }
  }
  const auto each = static_cast<int64_t>(rank);
  HostTensor host{{parse_type("s64"), {static_cast<int64_t>(indices.size()) / each, each}}, {}};
  const auto bytes = std::as_bytes(std::span(indices));
  host.bytes.assign(bytes.begin(), bytes.end());
  return call.session.upload(host);
}

Tensors take_diagonal(const Call& call) {
  const Dims& dims = call.in[0].spec.dims;
  const Tensor all = between(call, "gather", {}, {call.in[0], diagonal_indices(call, dims)});
  Dims result(dims.begin(), dims.end() - 2);
  result.push_back(element_count(all.spec.dims) / element_count(result));
  return {reshaped(all, result)};
}

Tensors put_diagonal(const Call& call) {
  const Tensor& diagonal = call.in[1];
  Tensors operands{call.in[0], diagonal_indices(call, call.in[0].spec.dims),
                   reshaped(diagonal, {element_count(diagonal.spec.dims)})};
  return {run(call, "indexed_put", {}, operands)};
}

Tensors make_diagonal(const Call& call) {
  Dims dims = call.in[0].spec.dims;
  dims.back() += std::abs(call.opts.value("offset", int64_t{0}));
  dims.push_back(dims.back());
  const Type type = call.out_or({merge_types(parse_type("s32"), call.in[0].spec.type), dims}).type;
  const Tensor zeros = call.session.run_one("broadcast", {}, {type, dims}, Tensors{number(0, type)});
  Tensors operands{zeros, diagonal_indices(call, dims), reshaped(call.in[0], {element_count(call.in[0].spec.dims)})};
  return {run(call, "indexed_put", {}, operands)};
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

// A number an axis, from a list or one number for all.
std::vector<int64_t> per_axis(const Call& call, const char* name, size_t rank) {
  if (!call.has(name)) return std::vector<int64_t>(rank, 1);
  const json& given = call.opts.at(name);
  return given.is_array() ? given.get<std::vector<int64_t>>() : std::vector<int64_t>(rank, given.get<int64_t>());
}

// Low and high an axis; "same" leaves as many positions as there are elements where strides are 1.
std::vector<int64_t> padding_of(const Call& call, const std::vector<int64_t>& window,
                                const std::vector<int64_t>& dilations) {
  std::vector<int64_t> padding;
  const bool listed = call.has("padding") && call.opts.at("padding").is_array();
  const bool same = !listed && call.opts.value("padding", "valid") == "same";
  for (size_t d = 0; d < window.size(); ++d) {
    const int64_t added = same ? (window[d] - 1) * dilations[d] : 0;
    const json pair = listed ? call.opts.at("padding").at(d) : json{added / 2, added - added / 2};
    for (const json& amount : pair) padding.push_back(amount.get<int64_t>());
  }
  return padding;
}

Attrs window_attrs(const Call& call) {
  const std::vector<int64_t> window = call.list("window");
  const std::vector<int64_t> dilations = per_axis(call, "window_dilations", window.size());
  return {{"window", window},
          {"strides", per_axis(call, "strides", window.size())},
          {"padding", padding_of(call, window, dilations)},
          {"window_dilations", dilations}};
}

Tensors window(const Call& call) { return {run(call, call.op, window_attrs(call), call.in)}; }

Tensors window_scatter(const Call& call) {
  // Nx.BinaryBackend adds the values as f32, whatever their type.
  if (!call.outs.empty() && call.outs[0].type == Type::f64) throw Skip{call.op + " of f64: the reference adds in f32"};
  return window(call);
}

Tensors window_mean(const Call& call) {
  int64_t size = 1;
  for (int64_t extent : call.list("window")) size *= extent;
  return {divided(call, between(call, "window_sum", window_attrs(call), {call.in[0]}), size)};
}

// The operations that a reducer of Nx comes down to.
struct Reducer {
  std::string_view fun, reduction, window;
};
constexpr Reducer kReducers[] = {
    {"add", "sum", "window_sum"}, {"multiply", "product", "window_product"}, {"max", "reduce_max", "window_max"}};

const Reducer& reducer_of(const Call& call) {
  const auto& fun = call.opts.at("fun").get_ref<const std::string&>();
  const auto* found = std::ranges::find(kReducers, fun, &Reducer::fun);
  if (found == std::end(kReducers)) throw Skip{call.op + " with " + fun};
  return *found;
}

// The accumulator enters once.
Tensors reduce_with(const Call& call) {
  const Reducer& reducer = reducer_of(call);
  const Tensors operands{between(call, reducer.reduction, reduction(call), {call.in[0]}), call.in[1]};
  return {run(call, reducer.fun, {}, operands)};
}

// The padding holds the accumulator.
Tensors window_reduce(const Call& call) {
  const Reducer& reducer = reducer_of(call);
  Attrs attrs = window_attrs(call);
  std::vector<int64_t> config;
  for (int64_t amount : std::get<std::vector<int64_t>>(attrs.at("padding"))) {
    config.push_back(amount);
    if (config.size() % 3 == 2) config.push_back(0);
  }
  attrs.erase("padding");
  const Tensor padded = between(call, "pad", {{"config", config}}, {call.in[0], call.in[1]});
  const Tensors operands{between(call, reducer.window, attrs, {padded}), call.in[1]};
  return {run(call, reducer.fun, {}, operands)};
}

Tensors conv_of(const Call& call, const Tensor& input, const Tensor& kernel) {
  const size_t rank = kernel.spec.dims.size();
  std::vector<int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  const auto permutation = [&](const char* name) { return call.has(name) ? normal_axes(call.list(name), rank) : axes; };
  Dims window;
  for (size_t d = 2; d < rank; ++d) {
    window.push_back(kernel.spec.dims.at(static_cast<size_t>(permutation("kernel_permutation")[d])));
  }
  const std::vector<int64_t> dilation = per_axis(call, "kernel_dilation", window.size());
  const Attrs attrs{{"strides", per_axis(call, "strides", window.size())},
                    {"padding", padding_of(call, window, dilation)},
                    {"input_dilation", per_axis(call, "input_dilation", window.size())},
                    {"kernel_dilation", dilation},
                    {"feature_group_size", call.opts.value("feature_group_size", int64_t{1})},
                    {"batch_group_size", call.opts.value("batch_group_size", int64_t{1})},
                    {"input_permutation", permutation("input_permutation")},
                    {"kernel_permutation", permutation("kernel_permutation")},
                    {"output_permutation", permutation("output_permutation")}};
  Tensors operands{input, kernel};
  return {run(call, "conv", attrs, operands)};
}

Tensors conv(const Call& call) { return conv_of(call, call.in[0], call.in[1]); }

// The kernel is a slice of the second operand, without some of its axes.
Tensors conv_kernel_slice(const Call& call) {
  const json& slice = call.opts.at("slice");
  Tensor kernel = between(call, "slice",
                          {{"starts", slice.at("starts").get<std::vector<int64_t>>()},
                           {"lengths", slice.at("lengths").get<std::vector<int64_t>>()}},
                          {call.in[1]});
  const std::vector<int64_t> axes = normal_axes(call.list("squeeze"), kernel.spec.dims.size());
  Dims left;
  for (size_t d = 0; d < kernel.spec.dims.size(); ++d) {
    if (std::ranges::find(axes, static_cast<int64_t>(d)) == axes.end()) left.push_back(kernel.spec.dims[d]);
  }
  return conv_of(call, call.in[0], reshaped(kernel, left));
}

// contract: [left, right] and batch: [left, right], or an option each; neither: the last axis of the left operand with
// the last but one of the right.
Tensors dot(const Call& call) {
  const Dims &a = call.in[0].spec.dims, &b = call.in[1].spec.dims;
  std::vector<int64_t> ca, cb, ba, bb;
  if (call.has("contract")) {
    ca = call.opts.at("contract").at(0).get<std::vector<int64_t>>();
    cb = call.opts.at("contract").at(1).get<std::vector<int64_t>>();
    ba = call.opts.at("batch").at(0).get<std::vector<int64_t>>();
    bb = call.opts.at("batch").at(1).get<std::vector<int64_t>>();
  } else if (call.has("contract_left")) {
    ca = call.list("contract_left"), cb = call.list("contract_right");
    ba = call.list("batch_left"), bb = call.list("batch_right");
  } else if (!a.empty() && !b.empty()) {
    ca = {static_cast<int64_t>(a.size()) - 1};
    cb = {std::max<int64_t>(static_cast<int64_t>(b.size()) - 2, 0)};
  }
  Attrs attrs{{"contract_a", normal_axes(ca, a.size())},
              {"contract_b", normal_axes(cb, b.size())},
              {"batch_a", normal_axes(ba, a.size())},
              {"batch_b", normal_axes(bb, b.size())}};
  return {run(call, "dot", attrs, call.in)};
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

Tensors softmax(const Call& call) {
  Attrs axis{{"axes", std::vector{normal_axis(call.opts.at("axis").get<int64_t>(), call.in[0].spec.dims.size())}},
             {"keep_axes", int64_t{1}}};
  Tensor top = between(call, "reduce_max", axis, {call.in[0]});
  Tensor powers = between(call, "exp", {}, {between(call, "subtract", {}, {call.in[0], top})});
  Tensors operands{powers, between(call, "sum", axis, {powers})};
  return {run(call, "divide", {}, operands)};
}

// log Σ exp(x - top) + top; an infinite top is left where it is.
Tensors logsumexp(const Call& call) {
  Attrs kept = reduction(call);
  kept["keep_axes"] = int64_t{1};
  Tensor top = between(call, "reduce_max", kept, {call.in[0]});
  if (is_float(top.spec.type)) {
    const Tensor infinite = between(call, "is_infinity", {}, {top});
    top = between(call, "select", {}, {infinite, number(0, top.spec.type), top});
  }
  Tensor powers = between(call, "exp", {}, {between(call, "subtract", {}, {call.in[0], top})});
  if (call.has("exp_scaling_factor")) {
    const Tensor factor = number(call.opts.at("exp_scaling_factor").get<double>(), powers.spec.type);
    powers = between(call, "multiply", {}, {factor, powers});
  }
  const Tensor sum = between(call, "sum", reduction(call), {powers});
  Tensors operands{between(call, "log", {}, {sum}), reshaped(top, sum.spec.dims)};
  return {run(call, "add", {}, operands)};
}

Tensors phase(const Call& call) {
  Tensors operands{between(call, "imag", {}, {call.in[0]}), between(call, "real", {}, {call.in[0]})};
  return {run(call, "atan2", {}, operands)};
}

Tensors logical_not(const Call& call) {
  Tensors operands{call.in[0], number(0, call.in[0].spec.type)};
  return {run(call, "equal", {}, operands)};
}

// The first step takes input 0, each later one the result so far; "extra" numbers further inputs.
Tensors chain(const Call& call) {
  Tensors state{call.in[0]};
  const json& steps = call.opts.at("steps");
  for (size_t i = 0; i < steps.size(); ++i) {
    for (int64_t extra : steps[i].value("extra", std::vector<int64_t>{})) {
      state.push_back(call.in[static_cast<size_t>(extra)]);
    }
    bool last = i + 1 == steps.size();
    state = call_nx(call.session, steps[i].at("op"), steps[i].at("opts"), state,
                    last ? call.outs : std::span<const TensorSpec>{});
  }
  return state;
}

struct Rule {
  std::string_view name;
  Tensors (*call)(const Call&);
  std::array<std::string_view, 8> made_of{};  // ops of the catalog
};

// What needs more than its inputs. All else goes to the op of the same name.
constexpr Rule kRules[] = {
    {"adjoint", adjoint, {"transpose"}},
    {"all", reduce, {"all"}},
    {"any", reduce, {"any"}},
    {"argmax", arg_reduce, {"argmax"}},
    {"argmin", arg_reduce, {"argmin"}},
    {"argsort", sort, {"argsort"}},
    {"as_type", as_type, {"as_type"}},
    {"bitcast", bitcast, {}},
    {"broadcast", broadcast, {"broadcast"}},
    {"concatenate", concatenate, {"concatenate"}},
    {"conv", conv, {"conv"}},
    {"conv_kernel_slice", conv_kernel_slice, {"slice", "conv"}},
    {"cumulative_max", scan, {"cumulative_max"}},
    {"cumulative_min", scan, {"cumulative_min"}},
    {"cumulative_product", scan, {"cumulative_product"}},
    {"cumulative_sum", scan, {"cumulative_sum"}},
    {"dot", dot, {"dot"}},
    {"eye", eye, {"eye"}},
    {"gather", indexed, {"gather"}},
    {"indexed_add", indexed, {"indexed_add"}},
    {"indexed_put", indexed, {"indexed_put"}},
    {"iota", iota, {"iota"}},
    {"linalg.adjoint", adjoint, {"transpose"}},
    {"logsumexp", logsumexp, {"reduce_max", "is_infinity", "select", "subtract", "exp", "sum", "log", "add"}},
    {"make_diagonal", make_diagonal, {"broadcast", "indexed_put"}},
    {"mean", mean, {"sum", "divide"}},
    {"median", median, {"sort", "slice", "add", "sum", "divide"}},
    {"outer", outer, {"multiply"}},
    {"pad", pad, {"pad"}},
    {"phase", phase, {"imag", "real", "atan2"}},
    {"product", reduce, {"product"}},
    {"put_diagonal", put_diagonal, {"indexed_put"}},
    {"put_slice", put_slice, {"put_slice"}},
    {"reduce", reduce_with, {"sum", "product", "reduce_max"}},
    {"reduce_max", reduce, {"reduce_max"}},
    {"reduce_min", reduce, {"reduce_min"}},
    {"reshape", reshape, {}},
    {"reverse", with_axes, {"reverse"}},
    {"slice", slice, {"slice"}},
    {"slice_dynamic", slice, {"slice"}},
    {"softmax", softmax, {"reduce_max", "subtract", "exp", "sum", "divide"}},
    {"sort", sort, {"sort"}},
    {"squeeze", squeeze, {}},
    {"stack", stack, {"stack"}},
    {"standard_deviation", standard_deviation, {"sum", "divide", "subtract", "multiply", "sqrt"}},
    {"sum", reduce, {"sum"}},
    {"take", take, {"take"}},
    {"take_along_axis", take, {"take_along_axis"}},
    {"take_diagonal", take_diagonal, {"gather"}},
    {"tile", tile, {"broadcast"}},
    {"top_k", top_k, {"top_k"}},
    {"transpose", with_axes, {"transpose"}},
    {"tril", triangle, {"iota", "add", "greater_equal", "broadcast", "select"}},
    {"triu", triangle, {"iota", "add", "less_equal", "broadcast", "select"}},
    {"variance", variance, {"sum", "divide", "subtract", "multiply"}},
    {"window_max", window, {"window_max"}},
    {"window_mean", window_mean, {"window_sum", "divide"}},
    {"window_min", window, {"window_min"}},
    {"window_product", window, {"window_product"}},
    {"window_reduce", window_reduce, {"pad", "window_sum", "window_product", "window_max"}},
    {"window_scatter_max", window_scatter, {"window_scatter_max"}},
    {"window_scatter_min", window_scatter, {"window_scatter_min"}},
    {"window_sum", window, {"window_sum"}},
};

const Rule* find_rule(std::string_view op) {
  for (const Rule& rule : kRules) {
    if (rule.name == op) return &rule;
  }
  return nullptr;
}

}  // namespace

void check_nx(const std::string& op, const json& opts) {
  auto missing = [](const std::string& name) { throw Skip{"op " + name + " not in the catalog"}; };
  if (op == "chain") {
    for (const json& step : opts.at("steps")) check_nx(step.at("op"), step.at("opts"));
    return;
  }
  if (const Rule* rule = find_rule(op)) {
    for (std::string_view part : rule->made_of) {
      if (!part.empty() && !find_op(part)) missing(op == part ? op : op + " (made of " + std::string(part) + ")");
    }
  } else if (!find_op(op) && !(op == "logical_not" && find_op("equal"))) {
    missing(op);
  }
}

std::vector<Tensor> call_nx(Session& session, const std::string& op, const json& opts, std::span<const Tensor> inputs,
                            std::span<const TensorSpec> outs) {
  check_nx(op, opts);
  Call call{session, op, opts, inputs, outs};
  if (op == "chain") return chain(call);
  if (const Rule* rule = find_rule(op)) return rule->call(call);
  return op == "logical_not" && !find_op(op) ? logical_not(call) : direct(call);
}

}  // namespace nxv::cli
