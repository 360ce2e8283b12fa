#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/core/vk.h"

namespace nxv::test {

// A Vulkan of plain host memory. Its queues complete on threads of their own, in order, or not before they are told to,
// or with an error. A device address is a host pointer, so copies and kernels really happen: ThreadSanitizer and
// AddressSanitizer see them. One object at a time is the one that entry points reach.
class FakeVulkan {
 public:
  struct Config {
    bool transfer_queue = false;
    bool mapped = false;  // device memory is host cached, as on llvmpipe
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    uint64_t heap_bytes = 1ull << 30;
    uint64_t budget_bytes = 0;  // 0: no VK_EXT_memory_budget
    bool float64 = true;
    bool buffer_device_address = true;
    uint32_t api_version = VK_API_VERSION_1_3;
    std::chrono::microseconds pipeline_time{0};
    int devices = 1;
  };
  // Runs at a dispatch, on the queue's thread.
  using Kernel = std::function<void(std::span<const std::byte> push, const std::array<uint32_t, 3>& groups)>;

  explicit FakeVulkan(const Config& config);
  FakeVulkan() : FakeVulkan(Config{}) {}
  ~FakeVulkan();

  static PFN_vkVoidFunction VKAPI_CALL get_proc_addr(VkInstance instance, const char* name);

  void set_kernel(Kernel kernel);

  // The n-th call (from 1, counted from now) of the function gives `result`, and so do all later ones with `times` < 0.
  void fail(const std::string& function, int nth, VkResult result, int times = 1);
  int calls(const std::string& function) const;

  // Queues stop before the next submit / go on.
  void hold();
  void release();
  // Every wait and submit says that the device is lost; what is queued never completes.
  void lose();

  // Counters of semaphores read as their largest value, as some drivers do when the device is lost.
  void jump_ahead();

  // Submits that have completed.
  int completed() const;
  int barriers() const;
  // Objects that exist, by name; empty when nothing leaked.
  std::map<std::string, int> live() const;
  uint64_t device_bytes() const;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace nxv::test
