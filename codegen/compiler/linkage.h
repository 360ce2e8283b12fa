#pragma once

#include "codegen/compiler/frontend.h"

namespace nxv::compiler {

// Makes functions named link_export_NAME and link_body_NAME symbols NAME of the linker in runtime/core. It replaces the
// bodies of the latter, so they are never put inline. A module without any of these is a library and loses its entry
// point. Modules without symbols stay as they are.
Words declare_linkage(const Words& words);

// Whether a module has symbols.
bool has_linkage(const Words& words);

}  // namespace nxv::compiler
