#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "runtime/core/memory_pool.h"

namespace nxv {

// A range of a buffer that a step touches.
struct Use {
  Chunk* chunk = nullptr;
  uint64_t begin = 0, end = 0;  // device addresses
  bool write = false;
};

// What a step must be ordered after.
struct Ordering {
  bool barrier = false;                       // after all earlier steps of its stream
  std::array<uint64_t, kMaxStreams> waits{};  // after this step of another stream; 0: none
};

// One step as the recorder's log keeps it, for the checker.
struct HazardEvent {
  struct Touch {
    uint64_t begin = 0, end = 0;  // device addresses
    uint64_t allocation = 0;      // tells apart buffers that got the same memory one after the other
    bool write = false;
  };
  uint32_t stream = 0;
  uint64_t step = 0;
  std::string key;
  Ordering ordering;
  std::array<uint64_t, kMaxStreams>
      seen{};  // newest step of each stream that the host had seen to be over before this was appended
  std::vector<Touch> touches;
};

class HazardLog {
 public:
  void add(HazardEvent event);
  std::vector<HazardEvent> events() const;

 private:
  mutable std::mutex mutex_;
  std::vector<HazardEvent> events_;
};

// Finds out what each step of a stream must wait for, in order of appending. Guarded by the append lock that all
// streams of a device share.
class HazardTracker {
 public:
  // For each stream, the newest step that the host has seen to be over.
  using Passed = std::array<uint64_t, kMaxStreams>;

  explicit HazardTracker(uint32_t stream) : stream_(stream) {}

  // Marks the uses.
  Ordering order(uint64_t step, std::span<const Use> uses, const Passed& passed);

  // The newest steps were not recorded after all: what they promised does not stand.
  void forget() {
    after_barrier_ = 1;
    waited_ = {};
  }

  // A barrier stands before `step` for another reason.
  void barrier_before(uint64_t step) { after_barrier_ = step; }

 private:
  const uint32_t stream_;
  uint64_t after_barrier_ = 1;                  // first step after the newest barrier
  std::array<uint64_t, kMaxStreams> waited_{};  // newest step of another stream this one has waited for
};

}  // namespace nxv
