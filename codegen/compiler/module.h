#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codegen/compiler/frontend.h"

namespace nxv::compiler {

// Decorates every float instruction that computes (arithmetic, comparison, extended instruction set) with
// NoContraction, as `precise` would in the source, so that no driver fuses or reorders it. Leaves what is decorated
// already.
Words forbid_contraction(const Words& words);

// How many instructions forbid_contraction would decorate.
size_t contractible(const Words& words);

// What the manifest says of a module.
struct Facts {
  std::vector<std::string> capabilities;  // sorted, without those that every device has
  std::string interface;                  // "address" or, where there are descriptors, "storage"
  uint32_t push_bytes = 0;
  bool specialized_size = false;  // the workgroup size comes from specialization constants
  std::array<uint32_t, 3> local{1, 1, 1};
};

Facts facts_of(const Words& words);

}  // namespace nxv::compiler
