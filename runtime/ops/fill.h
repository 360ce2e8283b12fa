#pragma once

#include "runtime/ops/builder.h"
#include "runtime/ops/planner.h"

namespace nxv {

// constant (one inline number), iota (attribute axis; absent: counts all elements) and eye. The output must be named.
OpPlan plan_fill(const OpCall& call);

// Writes `scalar`, cast to the type of `to`, into every element of `to`.
void append_fill(PlanBuilder& plan, const Operand& to, const Scalar& scalar);

// `operand` itself, or for a number on the host a tensor of these dimensions that holds it.
Operand in_memory(PlanBuilder& plan, const Operand& operand, const Dims& dims = {});

}  // namespace nxv
