#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/session.h"

// The rules of adapter.cc: each turns one spelling of Nx into planner calls.
namespace nxv::cli::adapter {

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

int64_t normal_axis(int64_t axis, size_t rank);
std::vector<int64_t> normal_axes(std::vector<int64_t> axes, size_t rank);
Tensor number(int64_t value, Type type);
Tensor run(const Call& call, std::string_view op, const Attrs& attrs, std::span<const Tensor> inputs);
// Without a wanted output: for what lies between.
Tensor between(const Call& call, std::string_view op, const Attrs& attrs, const Tensors& inputs);
// reshape, squeeze, bitcast: the same bytes.
Tensor reshaped(const Tensor& tensor, Dims dims);
// The axes of a reduction, and whether they stay.
Attrs reduction(const Call& call);
Tensor divided(const Call& call, const Tensor& tensor, int64_t count);
Tensor broadcast_to(const Call& call, const Tensor& tensor, const Dims& dims);

Tensors adjoint(const Call& call);
Tensors arg_reduce(const Call& call);
Tensors as_type(const Call& call);
Tensors bitcast(const Call& call);
Tensors broadcast(const Call& call);
Tensors concatenate(const Call& call);
Tensors conv(const Call& call);
Tensors conv_kernel_slice(const Call& call);
Tensors eye(const Call& call);
Tensors indexed(const Call& call);
Tensors iota(const Call& call);
Tensors logsumexp(const Call& call);
Tensors make_diagonal(const Call& call);
Tensors mean(const Call& call);
Tensors median(const Call& call);
Tensors pad(const Call& call);
Tensors put_diagonal(const Call& call);
Tensors put_slice(const Call& call);
Tensors reduce(const Call& call);
Tensors reduce_with(const Call& call);
Tensors reshape(const Call& call);
Tensors scan(const Call& call);
Tensors slice(const Call& call);
Tensors softmax(const Call& call);
Tensors sort(const Call& call);
Tensors squeeze(const Call& call);
Tensors stack(const Call& call);
Tensors standard_deviation(const Call& call);
Tensors take(const Call& call);
Tensors take_diagonal(const Call& call);
Tensors tile(const Call& call);
Tensors top_k(const Call& call);
Tensors triangle(const Call& call);
Tensors variance(const Call& call);
Tensors window(const Call& call);
Tensors window_mean(const Call& call);
Tensors window_reduce(const Call& call);
Tensors window_scatter(const Call& call);
Tensors with_axes(const Call& call);

}  // namespace nxv::cli::adapter
