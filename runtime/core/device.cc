#include "runtime/core/device.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#include "runtime/core/device_choice.h"

namespace nxv {
namespace {

// Longer than a small dispatch, shorter than anybody notices.
constexpr std::chrono::microseconds kSpin{50};

// New pipelines often come many at a time.
constexpr std::chrono::seconds kSaveDelay{2};

constexpr uint64_t kStagingReserve = 64ull << 20;
constexpr uint64_t kParamsReserve = 1ull << 20;

size_t cores() { return std::max(1u, std::thread::hardware_concurrency()); }

std::vector<PhysicalDevice> probe_all(const Instance& instance) {
  std::vector<PhysicalDevice> devices;
  for (VkPhysicalDevice handle : instance.physical_devices()) {
    devices.push_back(probe(instance.vk(), handle, static_cast<uint32_t>(devices.size()), instance.api_version()));
  }
  return devices;
}

MemoryPool::Options pool_options(uint32_t type, MemoryBlock::Mapping mapping, const DeviceConfig& config) {
  MemoryPool::Options options;
  options.type = type;
  options.mapping = mapping;
  options.grace = config.idle_grace;
  options.growth = config.block_growth;
  return options;
}

bool profiling(const DeviceConfig& config) { return config.options.profile || config.environment.profile; }

std::unique_ptr<DeviceParts> make_parts(const DeviceConfig& config) {
  auto validation = config.environment.validate ? Instance::Validation::on : Instance::Validation::off;
  auto instance = std::make_shared<const Instance>(config.loader, validation);
  std::vector<PhysicalDevice> devices = probe_all(*instance);
  const std::string& select = config.options.select.empty() ? config.environment.device : config.options.select;
  size_t chosen = choose_device(devices, select);
  return std::make_unique<DeviceParts>(config, std::move(instance), std::move(devices[chosen]));
}

}  // namespace

DeviceParts::DeviceParts(const DeviceConfig& config, std::shared_ptr<const Instance> instance, PhysicalDevice physical)
    : logical(std::move(instance), std::move(physical)),
      memory_types(choose_memory_types(logical.physical().memory, allowed_memory_types(logical))),
      compilers("nxv-compile", std::clamp<size_t>(cores() / 2, 1, 4)),
      helpers("nxv-memory", 2),
      copiers("nxv-copy", std::clamp<size_t>(cores() / 2, 1, 7)),
      store(config.environment.cache, logical.physical().pipelines),
      pipelines(logical, config.pack, compilers, store.load()) {
  using Mapping = MemoryBlock::Mapping;
  auto pool = [&](const MemoryPool::Options& options) {
    return std::make_shared<MemoryPool>(logical, streams, helpers, options);
  };
  MemoryPool::Options options =
      pool_options(memory_types.device, memory_types.device_mapped ? Mapping::persistent : Mapping::none, config);
  options.limit = config.options.memory_limit;
  buffers = pool(options);
  options = pool_options(memory_types.staging, Mapping::persistent, config);
  options.reserve = kStagingReserve;
  staging = pool(options);
  options = pool_options(memory_types.params, Mapping::persistent, config);
  options.reserve = kParamsReserve;
  options.growth = {1ull << 20, 4ull << 20, 16ull << 20};
  params = pool(options);

  if (config.log_hazards) streams.log = &hazard_log;
  auto stream = [&](const Queue& queue, uint32_t id) {
    Stream::Options made;
    made.id = id;
    made.serialize = config.environment.serialize;
    made.most_queued = config.most_queued;
    bool cpu = logical.info().cpu;
    made.timeline.spin = cpu ? std::chrono::nanoseconds{0} : kSpin;
    made.timeline.hang_limit = config.options.hang_limit;
    made.timeline.housekeeping = [this] { return housekeeping(); };
    made.submitter.queue = queue;
    made.submitter.layout = pipelines.layout();
    made.submitter.spin = made.timeline.spin;
    made.submitter.most_in_flight = cpu ? 2 : 4;
    made.submitter.host_reads_all = memory_types.device_mapped;
    if (profiling(config) && queue.timestamp_bits) made.submitter.profiler = &profiler;
    return std::make_unique<Stream>(logical, streams, made);
  };
  compute = stream(logical.compute_queue(), 0);
  if (logical.transfer_queue()) transfer = stream(*logical.transfer_queue(), 1);
  compute->start();
  if (transfer) transfer->start();
}

void DeviceParts::save_pipelines() {
  uint64_t count = pipelines.created().count;
  if (count == pipelines_saved_.load()) return;
  try {
    store.save(pipelines.data());
  } catch (const Error&) {
    // The next run makes its pipelines anew.
  }
  pipelines_saved_.store(count);
}

std::chrono::steady_clock::time_point DeviceParts::housekeeping() {
  auto now = MemoryPool::Clock::now();
  auto next = std::min({buffers->trim(now), staging->trim(now), params->trim(now)});
  PipelineCache::Created created = pipelines.created();
  if (created.count == pipelines_saved_.load() || saving_.load()) return next;
  if (now < created.newest + kSaveDelay) return std::min(next, created.newest + kSaveDelay);
  saving_.store(true);
  auto save = [this] {
    save_pipelines();
    saving_.store(false);
  };
  if (!helpers.post(save)) saving_.store(false);
  return next;
}

Device::Device(const DeviceConfig& config)
    : parts_(make_parts(config)), close_limit_(config.close_limit), print_profile_(config.environment.profile) {}

Device::~Device() {
  if (parts_->fork.in_child() || !close()) static_cast<void>(parts_.release());
}

bool Device::close() {
  DeviceParts& parts = *parts_;
  auto deadline = std::chrono::steady_clock::now() + close_limit_;
  parts.pipelines.stop();
  bool closed = parts.compute->close(deadline);
  if (parts.transfer) closed &= parts.transfer->close(deadline);
  if (!closed) {
    for (const auto& pool : {parts.buffers, parts.staging, parts.params}) pool->abandon();
    return false;
  }
  parts.compilers.close();
  parts.helpers.close();
  parts.copiers.close();
  parts.save_pipelines();
  for (const auto& pool : {parts.buffers, parts.staging, parts.params}) pool->close();
  if (print_profile_) std::fputs(profile_text(parts.profiler.rows()).c_str(), stderr);
  return true;
}

void check_view(const DeviceParts& parts, const BufferView& view, uint64_t bytes, std::string_view function) {
  std::string where = "[" + std::string(function) + "] ";
  if (!view.buffer) throw Error(Code::invalid_argument, where + "no buffer");
  if (view.buffer->pool() != parts.buffers.get()) {
    throw Error(Code::invalid_argument, where + "the tensor lies on another device than " + parts.logical.info().name +
                                            ", or on one that is closed");
  }
  uint64_t whole = view.buffer->bytes();
  if (bytes > view.bytes || view.offset > whole || view.bytes > whole - view.offset) {
    throw Error(Code::invalid_argument, where + std::to_string(bytes) + " bytes asked of a view of " +
                                            std::to_string(view.bytes) + " at " + std::to_string(view.offset) + " of " +
                                            std::to_string(whole));
  }
}

DevicePtr open_device(const DeviceConfig& config) {
  // A callback may drop the last reference: the runtime's threads cannot join themselves.
  auto destroy = [](Device* device) {
    if (on_runtime_thread()) {
      std::thread([device] { delete device; }).detach();
    } else {
      delete device;
    }
  };
  return DevicePtr(new Device(config), destroy);
}

std::vector<DeviceInfo> list_devices(PFN_vkGetInstanceProcAddr loader) {
  Instance instance(loader, Instance::Validation::off);
  std::vector<DeviceInfo> infos;
  for (PhysicalDevice& device : probe_all(instance)) infos.push_back(std::move(device.info));
  return infos;
}

}  // namespace nxv
