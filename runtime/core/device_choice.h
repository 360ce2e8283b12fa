#pragma once

#include <span>
#include <string_view>

#include "runtime/core/api.h"
#include "runtime/core/physical_device.h"

namespace nxv {

// The position of the device that `select` means: an index, a UUID, a name or a part of one that no other device has
// too. Empty: the first usable discrete, integrated, virtual, CPU device in this order. Pure. Throws invalid_argument,
// which lists the devices, for an unknown or ambiguous selector, and unsupported where the device meant lacks what is
// required.
size_t choose_device(std::span<const PhysicalDevice> devices, std::string_view select);

}  // namespace nxv
