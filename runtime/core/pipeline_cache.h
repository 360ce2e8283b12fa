#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/core/event.h"
#include "runtime/core/failure.h"
#include "runtime/core/logical_device.h"
#include "runtime/core/pack.h"
#include "runtime/core/plan.h"
#include "runtime/core/workers.h"

namespace nxv {

inline constexpr uint32_t kPushBytes = 128;  // the least every Vulkan device offers

// A prebuilt kernel made for this device. Lives as long as its cache.
struct Pipeline {
  VkPipeline handle = VK_NULL_HANDLE;
  uint32_t push_bytes = 0;  // that the kernel reads
  std::string key;
};

// All pipelines of a device. They are created on worker threads; requests for one under way join it. Thread-safe; the
// lock is never held over a driver call.
class PipelineCache {
 public:
  // `device`, `pack` and `workers` must outlive the object; the workers must have ended before it is destroyed.
  // `initial_data` is what data() of an earlier run gave; the driver ignores what it cannot use.
  PipelineCache(const LogicalDevice& device, std::shared_ptr<const Pack> pack, Workers& workers,
                const std::vector<std::byte>& initial_data);
  ~PipelineCache();
  PipelineCache(const PipelineCache&) = delete;
  PipelineCache& operator=(const PipelineCache&) = delete;

  // Exactly one is set. Throws unsupported for a key that the pack or the device's features do not have, and once for
  // each creation that failed.
  struct Lookup {
    const Pipeline* pipeline = nullptr;
    PendingPtr pending;
  };
  Lookup request(const KernelRef& kernel);

  // What is queued fails at once, so that the workers end soon.
  void stop() { stopping_.store(true); }

  // Forgets the handles without touching the driver, when the device is hung.
  void abandon() { abandoned_ = true; }

  VkPipelineLayout layout() const { return layout_; }

  // How many pipelines were made, and when the newest was.
  struct Created {
    uint64_t count = 0;
    std::chrono::steady_clock::time_point newest{};
  };
  Created created() const;
  // What a later run may start from.
  std::vector<std::byte> data() const;

 private:
  struct Hash {
    size_t operator()(const KernelRef& kernel) const;
  };
  struct Equal {
    bool operator()(const KernelRef& a, const KernelRef& b) const {
      return a.key == b.key && a.constants == b.constants;
    }
  };
  struct Entry {
    Pipeline pipeline;
    std::shared_ptr<Event> event = std::make_shared<Event>();
    std::optional<Failure> error;
    bool ready = false;  // guarded, like error, by the cache's mutex
  };

  void check_caps(const KernelRef& kernel) const;
  void create(const KernelRef& kernel, Entry& entry);
  VkPipeline build(const KernelRef& kernel);

  const LogicalDevice& device_;
  const std::shared_ptr<const Pack> pack_;
  Workers& workers_;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::atomic<bool> stopping_{false};
  bool abandoned_ = false;
  mutable std::shared_mutex mutex_;
  Created created_;
  std::unordered_map<KernelRef, std::shared_ptr<Entry>, Hash, Equal> entries_;
};

}  // namespace nxv
