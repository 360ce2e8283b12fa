#pragma once

#include <span>

#include "runtime/ops/catalog.h"
#include "runtime/ops/op.h"

namespace nxv {

// What plan_op was asked for, with the op looked up: what a family's planner gets.
struct OpCall {
  const OpInfo& info;
  const Attrs& attrs;
  std::span<const TensorSpec> outs;
  std::span<const Input> inputs;
  const Traits& traits;
};

using Planner = OpPlan (*)(const OpCall&);

}  // namespace nxv
