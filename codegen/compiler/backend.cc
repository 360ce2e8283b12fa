#include "codegen/compiler/backend.h"

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>
#include <stdexcept>

#include "codegen/compiler/linkage.h"

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

Words run(spvtools::Optimizer& optimizer, const Words& words) {
  std::string message;
  optimizer.SetMessageConsumer(keep_first(message));
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  Words result;
  if (!optimizer.Run(words.data(), words.size(), &result, options)) throw std::runtime_error("spirv-opt: " + message);
  return result;
}

}  // namespace

// The two lists are spirv-opt's -O, cut after its loop unroller and without the repeats that change nothing here.

Words unroll(const Words& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreateMergeReturnPass())
      .RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass())
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateLocalMultiStoreElimPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateCCPPass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateLoopUnrollPass(true));
  return run(optimizer, words);
}

Words optimize(const Words& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_2);
  optimizer.RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateCombineAccessChainsPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateScalarReplacementPass())
      .RegisterPass(spvtools::CreateLocalAccessChainConvertPass())
      .RegisterPass(spvtools::CreateLocalSingleBlockLoadStoreElimPass())
      .RegisterPass(spvtools::CreateLocalSingleStoreElimPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateVectorDCEPass())
      .RegisterPass(spvtools::CreateDeadInsertElimPass())
      .RegisterPass(spvtools::CreateDeadBranchElimPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateIfConversionPass())
      .RegisterPass(spvtools::CreateCopyPropagateArraysPass())
      .RegisterPass(spvtools::CreateReduceLoadSizePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateBlockMergePass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateSimplificationPass())
      .RegisterPass(spvtools::CreateStripDebugInfoPass());
  if (!uses_storage16(words)) optimizer.RegisterPass(spvtools::CreateTrimCapabilitiesPass());
  optimizer.RegisterPass(spvtools::CreateCompactIdsPass());
  return run(optimizer, words);
}

void validate(const Words& words) {
  std::string message;
  // Vulkan knows no linkage; the runtime's linker takes it away.
  spvtools::SpirvTools tools(has_linkage(words) ? SPV_ENV_UNIVERSAL_1_5 : SPV_ENV_VULKAN_1_2);
  tools.SetMessageConsumer(keep_first(message));
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  if (!tools.Validate(words.data(), words.size(), options)) throw std::runtime_error("spirv-val: " + message);
}

std::string backend_version() { return spvSoftwareVersionString(); }

}  // namespace nxv::compiler
