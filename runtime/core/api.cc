#include "runtime/core/api.h"

#include "runtime/core/device.h"
#include "runtime/core/transfer.h"

namespace nxv {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// Saturates, so that "for ever" may be said as nanoseconds::max().
TimePoint deadline_after(std::chrono::nanoseconds timeout) {
  TimePoint now = std::chrono::steady_clock::now();
  return timeout > TimePoint::max() - now ? TimePoint::max() : now + timeout;
}

}  // namespace

std::vector<DeviceInfo> list_devices() { return list_devices(open_loader()); }

DevicePtr open_device(const DeviceOptions& options) {
  DeviceConfig config;
  config.options = options;
  config.environment = read_environment();
  config.loader = open_loader();
  config.pack = Pack::open();
  return open_device(config);
}

const DeviceInfo& device_info(const Device& device) { return device.parts().logical.info(); }

MemoryInfo memory_info(const Device& device) {
  device.parts().fork.require("memory_info");
  return device.parts().buffers->info();
}

std::vector<ProfileRow> profile(Device& device) {
  synchronize(device, std::chrono::nanoseconds::max());
  DeviceParts& parts = device.use("profile");
  parts.compute->collect_timestamps();
  if (parts.transfer) parts.transfer->collect_timestamps();
  return parts.profiler.rows();
}

uint64_t validation_messages(const Device& device) {
  return device.parts().logical.instance().validation_log().count();
}

BufferView allocate(Device& device, uint64_t bytes, Owner owner, Waiting waiting) {
  return {device.use("allocate").buffers->allocate(bytes, owner, waiting), 0, bytes};
}

BufferView upload(Device& device, std::span<const std::byte> bytes, Owner owner, Waiting waiting) {
  DeviceParts& parts = device.use("upload");
  BufferView view{parts.buffers->allocate(bytes.size(), owner, waiting), 0, bytes.size()};
  upload_to(parts, *view.buffer, bytes, waiting);
  return view;
}

void read(Device& device, const BufferView& view, std::span<std::byte> out, std::chrono::nanoseconds timeout) {
  DeviceParts& parts = device.use("read");
  check_view(parts, view, out.size(), "read");
  read_from(parts, view, out, deadline_after(timeout));
}

void synchronize(Device& device, std::chrono::nanoseconds timeout) {
  DeviceParts& parts = device.use("synchronize");
  TimePoint deadline = deadline_after(timeout);
  parts.compute->wait(parts.compute->newest_step(), deadline, "synchronize");
  if (parts.transfer) parts.transfer->wait(parts.transfer->newest_step(), deadline, "synchronize");
}

}  // namespace nxv
