#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/core/physical_device.h"

namespace nxv {

// The module with the float-control execution modes that its float types need and the device offers:
// SignedZeroInfNanPreserve, RoundingModeRTE, DenormPreserve, for every entry point. Modes that are already there are
// kept. Throws invalid_argument where the words are no well-formed SPIR-V.
std::vector<uint32_t> add_float_controls(std::span<const uint32_t> module, const FloatControls& offered);

}  // namespace nxv
