#pragma once

#include <optional>

#include "runtime/ops/builder.h"
#include "runtime/ops/planner.h"

namespace nxv {

// sort and argsort: attributes axis (absent: 0) and direction ("asc", the default, or "desc"). top_k along the last
// axis: attribute k (absent: 1), outputs values and indices. All are stable, so `stable` may be given and means
// nothing.
OpPlan plan_sort(const OpCall& call);

// What a sort of rows gives, at least one of the two: values of the operand's type, and their places as u32 or s32.
struct Sorted {
  std::optional<Operand> values = std::nullopt, indices = std::nullopt;
};

// Appends the dispatches that sort from[rows][n] by rows.
void append_sort(PlanBuilder& plan, const Operand& from, int64_t rows, int64_t n, bool descending, const Sorted& to);

}  // namespace nxv
