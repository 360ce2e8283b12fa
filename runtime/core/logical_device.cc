#include "runtime/core/logical_device.h"

#include <vector>

namespace nxv {
namespace {

// Features in use; optional ones where the device has them.
struct Features {
  VkPhysicalDeviceFeatures2 core = typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceVulkan11Features f11 =
      typed<VkPhysicalDeviceVulkan11Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  VkPhysicalDeviceVulkan12Features f12 =
      typed<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  VkPhysicalDeviceVulkan13Features f13 =
      typed<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);

  explicit Features(const PhysicalDevice& device) {
    uint32_t caps = device.info.traits.caps;
    auto has = [caps](Cap cap) { return caps & cap ? VK_TRUE : VK_FALSE; };
    core.features.shaderFloat64 = has(kCapFloat64);
    core.features.shaderInt64 = has(kCapInt64);
    core.features.shaderInt16 = has(kCapInt16);
    f11.storageBuffer16BitAccess = has(kCapStorage16);
    f12.storageBuffer8BitAccess = has(kCapStorage8);
    f12.shaderFloat16 = has(kCapFloat16);
    f12.shaderInt8 = has(kCapInt8);
    f12.bufferDeviceAddress = VK_TRUE;
    f12.timelineSemaphore = VK_TRUE;
    f12.scalarBlockLayout = VK_TRUE;
    f12.shaderSubgroupExtendedTypes = device.subgroup_extended_types;
    f12.vulkanMemoryModel = device.memory_model;
    f12.vulkanMemoryModelDeviceScope = device.memory_model;
    core.pNext = &f11;
    f11.pNext = &f12;
    if (device.maintenance4) {
      f12.pNext = &f13;
      f13.maintenance4 = VK_TRUE;
    }
  }
};

}  // namespace

LogicalDevice::LogicalDevice(std::shared_ptr<const Instance> instance, PhysicalDevice physical)
    : instance_(std::move(instance)),
      physical_(std::move(physical)),
      health_(physical_.info.name),
      vk_(instance_->vk()) {
  create();
  try {
    load_device(vk_, device_);
  } catch (...) {
    if (vk_.DestroyDevice) vk_.DestroyDevice(device_, nullptr);
    throw;
  }
  compute_.family = *physical_.compute_family;
  compute_.timestamp_bits = physical_.timestamp_bits;
  vk_.GetDeviceQueue(device_, compute_.family, 0, &compute_.handle);
  if (physical_.transfer_family) {
    transfer_.family = *physical_.transfer_family;
    vk_.GetDeviceQueue(device_, transfer_.family, 0, &transfer_.handle);
  }
}

LogicalDevice::~LogicalDevice() { vk_.DestroyDevice(device_, nullptr); }

void LogicalDevice::create() {
  float priority = 1.0f;
  std::vector<VkDeviceQueueCreateInfo> queues;
  auto add_queue = [&](uint32_t family) {
    auto queue = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    queues.push_back(queue);
  };
  add_queue(*physical_.compute_family);
  if (physical_.transfer_family) add_queue(*physical_.transfer_family);

  std::vector<const char*> extensions;
  if (physical_.memory_budget) extensions.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);

  Features features(physical_);
  auto info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.pNext = &features.core;
  info.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
  info.pQueueCreateInfos = queues.data();
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vk_.CreateDevice(physical_.handle, &info, nullptr, &device_), "vkCreateDevice");
}

}  // namespace nxv
