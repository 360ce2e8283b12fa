#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/core/hazards.h"

namespace nxv {

// Two steps that touch the same memory, one of them writing, with nothing that orders them.
struct MissingOrder {
  size_t earlier = 0, later = 0;  // positions in the log
  std::string text;
};

// Proves from the log alone, by address ranges and what Vulkan promises, that no ordering is missing. Knows nothing of
// how the tracker works. Events must be in order of appending. Quadratic: for tests.
std::vector<MissingOrder> check_hazards(std::span<const HazardEvent> log);

}  // namespace nxv
