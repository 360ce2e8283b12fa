#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/core/health.h"
#include "runtime/core/instance.h"
#include "runtime/core/physical_device.h"
#include "runtime/core/vk.h"

namespace nxv {

struct Queue {
  VkQueue handle = VK_NULL_HANDLE;
  uint32_t family = 0;
  uint32_t timestamp_bits = 0;
};

// Owns a VkDevice and the whole entry-point table. Immutable after construction, so every thread may use it; queues
// belong to the stream that is made of them.
class LogicalDevice {
 public:
  LogicalDevice(std::shared_ptr<const Instance> instance, PhysicalDevice physical);
  ~LogicalDevice();
  LogicalDevice(const LogicalDevice&) = delete;
  LogicalDevice& operator=(const LogicalDevice&) = delete;

  const Vk& vk() const { return vk_; }
  VkDevice handle() const { return device_; }
  const Instance& instance() const { return *instance_; }
  const PhysicalDevice& physical() const { return physical_; }
  const DeviceInfo& info() const { return physical_.info; }
  Health& health() const { return health_; }
  const Queue& compute_queue() const { return compute_; }
  const Queue* transfer_queue() const { return transfer_.handle ? &transfer_ : nullptr; }

 private:
  void create();

  std::shared_ptr<const Instance> instance_;
  PhysicalDevice physical_;
  mutable Health health_;
  Vk vk_;
  VkDevice device_ = VK_NULL_HANDLE;
  Queue compute_, transfer_;
};

}  // namespace nxv
