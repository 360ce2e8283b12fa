#include "runtime/core/command_slots.h"

namespace nxv {

CommandSlots::CommandSlots(const LogicalDevice& device, uint32_t family, uint32_t timestamps)
    : device_(device), slots_(kCount) {
  try {
    create(family, timestamps);
  } catch (...) {
    destroy();
    throw;
  }
}

CommandSlots::~CommandSlots() { destroy(); }

void CommandSlots::create(uint32_t family, uint32_t timestamps) {
  const Vk& vk = device_.vk();
  for (CommandSlot& slot : slots_) {
    auto pool = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool.queueFamilyIndex = family;
    check(vk.CreateCommandPool(device_.handle(), &pool, nullptr, &slot.pool), "vkCreateCommandPool");
    auto buffer = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    buffer.commandPool = slot.pool;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    check(vk.AllocateCommandBuffers(device_.handle(), &buffer, &slot.buffer), "vkAllocateCommandBuffers");
    if (!timestamps) continue;
    auto queries = typed<VkQueryPoolCreateInfo>(VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO);
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queries.queryCount = timestamps;
    check(vk.CreateQueryPool(device_.handle(), &queries, nullptr, &slot.queries), "vkCreateQueryPool");
    slot.timed.reserve(timestamps / 2);
  }
}

void CommandSlots::destroy() {
  const Vk& vk = device_.vk();
  for (CommandSlot& slot : slots_) {
    vk.DestroyQueryPool(device_.handle(), slot.queries, nullptr);
    vk.DestroyCommandPool(device_.handle(), slot.pool, nullptr);
  }
}

}  // namespace nxv
