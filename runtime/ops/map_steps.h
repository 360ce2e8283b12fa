#pragma once

#include <span>
#include <string_view>

#include "runtime/ops/builder.h"

namespace nxv {

// Adds the dispatches of one kernel of map1, map2, map3 or cast: `to` = op(operands), the operands broadcast to it.
// Their types are those that the kernel reads.
void map_steps(PlanBuilder& plan, std::string_view family, std::string_view op, std::string_view types,
               std::span<const Operand> operands, const Operand& to);

// `operand` as `type`: itself, a scalar cast on the host, or a temporary of its own shape.
Operand cast_to(PlanBuilder& plan, const Operand& operand, Type type);

// As `cast_to`, into `to` and broadcast to its shape.
void cast_steps(PlanBuilder& plan, const Operand& operand, const Operand& to);

// 1 where the operand isn't zero, as u8.
Operand truth_of(PlanBuilder& plan, const Operand& operand);

}  // namespace nxv
