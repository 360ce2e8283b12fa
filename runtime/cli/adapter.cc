#include "runtime/cli/adapter.h"

#include <algorithm>
#include <array>

#include "runtime/cli/adapter_rules.h"
#include "runtime/cli/case.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {
namespace adapter {
namespace {

Tensors direct(const Call& call) { return call.session.run(call.op, {}, call.outs, call.in); }

Tensors outer(const Call& call) {
  const Tensor &a = call.in[0], &b = call.in[1];
  Tensors operands{reshaped(a, {element_count(a.spec.dims), 1}), reshaped(b, {1, element_count(b.spec.dims)})};
  return {run(call, "multiply", {}, operands)};
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
}  // namespace adapter

using namespace adapter;

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
