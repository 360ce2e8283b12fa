#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace nxv::spirv {

// Opcodes and operands that the runtime looks at.
enum Op : uint32_t {
  kOpName = 5,
  kOpMemberName = 6,
  kOpExtension = 10,
  kOpExtInstImport = 11,
  kOpExtInst = 12,
  kOpMemoryModel = 14,
  kOpEntryPoint = 15,
  kOpExecutionMode = 16,
  kOpCapability = 17,
  kOpTypeVoid = 19,
  kOpTypeInt = 21,
  kOpTypeFloat = 22,
  kOpTypeVector = 23,
  kOpTypeArray = 28,
  kOpTypeRuntimeArray = 29,
  kOpTypeStruct = 30,
  kOpTypePointer = 32,
  kOpTypeFunction = 33,
  kOpTypeForwardPointer = 39,
  kOpConstantTrue = 41,
  kOpConstantFalse = 42,
  kOpConstant = 43,
  kOpConstantComposite = 44,
  kOpConstantNull = 46,
  kOpSpecConstantTrue = 48,
  kOpSpecConstantFalse = 49,
  kOpSpecConstant = 50,
  kOpSpecConstantComposite = 51,
  kOpSpecConstantOp = 52,
  kOpFunction = 54,
  kOpFunctionParameter = 55,
  kOpFunctionEnd = 56,
  kOpFunctionCall = 57,
  kOpVariable = 59,
  kOpLoad = 61,
  kOpStore = 62,
  kOpAccessChain = 65,
  kOpInBoundsAccessChain = 66,
  kOpDecorate = 71,
  kOpMemberDecorate = 72,
  kOpVectorShuffle = 79,
  kOpCompositeConstruct = 80,
  kOpCompositeExtract = 81,
  kOpCompositeInsert = 82,
  kOpBitcast = 124,
  kOpIAdd = 128,
  kOpLoopMerge = 246,
  kOpSelectionMerge = 247,
  kOpLabel = 248,
  kOpBranch = 249,
  kOpBranchConditional = 250,
  kOpSwitch = 251,
  kOpReturn = 253,
  kOpReturnValue = 254,
  kOpUnreachable = 255,
};

inline constexpr uint32_t kCapabilityLinkage = 5;
inline constexpr uint32_t kDecorationLinkage = 41;

using Words = std::vector<uint32_t>;

struct Instruction {
  uint32_t op = 0;
  std::span<const uint32_t> words;  // with the first one
  uint32_t operator[](size_t i) const { return words[i]; }
};

// Where the result's id stands in an instruction of types, constants and variables; 0: it has none.
size_t result_at(const Instruction& instruction);

// The indices of the words that are ids. Throws unsupported for an instruction that kernels do not have.
std::vector<size_t> ids_of(const Instruction& instruction);

// A function with its instructions, OpFunction first, OpFunctionEnd last.
struct Function {
  uint32_t id = 0;
  std::vector<Instruction> body;
};

// A module taken apart; views into the words it was made of. Names and other debug instructions are left out.
struct Module {
  // Throws invalid_argument where the words are no well-formed module.
  explicit Module(std::span<const uint32_t> words);

  uint32_t version = 0, bound = 0;
  std::vector<Instruction> capabilities, extensions, imports, entry_points, modes, decorations, globals;
  Instruction memory_model;
  std::vector<Function> functions;
  std::map<std::string, uint32_t> symbols;  // exported names → function

  const Function& function(uint32_t id) const;
  // Throws internal where the module has no such symbol.
  uint32_t symbol(const std::string& name) const;
};

// The words of a literal string, and back.
Words literal(std::string_view text);
std::string text_of(std::span<const uint32_t> words);

}  // namespace nxv::spirv
