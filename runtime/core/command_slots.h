#pragma once

#include <cstdint>
#include <vector>

#include "runtime/core/logical_device.h"

namespace nxv {

// A command buffer with a pool of its own, and timestamps where they are wanted.
struct CommandSlot {
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  VkQueryPool queries = VK_NULL_HANDLE;
  uint64_t last_step = 0;                 // that it was submitted with; 0: free
  std::vector<const std::string*> timed;  // key of each pair of timestamps
};

// The command buffers of a stream, used in turn. Belongs to the stream's submitter.
class CommandSlots {
 public:
  static constexpr uint32_t kCount = 16;

  // `timestamps`: how many each slot can hold; 0: none.
  CommandSlots(const LogicalDevice& device, uint32_t family, uint32_t timestamps);
  ~CommandSlots();
  CommandSlots(const CommandSlots&) = delete;
  CommandSlots& operator=(const CommandSlots&) = delete;

  CommandSlot& at(uint32_t index) { return slots_[index % kCount]; }

 private:
  void create(uint32_t family, uint32_t timestamps);
  void destroy();

  const LogicalDevice& device_;
  std::vector<CommandSlot> slots_;
};

}  // namespace nxv
