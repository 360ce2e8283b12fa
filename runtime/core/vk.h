#pragma once

#include <vulkan/vulkan_core.h>

// Every Vulkan entry point the runtime calls. Code gets the table by reference; nothing links to a Vulkan library, and
// tests hand down a table of their own.

#define NXV_VK_GLOBAL(X) \
  X(CreateInstance)      \
  X(EnumerateInstanceLayerProperties)

#define NXV_VK_INSTANCE(X)              \
  X(CreateDevice)                       \
  X(DestroyInstance)                    \
  X(EnumerateDeviceExtensionProperties) \
  X(EnumeratePhysicalDevices)           \
  X(GetDeviceProcAddr)                  \
  X(GetPhysicalDeviceFeatures2)         \
  X(GetPhysicalDeviceMemoryProperties2) \
  X(GetPhysicalDeviceProperties)        \
  X(GetPhysicalDeviceProperties2)       \
  X(GetPhysicalDeviceQueueFamilyProperties)

#define NXV_VK_DEVICE(X)         \
  X(AllocateCommandBuffers)      \
  X(AllocateMemory)              \
  X(BeginCommandBuffer)          \
  X(BindBufferMemory)            \
  X(CmdBindPipeline)             \
  X(CmdCopyBuffer)               \
  X(CmdDispatch)                 \
  X(CmdPipelineBarrier)          \
  X(CmdPushConstants)            \
  X(CmdResetQueryPool)           \
  X(CmdWriteTimestamp)           \
  X(CreateBuffer)                \
  X(CreateCommandPool)           \
  X(CreateComputePipelines)      \
  X(CreatePipelineCache)         \
  X(CreatePipelineLayout)        \
  X(CreateQueryPool)             \
  X(CreateSemaphore)             \
  X(CreateShaderModule)          \
  X(DestroyBuffer)               \
  X(DestroyCommandPool)          \
  X(DestroyDevice)               \
  X(DestroyPipeline)             \
  X(DestroyPipelineCache)        \
  X(DestroyPipelineLayout)       \
  X(DestroyQueryPool)            \
  X(DestroySemaphore)            \
  X(DestroyShaderModule)         \
  X(EndCommandBuffer)            \
  X(FreeMemory)                  \
  X(GetBufferDeviceAddress)      \
  X(GetBufferMemoryRequirements) \
  X(GetDeviceQueue)              \
  X(GetPipelineCacheData)        \
  X(GetQueryPoolResults)         \
  X(GetSemaphoreCounterValue)    \
  X(MapMemory)                   \
  X(QueueSubmit)                 \
  X(ResetCommandPool)            \
  X(WaitSemaphores)

namespace nxv {

struct Vk {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
  // May be missing: old loaders, no validation.
  PFN_vkEnumerateInstanceVersion EnumerateInstanceVersion = nullptr;
  PFN_vkCreateDebugUtilsMessengerEXT CreateDebugUtilsMessengerEXT = nullptr;
  PFN_vkDestroyDebugUtilsMessengerEXT DestroyDebugUtilsMessengerEXT = nullptr;
#define NXV_VK_MEMBER(name) PFN_vk##name name = nullptr;
  NXV_VK_GLOBAL(NXV_VK_MEMBER)
  NXV_VK_INSTANCE(NXV_VK_MEMBER)
  NXV_VK_DEVICE(NXV_VK_MEMBER)
#undef NXV_VK_MEMBER
};

// A zeroed Vulkan struct of the type that its sType says.
template <typename Struct>
Struct typed(VkStructureType type) {
  Struct value{};
  value.sType = type;
  return value;
}

// Opens libvulkan.so.1, which is never closed again: drivers leave threads and thread-local state behind.
// Throws unsupported with one plain sentence.
PFN_vkGetInstanceProcAddr open_loader();

// Fill their part of the table; throw unsupported where an entry point is missing.
void load_global(Vk& vk, PFN_vkGetInstanceProcAddr get);
void load_instance(Vk& vk, VkInstance instance);
void load_device(Vk& vk, VkDevice device);

}  // namespace nxv
