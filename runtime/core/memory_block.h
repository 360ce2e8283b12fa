#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/core/logical_device.h"

namespace nxv {

struct Chunk;

// The memory types the runtime works with, as places in VkPhysicalDeviceMemoryProperties.
struct MemoryTypes {
  uint32_t device = 0;         // tensors
  bool device_mapped = false;  // device local, host visible and host cached: no staging
  uint32_t staging = 0;        // host cached, for copies both ways
  uint32_t params = 0;         // small host writes that shaders read: through the BAR where there is one
};

// Throws unsupported where a kind is missing. `allowed` are the type bits that the runtime's buffers may live in.
MemoryTypes choose_memory_types(const VkPhysicalDeviceMemoryProperties& properties, uint32_t allowed);

// The memory type bits of the runtime's buffers.
uint32_t allowed_memory_types(const LogicalDevice& device);

// Owns one VkDeviceMemory with one VkBuffer over all of it. The pool guards the fields that change.
class MemoryBlock {
 public:
  enum class Mapping { none, persistent };

  // Throws out_of_memory.
  MemoryBlock(const LogicalDevice& device, uint32_t type, uint64_t bytes, Mapping mapping);
  ~MemoryBlock();
  MemoryBlock(const MemoryBlock&) = delete;
  MemoryBlock& operator=(const MemoryBlock&) = delete;

  VkBuffer buffer() const { return buffer_; }
  VkDeviceAddress address() const { return address_; }
  std::byte* mapped() const { return mapped_; }  // null where not mapped
  uint64_t bytes() const { return bytes_; }

  uint64_t live_chunks = 0;
  Chunk* whole = nullptr;  // its first range: all of it while nothing is in use
  std::chrono::steady_clock::time_point idle_since{};

 private:
  const LogicalDevice& device_;
  const uint64_t bytes_;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  VkDeviceAddress address_ = 0;
  std::byte* mapped_ = nullptr;

  void create(uint32_t type, Mapping mapping);
  void destroy();
};

}  // namespace nxv
