#pragma once

// What the command line and the NIF use of the core, in one place.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/buffer.h"
#include "runtime/core/error.h"
#include "runtime/core/plan.h"
#include "runtime/core/traits.h"

namespace nxv {

// Work that another thread has under way. Thread-safe.
class Pending {
 public:
  virtual ~Pending() = default;
  // Calls `done` once, when the work is over (at once if it is already), on some thread of the runtime.
  virtual void on_ready(std::function<void()> done) = 0;
  // Waits on the calling thread; throws what the work failed with.
  virtual void wait() = 0;
};
using PendingPtr = std::shared_ptr<Pending>;

// Thrown instead of waiting where the caller said Waiting::refuse: a pipeline is being created, memory is being
// allocated, the stream is full. Nothing has been recorded; the same call succeeds once `pending` is ready.
struct NotReady {
  PendingPtr pending;
};

enum class Waiting { allow, refuse };

struct DeviceInfo {
  uint32_t index = 0;
  std::string name, driver, uuid;  // uuid: 32 hex digits with dashes
  uint32_t api_version = 0;
  bool usable = false;  // has all that is required
  std::string why_not;  // when it isn't usable
  bool cpu = false, integrated = false;
  uint64_t memory_bytes = 0;
  std::vector<std::string> features;     // names of Cap bits it has
  std::vector<std::string> cannot_keep;  // what of the numeric contract it can't keep, in words
  bool flushes_f32_subnormals = false;   // one of these: no denormal preservation for f32
  Traits traits;
};

// All devices of all drivers. Throws unsupported with one plain sentence where there is no loader or no driver.
std::vector<DeviceInfo> list_devices();

struct MemoryInfo {
  uint64_t used_bytes = 0, reserved_bytes = 0, peak_bytes = 0, limit_bytes = 0, budget_bytes = 0;
  std::vector<std::pair<Owner, uint64_t>> owners;  // bytes in use an owner
};

struct DeviceOptions {
  // An index, a name or a part of one, a UUID; empty: NXV_DEVICE, else the first discrete, integrated, CPU device.
  std::string select;
  uint64_t memory_limit = 0;  // bytes, 0: none
  // A dispatch that does not end within this time poisons the device: its waiters and later users get Code::timeout.
  std::chrono::nanoseconds hang_limit = std::chrono::minutes(10);
  bool profile = false;  // time each dispatch, as NXV_PROFILE does
};

// An open device with its memory, its pipelines and its stream.
using DevicePtr = std::shared_ptr<Device>;
DevicePtr open_device(const DeviceOptions& options);
const DeviceInfo& device_info(const Device& device);
MemoryInfo memory_info(const Device& device);

// Times of all dispatches of a key; empty unless profiling is on. Waits for what was appended so far.
struct ProfileRow {
  std::string key;
  uint64_t count = 0;
  double total_ns = 0, min_ns = 0, max_ns = 0;
};
std::vector<ProfileRow> profile(Device& device);

// Messages of the validation layer since the device was opened; 0 unless NXV_VALIDATE is set.
uint64_t validation_messages(const Device& device);

// Allocates the outputs and temporaries of `plan`, binds it, appends it to the device's stream and returns the outputs
// at once. `inputs` are the views that Ref::Kind::input numbers; those of inline scalars are empty.
std::vector<BufferView> execute(Device& device, const Plan& plan, std::span<const BufferView> inputs, Owner owner,
                                Waiting waiting);

BufferView allocate(Device& device, uint64_t bytes, Owner owner, Waiting waiting);

// A new buffer with these bytes. Up to 256 KiB it returns after one copy; beyond that call it on a thread that may
// wait.
BufferView upload(Device& device, std::span<const std::byte> bytes, Owner owner, Waiting waiting);

// Reads `out.size()` bytes from the start of the view. Waits at most `timeout`, then throws Code::timeout.
void read(Device& device, const BufferView& view, std::span<std::byte> out, std::chrono::nanoseconds timeout);

// A read in two halves, for callers that must not wait. `done` is called once on a thread of the runtime when the bytes
// can be fetched or the read has failed; then `finish` copies them out (or throws). Dropping the object cancels the
// read.
class PendingRead {
 public:
  virtual ~PendingRead() = default;
  virtual void finish(std::span<std::byte> out) = 0;
};
std::unique_ptr<PendingRead> start_read(Device& device, const BufferView& view, uint64_t bytes,
                                        std::function<void()> done);

// Waits until all that was appended so far is done; submits it first.
void synchronize(Device& device, std::chrono::nanoseconds timeout);

}  // namespace nxv
