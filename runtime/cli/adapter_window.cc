// Sliding windows and convolutions, and reductions with a function.

#include <algorithm>
#include <iterator>
#include <numeric>

#include "runtime/cli/adapter_rules.h"
#include "runtime/cli/case.h"

namespace nxv::cli::adapter {

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace nxv::cli::adapter
