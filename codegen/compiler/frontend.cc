#include "codegen/compiler/frontend.h"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include <stdexcept>

namespace nxv::compiler {

Frontend::Frontend() { glslang::InitializeProcess(); }
Frontend::~Frontend() { glslang::FinalizeProcess(); }

Words Frontend::compile(const std::string& source) const {
  // Symbols of the linker have no caller here.
  const bool library = source.find("link_export_") != std::string::npos;
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules |
                                                 (library ? EShMsgKeepUncalled : EShMsgDefault));
  const char* text = source.c_str();
  glslang::TShader shader(EShLangCompute);
  shader.setStrings(&text, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 460);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_2);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_5);
  if (!shader.parse(GetDefaultResources(), 460, false, messages)) throw std::runtime_error(shader.getInfoLog());
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) throw std::runtime_error(program.getInfoLog());
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  options.generateDebugInfo = false;
  Words words;
  spv::SpvBuildLogger logger;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &logger, &options);
  if (words.empty()) throw std::runtime_error("no SPIR-V: " + logger.getAllMessages());
  return words;
}

std::string frontend_version() {
  const glslang::Version version = glslang::GetVersion();
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
}

}  // namespace nxv::compiler
