#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/core/pack.h"
#include "runtime/ops/op.h"

namespace nxv {

// Elementwise ops in a row, made into one kernel by the linker (runtime/core/linker.h). Values are numbered: the inputs
// first, then the results of the calls.
struct FusedCall {
  std::string op;                  // of map1, map2, map3 or cast; its operands must have the types that a variant reads
  std::vector<uint32_t> operands;  // values
  Type out{};                      // what as_type makes; not read for other ops
};

struct FusedProgram {
  std::vector<FusedCall> calls;
  std::vector<uint32_t> outputs;  // values
};

// Inputs are numbers, or tensors of one shape whose addresses are multiples of 16. Nothing is cast or broadcast. The
// results have the bits of the ops done one by one. Throws as plan_op does.
OpPlan plan_fused(const Pack& pack, const FusedProgram& program, std::span<const Input> inputs, const Traits& traits);

}  // namespace nxv
