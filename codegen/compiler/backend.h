#pragma once

#include <string>

#include "codegen/compiler/frontend.h"

namespace nxv::compiler {

// spirv-opt's performance passes, debug information stripped, unused capabilities dropped, ids compacted.
// Throws std::runtime_error. Thread-safe.
Words optimize(const Words& words);

// spirv-val for Vulkan 1.2 with scalar block layout. Throws std::runtime_error with its first message.
void validate(const Words& words);

std::string backend_version();

}  // namespace nxv::compiler
