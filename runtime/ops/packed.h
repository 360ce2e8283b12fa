#pragma once

#include "runtime/ops/builder.h"

namespace nxv {

// Elements of 2 and 4 bits lie packed in memory, the first one in the highest bits of a byte.
inline bool is_packed(Type type) { return type_info(type).bits < 8; }

// Whether an operand or a wanted output is packed.
bool has_packed(std::span<const TensorSpec> outs, std::span<const Input> inputs);

// Plans an operation on packed tensors: they are unpacked to bytes, the operation works on those, and its results are
// packed, which wraps them.
OpPlan plan_packed(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs,
                   std::span<const Input> inputs, const Traits& traits);

// A byte an element to a packed tensor of as many, and back.
void pack_steps(PlanBuilder& plan, const Operand& bytes, const Operand& to);
void unpack_steps(PlanBuilder& plan, const Operand& packed, const Operand& to);

}  // namespace nxv
