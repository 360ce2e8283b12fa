#include "codegen/compiler/linkage.h"

#include <cstring>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>
#include <stdexcept>
#include <string>
#include <string_view>

#include "codegen/compiler/instructions.h"

namespace nxv::compiler {
namespace {

struct Symbols {
  std::map<uint32_t, std::string> names;  // function → name
  std::set<uint32_t> bodies;              // those that the linker writes
};

std::string text_of(std::span<const uint32_t> words) {
  std::string text(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  return text.substr(0, text.find('\0'));
}

// glslang names a function "name(signature".
Symbols symbols_of(const Words& words) {
  constexpr std::string_view kExport = "link_export_", kBody = "link_body_";
  Symbols symbols;
  for_each_instruction(words, [&](const Instruction& instruction) {
    if (instruction.op != spv::Op::OpName) return;
    const std::string name = text_of(instruction.words.subspan(2));
    const std::string plain = name.substr(0, name.find('('));
    if (plain == name) return;
    const uint32_t function = instruction.words[1];
    if (plain.starts_with(kExport)) symbols.names[function] = plain.substr(kExport.size());
    if (plain.starts_with(kBody)) {
      symbols.names[function] = plain.substr(kBody.size());
      symbols.bodies.insert(function);
    }
  });
  return symbols;
}

void decorate(Words& to, uint32_t function, const std::string& name) {
  Words literal(name.size() / 4 + 1, 0);
  std::memcpy(literal.data(), name.data(), name.size());
  to.push_back(static_cast<uint32_t>(4 + literal.size()) << 16 | static_cast<uint32_t>(spv::Op::OpDecorate));
  to.push_back(function);
  to.push_back(static_cast<uint32_t>(spv::Decoration::LinkageAttributes));
  to.insert(to.end(), literal.begin(), literal.end());
  to.push_back(static_cast<uint32_t>(spv::LinkageType::Export));
}

}  // namespace

bool has_linkage(const Words& words) {
  bool found = false;
  for_each_instruction(words, [&](const Instruction& instruction) {
    found |= instruction.op == spv::Op::OpCapability &&
             instruction.words[1] == static_cast<uint32_t>(spv::Capability::Linkage);
  });
  return found;
}

Words declare_linkage(const Words& words) {
  const Symbols symbols = symbols_of(words);
  if (symbols.names.empty()) return words;
  const bool library = symbols.bodies.empty();

  Words result(words.begin(), words.begin() + 5);
  result.push_back(2u << 16 | static_cast<uint32_t>(spv::Op::OpCapability));
  result.push_back(static_cast<uint32_t>(spv::Capability::Linkage));
  bool decorated = false;
  uint32_t function = 0, entry = 0;
  for_each_instruction(words, [&](const Instruction& instruction) {
    const spv::Op op = instruction.op;
    if (op == spv::Op::OpEntryPoint) entry = instruction.words[2];
    const bool of_entry = op == spv::Op::OpEntryPoint || op == spv::Op::OpExecutionMode ||
                          (op == spv::Op::OpName && instruction.words[1] == entry);
    if (!decorated && is_declaration(op)) {
      decorated = true;
      for (const auto& [id, name] : symbols.names) decorate(result, id, name);
    }
    if (op == spv::Op::OpFunction) function = instruction.words[2];
    if (library && (of_entry || (entry != 0 && function == entry))) return;
    const size_t at = result.size();
    result.insert(result.end(), instruction.words.begin(), instruction.words.end());
    if (op == spv::Op::OpFunction && symbols.bodies.contains(function)) {
      result[at + 3] |= static_cast<uint32_t>(spv::FunctionControlMask::DontInline);
    }
  });
  return result;
}

}  // namespace nxv::compiler
