#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>

#include "runtime/core/hazards.h"
#include "runtime/core/submitter.h"
#include "runtime/core/timeline.h"

namespace nxv {

// A bound dispatch. `push` and `uses` need to live until append returns only.
struct Dispatch {
  const Pipeline* pipeline = nullptr;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::span<const std::byte> push;
  std::span<const Use> uses;
};

// A copy between buffers, offsets from their starts.
struct Copy {
  const Buffer* from = nullptr;
  uint64_t from_offset = 0;
  const Buffer* to = nullptr;
  uint64_t to_offset = 0;
  uint64_t bytes = 0;
};

class Stream;

// The streams of a device with what they share.
class StreamGroup final : public Progress {
 public:
  bool passed(uint32_t stream, uint64_t step) const override;
  PendingPtr when_passed(uint32_t stream, uint64_t step) override;

  std::mutex append;                           // short: never held over a wait or a driver call
  std::array<Stream*, kMaxStreams> streams{};  // set before the first append
  HazardLog* log = nullptr;                    // null: not kept
};

// Work for one queue, in order. Callers append under a short lock, the submitter's thread records and submits, the
// timeline's thread watches. Steps are numbered from 1. Thread-safe.
class Stream final : private Submitter::Source {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    uint32_t id = 0;
    bool serialize = false;       // a barrier before each step
    uint32_t most_queued = 8192;  // steps that wait for the submitter; beyond that appending waits
    Timeline::Options timeline;
    Submitter::Options submitter;  // semaphores are filled in by start()
  };

  Stream(const LogicalDevice& device, StreamGroup& group, Options options);
  ~Stream() override;

  // Once all streams of the group exist.
  void start();

  // Appends all or nothing; returns the newest step's number.
  uint64_t append(std::span<const Dispatch> steps, Waiting waiting);
  uint64_t append(const Copy& copy, Waiting waiting);

  uint64_t newest_step() const { return appended_.load(); }
  const Timeline& timeline() const { return timeline_; }

  // See Timeline; these submit first.
  void wait(uint64_t step, Clock::time_point deadline, std::string_view function);
  void on_passed(uint64_t step, std::function<void()> done);

  void flush(uint64_t step) { submitter_->flush(step); }
  void ring() { submitter_->ring(); }
  void collect_timestamps() { submitter_->collect_timestamps(); }

  // Drops what is not submitted, waits for the rest; false where something is stuck at the deadline and nothing may be
  // destroyed.
  bool close(Clock::time_point deadline);

 private:
  uint64_t appended() const override { return appended_.load(); }
  uint64_t take(RecordList& records) override;
  void submitted() override;

  Timeline::Options timeline_options();
  std::unique_lock<std::mutex> lock_with_room(std::string_view function, Waiting waiting);
  Ordering order(Record& record, std::span<const Use> uses, const std::string& key);
  void publish(const std::array<uint64_t, kMaxStreams>& waits);

  const LogicalDevice& device_;
  StreamGroup& group_;
  Options options_;
  Timeline timeline_;

  // Guarded by group_.append.
  HazardTracker hazards_;
  RecordList open_;
  uint64_t step_ = 0;
  std::shared_ptr<Event> room_;

  std::atomic<uint64_t> appended_{0};
  std::atomic<bool> room_wanted_{false};
  int subscription_ = 0;
  std::unique_ptr<Submitter> submitter_;
};

}  // namespace nxv
