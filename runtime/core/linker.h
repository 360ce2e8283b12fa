#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/pack.h"
#include "runtime/core/plan.h"

namespace nxv {

// A straight-line program over vectors: what one fused elementwise kernel computes. Values are numbered: the inputs
// first, then the results of the calls, in order. Where a function's registers have another type of the same size, the
// bits are taken.
struct LinkProgram {
  struct Input {
    std::string operand;  // pack key of the loads and stores of its type, "link.operand.f32.function"
    bool scalar = false;  // its bits lie in the push constants instead of an address
  };
  struct Call {
    std::string function;             // pack key, "map2.add.f32.function"
    std::vector<uint32_t> arguments;  // values
  };
  struct Output {
    std::string operand;
    uint32_t value = 0;
  };
  std::string frame;  // pack key of the entry point
  std::vector<Input> inputs;
  std::vector<Call> calls;
  std::vector<Output> outputs;
  uint32_t vectors = 1;  // that an invocation computes; the frame's constant 1 must say the same
};

// Inputs and outputs that a frame has push constants for.
inline constexpr size_t kLinkOperands = 15;

// Makes one kernel of the modules that the program names: the frame's placeholders become calls of their functions.
// Inputs, then outputs, take the frame's operand slots in order. Nothing is compiled. Throws unsupported for a key that
// the pack does not have, invalid_argument for a program whose values do not fit.
std::shared_ptr<const LinkedKernel> link(const Pack& pack, const LinkProgram& program);

}  // namespace nxv
