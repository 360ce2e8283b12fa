#pragma once

#include <string>

#include "codegen/compiler/frontend.h"

namespace nxv::compiler {

// spirv-opt in two steps, for the unroller's copies of a loop's body lose their decorations: decorate anew between
// them. Both throw std::runtime_error and are thread-safe.

// Inlines, brings variables into registers, unrolls the loops that ask for it. Does no arithmetic of its own.
Words unroll(const Words& words);

// Simplifies, strips debug information, drops unused capabilities, compacts ids.
Words optimize(const Words& words);

// spirv-val for Vulkan 1.2 with scalar block layout. Throws std::runtime_error with its first message.
void validate(const Words& words);

std::string backend_version();

}  // namespace nxv::compiler
