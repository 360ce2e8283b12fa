#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "runtime/core/api.h"
#include "runtime/core/environment.h"
#include "runtime/core/fork_guard.h"
#include "runtime/core/hazards.h"
#include "runtime/core/logical_device.h"
#include "runtime/core/memory_pool.h"
#include "runtime/core/pack.h"
#include "runtime/core/pipeline_cache.h"
#include "runtime/core/profiler.h"
#include "runtime/core/stream.h"
#include "runtime/core/workers.h"

namespace nxv {

// All that makes a device what it is; tests hand down a loader and a pack of their own.
struct DeviceConfig {
  DeviceOptions options;
  Environment environment;
  PFN_vkGetInstanceProcAddr loader = nullptr;
  std::shared_ptr<const Pack> pack;
  bool log_hazards = false;
  uint32_t most_queued = 8192;  // steps
  std::array<uint64_t, 3> block_growth{16ull << 20, 64ull << 20, 256ull << 20};
  std::chrono::milliseconds idle_grace{1000};
  std::chrono::nanoseconds close_limit = std::chrono::seconds(10);
};

// What a device consists of, in order of construction. Its members are thread-safe.
struct DeviceParts {
  DeviceParts(const DeviceConfig& config, std::shared_ptr<const Instance> instance, PhysicalDevice physical);
  DeviceParts(const DeviceParts&) = delete;
  DeviceParts& operator=(const DeviceParts&) = delete;

  ForkGuard fork;
  LogicalDevice logical;
  const MemoryTypes memory_types;
  Workers compilers;  // create pipelines
  Workers helpers;    // driver allocations
  Workers copiers;    // large copies between host memories
  HazardLog hazard_log;
  Profiler profiler;
  StreamGroup streams;
  PipelineStore store;
  PipelineCache pipelines;
  std::shared_ptr<MemoryPool> buffers;  // tensors
  std::shared_ptr<MemoryPool> staging;  // host cached
  std::shared_ptr<MemoryPool> params;   // small host writes
  std::unique_ptr<Stream> compute;
  std::unique_ptr<Stream> transfer;  // null where the device has no queue for it

  // Large transfers go here.
  Stream& transfers() { return transfer ? *transfer : *compute; }

  // Writes what the driver knows of pipelines where there are new ones.
  void save_pipelines();
  // What is to be done now and then: idle memory goes back, new pipelines are saved. Returns when it is due next.
  std::chrono::steady_clock::time_point housekeeping();

 private:
  std::atomic<uint64_t> pipelines_saved_{0};
  std::atomic<bool> saving_{false};
};

class Device : public std::enable_shared_from_this<Device> {
 public:
  explicit Device(const DeviceConfig& config);
  // Waits a bounded time for what is in flight. Where the device is stuck, or in the child of a fork, its parts are
  // leaked.
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // The parts, for a call named `function`: throws in the child of a fork and where the device is lost.
  DeviceParts& use(std::string_view function) {
    parts_->fork.require(function);
    parts_->logical.health().require(function);
    return *parts_;
  }
  // Also when it is lost.
  DeviceParts& parts() const { return *parts_; }

 private:
  bool close();

  std::unique_ptr<DeviceParts> parts_;
  const std::chrono::nanoseconds close_limit_;
  const bool print_profile_;
};

// Throws invalid_argument, "[function] …", where the view is of another device or ends before `bytes`.
void check_view(const DeviceParts& parts, const BufferView& view, uint64_t bytes, std::string_view function);

DevicePtr open_device(const DeviceConfig& config);
std::vector<DeviceInfo> list_devices(PFN_vkGetInstanceProcAddr loader);

}  // namespace nxv
