#include "codegen/compiler/module.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "codegen/compiler/instructions.h"

namespace nxv::compiler {
namespace {

bool computes_float(spv::Op op) {
  switch (op) {
    case spv::Op::OpFNegate:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
      return true;
    default:
      return op >= spv::Op::OpFOrdEqual && op <= spv::Op::OpFUnordGreaterThanEqual;
  }
}

struct Contraction {
  std::vector<uint32_t> targets;  // results to decorate, ascending
  size_t insert_at = 0;           // where decorations end
};

Contraction find_contractible(const Words& words) {
  std::unordered_set<uint32_t> float_types, decorated;
  Contraction found;
  for_each_instruction(words, [&](const Instruction& instruction) {
    const auto& w = instruction.words;
    if (!found.insert_at && is_declaration(instruction.op)) found.insert_at = instruction.at;
    if (instruction.op == spv::Op::OpTypeFloat) float_types.insert(w[1]);
    if (instruction.op == spv::Op::OpTypeVector && float_types.contains(w[2])) float_types.insert(w[1]);
    if (instruction.op == spv::Op::OpDecorate && w[2] == static_cast<uint32_t>(spv::Decoration::NoContraction)) {
      decorated.insert(w[1]);
    }
    const bool extended = instruction.op == spv::Op::OpExtInst && float_types.contains(w[1]);
    if ((extended || computes_float(instruction.op)) && !decorated.contains(w[2])) found.targets.push_back(w[2]);
  });
  std::ranges::sort(found.targets);
  return found;
}

// Sizes of the types that a push constant block may hold.
class Layout {
 public:
  void see(const Instruction& instruction) {
    const auto& w = instruction.words;
    switch (instruction.op) {
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
        sizes_[w[1]] = w[2] / 8;
        break;
      case spv::Op::OpTypePointer:
      case spv::Op::OpTypeForwardPointer:
        sizes_[w[1]] = 8;
        if (instruction.op == spv::Op::OpTypePointer) pointees_[w[1]] = w[3];
        break;
      case spv::Op::OpTypeVector:
        sizes_[w[1]] = sizes_[w[2]] * w[3];
        break;
      case spv::Op::OpTypeArray:
        sizes_[w[1]] = (strides_.contains(w[1]) ? strides_[w[1]] : sizes_[w[2]]) * constants_[w[3]];
        break;
      case spv::Op::OpTypeStruct:
        for (uint32_t member = 0; member + 2 < w.size(); ++member) {
          const uint32_t end = offsets_[{w[1], member}] + sizes_[w[2 + member]];
          sizes_[w[1]] = std::max(sizes_[w[1]], end);
        }
        break;
      case spv::Op::OpConstant:
        constants_[w[2]] = w[3];
        break;
      case spv::Op::OpDecorate:
        if (w[2] == static_cast<uint32_t>(spv::Decoration::ArrayStride)) strides_[w[1]] = w[3];
        break;
      case spv::Op::OpMemberDecorate:
        if (w[3] == static_cast<uint32_t>(spv::Decoration::Offset)) offsets_[{w[1], w[2]}] = w[4];
        break;
      default:
        break;
    }
  }

  uint32_t pointee_bytes(uint32_t pointer) { return sizes_[pointees_[pointer]]; }

 private:
  std::unordered_map<uint32_t, uint32_t> sizes_, pointees_, strides_, constants_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> offsets_;
};

// Capabilities by the catalog's names; empty for those that every device of Vulkan 1.2 with buffer addresses has.
std::string capability_name(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::Shader:
    case spv::Capability::Linkage:
    case spv::Capability::PhysicalStorageBufferAddresses:
    case spv::Capability::GroupNonUniform:
      return "";
    case spv::Capability::Float64:
      return "float64";
    case spv::Capability::Int64:
      return "int64";
    case spv::Capability::StorageBuffer8BitAccess:
      return "storage8";
    case spv::Capability::StorageBuffer16BitAccess:
      return "storage16";
    case spv::Capability::Float16:
      return "float16";
    case spv::Capability::Int8:
      return "int8";
    case spv::Capability::Int16:
      return "int16";
    default:
      return "spirv" + std::to_string(static_cast<uint32_t>(capability));
  }
}

void see_variable(const Instruction& instruction, Layout& layout, Facts& facts) {
  const auto storage = static_cast<spv::StorageClass>(instruction.words[3]);
  if (storage == spv::StorageClass::PushConstant) facts.push_bytes = layout.pointee_bytes(instruction.words[1]);
  if (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform ||
      storage == spv::StorageClass::UniformConstant) {
    facts.interface = "storage";
  }
}

}  // namespace

Words forbid_contraction(const Words& words) {
  const Contraction found = find_contractible(words);
  Words result(words.begin(), words.begin() + static_cast<ptrdiff_t>(found.insert_at));
  for (const uint32_t target : found.targets) {
    result.push_back(3u << 16 | static_cast<uint32_t>(spv::Op::OpDecorate));
    result.push_back(target);
    result.push_back(static_cast<uint32_t>(spv::Decoration::NoContraction));
  }
  result.insert(result.end(), words.begin() + static_cast<ptrdiff_t>(found.insert_at), words.end());
  return result;
}

size_t contractible(const Words& words) { return find_contractible(words).targets.size(); }

Facts facts_of(const Words& words) {
  Facts facts;
  facts.interface = "address";
  Layout layout;
  std::set<std::string> capabilities;
  for_each_instruction(words, [&](const Instruction& instruction) {
    const auto& w = instruction.words;
    layout.see(instruction);
    if (instruction.op == spv::Op::OpCapability) {
      capabilities.insert(capability_name(static_cast<spv::Capability>(w[1])));
    } else if (instruction.op == spv::Op::OpExecutionMode &&
               w[2] == static_cast<uint32_t>(spv::ExecutionMode::LocalSize)) {
      facts.local = {w[3], w[4], w[5]};
    } else if (instruction.op == spv::Op::OpDecorate && w[2] == static_cast<uint32_t>(spv::Decoration::BuiltIn) &&
               w[3] == static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize)) {
      facts.specialized_size = true;
    } else if (instruction.op == spv::Op::OpVariable) {
      see_variable(instruction, layout, facts);
    }
  });
  capabilities.erase("");
  facts.capabilities.assign(capabilities.begin(), capabilities.end());
  return facts;
}

}  // namespace nxv::compiler
