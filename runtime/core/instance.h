#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/core/vk.h"

namespace nxv {

// What the validation layer had to say. Thread-safe.
class ValidationLog {
 public:
  void add(std::string message);
  uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  std::vector<std::string> messages() const;  // the first hundred

 private:
  std::atomic<uint64_t> count_{0};
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
};

// Owns a VkInstance and the first half of the entry-point table. Immutable after construction.
class Instance {
 public:
  enum class Validation { off, on };

  // Throws unsupported, one plain sentence, where there is no driver, Vulkan is older than 1.2 or the validation layer
  // is asked for but not installed.
  Instance(PFN_vkGetInstanceProcAddr get, Validation validation);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Vk& vk() const { return vk_; }
  VkInstance handle() const { return instance_; }
  uint32_t api_version() const { return api_version_; }
  const ValidationLog& validation_log() const { return log_; }

  // Throws unsupported where there is none.
  std::vector<VkPhysicalDevice> physical_devices() const;

 private:
  void create_messenger();

  Vk vk_;
  uint32_t api_version_ = 0;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  ValidationLog log_;
};

}  // namespace nxv
