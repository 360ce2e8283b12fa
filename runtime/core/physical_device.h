#pragma once

#include <optional>
#include <vector>

#include "runtime/core/api.h"
#include "runtime/core/pipeline_store.h"
#include "runtime/core/vk.h"

namespace nxv {

// Float controls a device offers, an entry a width: 16, 32, 64 bits.
struct FloatControls {
  struct Width {
    bool denorm_preserve = false, round_even = false, keep_nan_inf = false;
  };
  Width f16, f32, f64;
  VkShaderFloatControlsIndependence denorm_independence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  VkShaderFloatControlsIndependence rounding_independence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
};

// All that is asked of a device before it is opened. Plain data.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  DeviceInfo info;
  FloatControls floats;
  PipelineIdentity pipelines;
  VkPhysicalDeviceMemoryProperties memory{};
  std::optional<uint32_t> compute_family;
  std::optional<uint32_t> transfer_family;  // one that does nothing else
  uint32_t timestamp_bits = 0;              // of the compute family
  float timestamp_period = 0;               // ns
  bool memory_budget = false;               // VK_EXT_memory_budget
  bool maintenance4 = false;
  bool subgroup_extended_types = false;
  bool memory_model = false;
};

PhysicalDevice probe(const Vk& vk, VkPhysicalDevice device, uint32_t index, uint32_t instance_version);

}  // namespace nxv
