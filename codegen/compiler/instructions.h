#pragma once

#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>

#include "codegen/compiler/frontend.h"

namespace nxv::compiler {

constexpr size_t kHeaderWords = 5;

struct Instruction {
  spv::Op op;
  std::span<const uint32_t> words;  // with the first one
  size_t at;                        // index in the module
};

template <typename Visit>
void for_each_instruction(const Words& words, Visit visit) {
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t count = words[at] >> 16;
    if (count == 0 || at + count > words.size()) throw std::runtime_error("module is cut short");
    visit(Instruction{static_cast<spv::Op>(words[at] & 0xffff), std::span(words).subspan(at, count), at});
    at += count;
  }
}

// Whether an instruction stands after the decorations: types, constants, variables, functions.
inline bool is_declaration(spv::Op op) {
  return (op >= spv::Op::OpTypeVoid && op <= spv::Op::OpTypeForwardPointer) ||
         (op >= spv::Op::OpConstantTrue && op <= spv::Op::OpSpecConstantOp) || op == spv::Op::OpVariable ||
         op == spv::Op::OpUndef || op == spv::Op::OpFunction;
}

}  // namespace nxv::compiler
