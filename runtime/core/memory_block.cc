#include "runtime/core/memory_block.h"

#include <array>
#include <optional>

#include "runtime/core/range_allocator.h"

namespace nxv {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMappable = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = kMappable | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
// Types with side effects or rules of their own are never used.
constexpr VkMemoryPropertyFlags kOdd = VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                       VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                       VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD |
                                       VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV;

struct TypeFinder {
  const VkPhysicalDeviceMemoryProperties& properties;
  uint32_t allowed;

  // The type with all of `wanted`, none of `unwanted`, in the largest heap.
  std::optional<uint32_t> find(VkMemoryPropertyFlags wanted, VkMemoryPropertyFlags unwanted = 0) const {
    std::optional<uint32_t> best;
    for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
      VkMemoryPropertyFlags flags = properties.memoryTypes[i].propertyFlags;
      if (!(allowed & (1u << i)) || (flags & wanted) != wanted || (flags & (unwanted | kOdd))) continue;
      if (!best || heap_bytes(i) > heap_bytes(*best)) best = i;
    }
    return best;
  }

  VkDeviceSize heap_bytes(uint32_t type) const {
    return properties.memoryHeaps[properties.memoryTypes[type].heapIndex].size;
  }
};

VkBufferCreateInfo buffer_info(const LogicalDevice& device, uint64_t bytes, std::array<uint32_t, 2>& families) {
  auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (device.transfer_queue()) {
    families = {device.compute_queue().family, device.transfer_queue()->family};
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families.data();
  }
  return info;
}

}  // namespace

MemoryTypes choose_memory_types(const VkPhysicalDeviceMemoryProperties& properties, uint32_t allowed) {
  TypeFinder finder{properties, allowed};
  MemoryTypes types;
  if (std::optional<uint32_t> direct = finder.find(kLocal | kCached)) {
    types.device = *direct;
    types.device_mapped = true;
  } else if (std::optional<uint32_t> local = finder.find(kLocal, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)) {
    types.device = *local;
  } else if (std::optional<uint32_t> any_local = finder.find(kLocal)) {
    types.device = *any_local;
  } else {
    throw Error(Code::unsupported, "[open_device] the device offers no memory for buffers");
  }
  std::optional<uint32_t> staging = finder.find(kCached);
  if (!staging) staging = finder.find(kMappable);
  if (!staging) throw Error(Code::unsupported, "[open_device] the device offers no memory that the host can write");
  types.staging = *staging;
  std::optional<uint32_t> bar = finder.find(kLocal | kMappable);
  types.params = bar ? *bar : *staging;
  return types;
}

uint32_t allowed_memory_types(const LogicalDevice& device) {
  const Vk& vk = device.vk();
  std::array<uint32_t, 2> families;
  VkBufferCreateInfo info = buffer_info(device, RangeAllocator::kGranule, families);
  VkBuffer buffer = VK_NULL_HANDLE;
  check(vk.CreateBuffer(device.handle(), &info, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements requirements{};
  vk.GetBufferMemoryRequirements(device.handle(), buffer, &requirements);
  vk.DestroyBuffer(device.handle(), buffer, nullptr);
  return requirements.memoryTypeBits;
}

MemoryBlock::MemoryBlock(const LogicalDevice& device, uint32_t type, uint64_t bytes, Mapping mapping)
    : device_(device), bytes_(bytes) {
  try {
    create(type, mapping);
  } catch (...) {
    destroy();
    throw;
  }
}

MemoryBlock::~MemoryBlock() { destroy(); }

void MemoryBlock::create(uint32_t type, Mapping mapping) {
  const Vk& vk = device_.vk();
  Health& health = device_.health();
  std::array<uint32_t, 2> families;
  VkBufferCreateInfo buffer = buffer_info(device_, bytes_, families);
  health.check(vk.CreateBuffer(device_.handle(), &buffer, nullptr, &buffer_), "vkCreateBuffer");
  VkMemoryRequirements requirements{};
  vk.GetBufferMemoryRequirements(device_.handle(), buffer_, &requirements);

  auto flags = typed<VkMemoryAllocateFlagsInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  auto memory = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  memory.pNext = &flags;
  memory.allocationSize = requirements.size;
  memory.memoryTypeIndex = type;
  health.check(vk.AllocateMemory(device_.handle(), &memory, nullptr, &memory_), "vkAllocateMemory");
  health.check(vk.BindBufferMemory(device_.handle(), buffer_, memory_, 0), "vkBindBufferMemory");
  if (mapping == Mapping::persistent) {
    void* data = nullptr;
    health.check(vk.MapMemory(device_.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
    mapped_ = static_cast<std::byte*>(data);
  }
  auto address = typed<VkBufferDeviceAddressInfo>(VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO);
  address.buffer = buffer_;
  address_ = vk.GetBufferDeviceAddress(device_.handle(), &address);
}

void MemoryBlock::destroy() {
  // Freeing unmaps.
  device_.vk().DestroyBuffer(device_.handle(), buffer_, nullptr);
  device_.vk().FreeMemory(device_.handle(), memory_, nullptr);
}

}  // namespace nxv
