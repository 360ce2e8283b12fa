#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "runtime/core/command_slots.h"
#include "runtime/core/doorbell.h"
#include "runtime/core/profiler.h"
#include "runtime/core/records.h"
#include "runtime/core/timeline.h"

namespace nxv {

// Owns a queue: the one thread that records and submits to it. It submits when the device is about to run dry, when a
// batch is full, or when somebody waits. Thread-safe.
class Submitter {
 public:
  using Clock = std::chrono::steady_clock;

  // Where the steps come from.
  class Source {
   public:
    virtual ~Source() = default;
    virtual uint64_t appended() const = 0;           // newest step
    virtual uint64_t take(RecordList& records) = 0;  // all records there are; returns the newest step among them
    virtual void submitted() = 0;                    // there is room for more
  };

  struct Options {
    Queue queue;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    std::chrono::nanoseconds spin{0};                   // how long to look for work before sleeping
    uint32_t first_batch = 64;                          // steps, while the device is idle: it gets to work sooner
    uint32_t batch = 256;                               // steps, otherwise
    uint32_t most_in_flight = 4;                        // submits; beyond that steps are gathered to full batches
    bool host_reads_all = false;                        // buffers are mapped: the host may read what any step writes
    Profiler* profiler = nullptr;                       // null: no timestamps
    std::array<VkSemaphore, kMaxStreams> semaphores{};  // of the streams that steps may wait for
  };

  Submitter(const LogicalDevice& device, Timeline& timeline, Source& source, Options options);
  ~Submitter();
  Submitter(const Submitter&) = delete;
  Submitter& operator=(const Submitter&) = delete;

  // There may be something to do: steps were appended, or a submit has passed.
  void ring() { doorbell_.ring(); }

  // Submits up to this step without gathering more.
  void flush(uint64_t step);

  // Reads the timestamps of all that has passed.
  void collect_timestamps();

  // Ends the thread; what is not submitted is dropped. False where it is held up in the driver at the deadline: then
  // nothing may be destroyed.
  bool close(Clock::time_point deadline);

 private:
  void run();
  bool wait_for_work();
  bool due();
  bool halted() const { return stopping_.load() || device_.health().poisoned(); }
  uint32_t in_flight();
  void retire_slots();
  void read_timestamps(CommandSlot& slot);
  bool wait_in_flight(uint32_t most);

  // Each handles records from `offset` on and returns the offset behind the last it has dealt with.
  size_t submit_batch(const RecordList& records, size_t offset);
  size_t record(CommandSlot& slot, const RecordList& records, size_t offset, uint64_t& step);
  void record_dispatch(CommandSlot& slot, const Record& record, VkPipeline& bound);
  void barrier(VkCommandBuffer buffer, VkAccessFlags to, VkPipelineStageFlags stages);
  void submit(CommandSlot& slot, const Record& first, uint64_t step);
  void mark_in_flight(CommandSlot& slot, uint64_t step);
  void mark_free();  // the newest slot again

  const LogicalDevice& device_;
  Timeline& timeline_;
  Source& source_;
  const Options options_;
  CommandSlots slots_;

  // Of the submitter's thread; of any thread under the mutex while a profiler is there.
  std::mutex slots_mutex_;
  uint32_t newest_slot_ = 0, oldest_slot_ = 0;
  uint64_t taken_ = 0;      // newest step that the thread has seen
  uint64_t submitted_ = 0;  // newest step in a submit

  std::atomic<uint64_t> flush_{0};
  std::atomic<bool> stopping_{false}, ended_{false};
  Doorbell doorbell_, closer_;
  int subscription_ = 0;
  std::thread thread_;
};

}  // namespace nxv
