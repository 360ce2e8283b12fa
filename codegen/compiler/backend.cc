#include "codegen/compiler/backend.h"

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <stdexcept>

namespace nxv::compiler {
namespace {

spvtools::MessageConsumer keep_first(std::string& message) {
  return [&message](spv_message_level_t level, const char*, const spv_position_t& position, const char* text) {
    if (level > SPV_MSG_ERROR || !message.empty()) return;
    message = "word " + std::to_string(position.index) + ": " + text;
  };
}

// Whether 16-bit storage is declared: the trimming pass of SPIRV-Tools 2025.1 doesn't see it used through addresses.
bool uses_storage16(const Words& words) {
  constexpr uint32_t kOpCapability = 17, kStorageBuffer16BitAccess = 4433;
  for (size_t i = 5; i + 1 < words.size() && (words[i] & 0xffffu) == kOpCapability; i += words[i] >> 16) {
    if (words[i + 1] == kStorageBuffer16BitAccess) return true;
  }
  return false;
}

}  // namespace

Words optimize(const Words& words) {
  std::string message;
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.SetMessageConsumer(keep_first(message));
  optimizer.RegisterPerformancePasses();
  optimizer.RegisterPass(spvtools::CreateStripDebugInfoPass());
  if (!uses_storage16(words)) optimizer.RegisterPass(spvtools::CreateTrimCapabilitiesPass());
  optimizer.RegisterPass(spvtools::CreateCompactIdsPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  Words optimized;
  if (!optimizer.Run(words.data(), words.size(), &optimized, options)) {
    throw std::runtime_error("spirv-opt: " + message);
  }
  return optimized;
}

void validate(const Words& words) {
  std::string message;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_2);
  tools.SetMessageConsumer(keep_first(message));
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  if (!tools.Validate(words.data(), words.size(), options)) throw std::runtime_error("spirv-val: " + message);
}

std::string backend_version() { return spvSoftwareVersionString(); }

}  // namespace nxv::compiler
