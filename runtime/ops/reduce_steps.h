#pragma once

#include <string>
#include <string_view>

#include "runtime/ops/builder.h"

namespace nxv {

// A reduction of from[outer][n][inner] over n.
struct ReduceShape {
  int64_t outer = 1, n = 1, inner = 1;
};

// Appends the dispatches of op (sum, product, reduce_max, reduce_min, all, any). The types of `from` and `to` must be
// those of a variant; to[outer][inner] may be of any shape. Where inner isn't 1, `fits_columns` must hold.
void append_reduce(PlanBuilder& plan, std::string_view op, const Operand& from, const ReduceShape& shape,
                   const Operand& to);

// Whether 32-bit indices reach over a chunk of such rows; the reduced axis must come last otherwise.
bool fits_columns(const ReduceShape& shape, const Traits& traits);

// "f32", or "u8-u32" where the types differ: how variants are keyed.
std::string reduce_types(Type from, Type to);

}  // namespace nxv
