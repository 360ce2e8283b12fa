#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/arg.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/copy.h"
#include "runtime/ops/dot.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/indexed.h"
#include "runtime/ops/packed.h"
#include "runtime/ops/planner.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/scan.h"
#include "runtime/ops/sort.h"
#include "runtime/ops/window.h"
#include "runtime/ops/window_scatter.h"

namespace nxv {
namespace {

struct Row {
  std::string_view family;
  Planner planner;
};

OpPlan refuse_kernel(const OpCall& call) {
  throw Error(Code::invalid_argument, "[" + std::string(call.info.name) + "] is a kernel, not an operation");
}

constexpr Row kPlanners[] = {
    {"arg", plan_arg},          {"cast", plan_elementwise},
    {"conv", plan_conv},        {"copy", plan_copy},
    {"dot", plan_dot},          {"fill", plan_fill},
    {"indexed", plan_indexed},  {"map1", plan_elementwise},
    {"map2", plan_elementwise}, {"map3", plan_elementwise},
    {"packed", refuse_kernel},  {"reduce", plan_reduce},
    {"scan", plan_scan},        {"sort", plan_sort},
    {"window", plan_window},    {"window_scatter", plan_window_scatter},
};

}  // namespace

OpPlan plan_op(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs, std::span<const Input> inputs,
               const Traits& traits) {
  const OpInfo* info = find_op(op);
  if (!info) throw Error(Code::invalid_argument, "[" + std::string(op) + "] unknown op");
  if (op != "bitcast" && has_packed(outs, inputs)) return plan_packed(op, attrs, outs, inputs, traits);
  for (const Row& row : kPlanners) {
    if (row.family == info->family) return row.planner({*info, attrs, outs, inputs, traits});
  }
  throw Error(Code::internal, "[" + std::string(op) + "] no planner for family " + std::string(info->family));
}

}  // namespace nxv
