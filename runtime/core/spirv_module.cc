#include "runtime/core/spirv_module.h"

#include <algorithm>
#include <cstring>

#include "runtime/core/error.h"

namespace nxv::spirv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;

[[noreturn]] void malformed(const std::string& what) { throw Error(Code::invalid_argument, "[spirv] " + what); }

bool is_debug(uint32_t op) { return (op >= 2 && op <= 8) || op == 317 || op == 330; }
bool is_type(uint32_t op) { return op >= kOpTypeVoid && op <= kOpTypeFunction; }

// Conversions, arithmetic, comparisons, bits, phi: result type, result, operands, all of them ids.
bool is_plain(uint32_t op) {
  return op == 1 || (op >= 109 && op <= 124) || (op >= 126 && op <= 191) || (op >= 194 && op <= 205) || op == 245 ||
         op == 77 || op == 78 || op == 83 || op == 84 || op == 68;
}

}  // namespace

size_t result_at(const Instruction& instruction) {
  const uint32_t op = instruction.op;
  if (is_type(op)) return 1;
  if (op == kOpTypeForwardPointer) return 0;
  return 2;
}

std::vector<size_t> ids_of(const Instruction& instruction) {
  const size_t count = instruction.words.size();
  std::vector<size_t> ids;
  const auto range = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < std::min(end, count); ++i) ids.push_back(i);
  };
  switch (instruction.op) {
    case kOpTypeInt:
    case kOpTypeFloat:
    case kOpLabel:
      range(1, 2);
      break;
    case kOpConstant:
    case kOpSpecConstant:
    case kOpConstantTrue:
    case kOpConstantFalse:
    case kOpSpecConstantTrue:
    case kOpSpecConstantFalse:
    case kOpConstantNull:
    case kOpFunctionParameter:
      range(1, 3);
      break;
    case kOpTypeVector:
      range(1, 3);
      break;
    case kOpTypePointer:
      range(1, 2);
      range(3, 4);
      break;
    case kOpTypeForwardPointer:
    case kOpSelectionMerge:
    case kOpDecorate:
    case kOpMemberDecorate:
    case kOpBranch:
      range(1, 2);
      break;
    case kOpSpecConstantOp:
    case kOpVariable:
    case kOpFunction:
      range(1, 3);
      range(4, count);
      break;
    case kOpExtInst:
      range(1, 4);
      range(5, count);
      break;
    case kOpLoad:
      range(1, 4);
      break;
    case kOpStore:
    case kOpLoopMerge:
      range(1, 3);
      break;
    case kOpBranchConditional:
      range(1, 4);
      break;
    case kOpCompositeExtract:
      range(1, 4);
      break;
    case kOpCompositeInsert:
    case kOpVectorShuffle:
      range(1, 5);
      break;
    case kOpSwitch:  // selectors of 32 bits
      range(1, 3);
      for (size_t i = 4; i < count; i += 2) ids.push_back(i);
      break;
    case kOpReturn:
    case kOpUnreachable:
    case kOpFunctionEnd:
      break;
    case kOpTypeVoid:
    case 20:  // OpTypeBool
    case kOpTypeArray:
    case kOpTypeRuntimeArray:
    case kOpTypeStruct:
    case kOpTypeFunction:
    case kOpConstantComposite:
    case kOpSpecConstantComposite:
    case kOpFunctionCall:
    case kOpAccessChain:
    case kOpInBoundsAccessChain:
    case 67:  // OpPtrAccessChain
    case kOpCompositeConstruct:
    case kOpReturnValue:
      range(1, count);
      break;
    default:
      if (!is_plain(instruction.op)) {
        throw Error(Code::unsupported, "[link] no kernel has the instruction " + std::to_string(instruction.op));
      }
      range(1, count);
  }
  return ids;
}

Module::Module(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != kMagic) malformed("not a SPIR-V module");
  version = words[1];
  bound = words[3];
  bool in_function = false;
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) malformed("an instruction passes the end of the module");
    const Instruction one{words[at] & 0xffffu, words.subspan(at, count)};
    at += count;
    if (is_debug(one.op)) continue;
    if (one.op == kOpFunction) {
      if (in_function || count != 5) malformed("a function does not end");
      functions.push_back({one[2], {}});
      in_function = true;
    }
    if (in_function) {
      functions.back().body.push_back(one);
      in_function = one.op != kOpFunctionEnd;
      continue;
    }
    switch (one.op) {
      case kOpCapability:
        capabilities.push_back(one);
        break;
      case kOpExtension:
        extensions.push_back(one);
        break;
      case kOpExtInstImport:
        imports.push_back(one);
        break;
      case kOpMemoryModel:
        memory_model = one;
        break;
      case kOpEntryPoint:
        entry_points.push_back(one);
        break;
      case kOpExecutionMode:
        modes.push_back(one);
        break;
      case kOpDecorate:
      case kOpMemberDecorate:
        if (count < 3) malformed("a decoration is cut short");
        if (one.op == kOpDecorate && one[2] == kDecorationLinkage) {
          symbols[text_of(one.words.subspan(3))] = one[1];
        } else {
          decorations.push_back(one);
        }
        break;
      default:
        if (result_at(one) >= count) malformed("a declaration is cut short");
        globals.push_back(one);
    }
  }
  if (in_function || memory_model.words.size() != 3) malformed("the module is cut short");
}

const Function& Module::function(uint32_t id) const {
  for (const Function& one : functions) {
    if (one.id == id) return one;
  }
  malformed("a function is called that is not there");
}

uint32_t Module::symbol(const std::string& name) const {
  const auto found = symbols.find(name);
  if (found == symbols.end()) throw Error(Code::internal, "[link] no symbol " + name);
  return found->second;
}

Words literal(std::string_view text) {
  Words words(text.size() / 4 + 1, 0);
  std::memcpy(words.data(), text.data(), text.size());
  return words;
}

std::string text_of(std::span<const uint32_t> words) {
  std::string text(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  return text.substr(0, text.find('\0'));
}

}  // namespace nxv::spirv
