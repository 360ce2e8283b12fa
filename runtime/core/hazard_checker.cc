#include "runtime/core/hazard_checker.h"

#include <algorithm>
#include <map>

namespace nxv {
namespace {

// For each stream, the newest step that a point of another is ordered after.
using Clock = std::array<uint64_t, kMaxStreams>;

void raise(Clock& clock, const Clock& other) {
  for (uint32_t i = 0; i < kMaxStreams; ++i) clock[i] = std::max(clock[i], other[i]);
}

// Memory dependencies: what a stream's commands from here on see.
class Visibility {
 public:
  const Clock& step(const HazardEvent& event) {
    Clock& clock = streams_[event.stream];
    if (event.ordering.barrier) clock[event.stream] = event.step - 1;
    for (uint32_t other = 0; other < kMaxStreams; ++other) {
      uint64_t wait = event.ordering.waits[other];
      if (!wait) continue;
      clock[other] = std::max(clock[other], wait);
      // Its signal comes after all that its step came after.
      if (auto known = steps_.find({other, wait}); known != steps_.end()) raise(clock, known->second);
    }
    return steps_[{event.stream, event.step}] = clock;
  }

 private:
  std::array<Clock, kMaxStreams> streams_{};
  std::map<std::pair<uint32_t, uint64_t>, Clock> steps_;
};

bool overlap(const HazardEvent::Touch& a, const HazardEvent::Touch& b) { return a.begin < b.end && b.begin < a.end; }

std::string describe(const HazardEvent& event, const HazardEvent::Touch& touch) {
  return event.key + " (stream " + std::to_string(event.stream) + ", step " + std::to_string(event.step) + ") " +
         (touch.write ? "writes" : "reads");
}

}  // namespace

std::vector<MissingOrder> check_hazards(std::span<const HazardEvent> log) {
  std::vector<MissingOrder> missing;
  Visibility visibility;
  std::array<Clock, kMaxStreams> seen{};  // by the host, before a stream's commands from here on were appended
  for (size_t later = 0; later < log.size(); ++later) {
    const HazardEvent& event = log[later];
    const Clock& visible = visibility.step(event);
    raise(seen[event.stream], event.seen);
    for (size_t earlier = 0; earlier < later; ++earlier) {
      const HazardEvent& before = log[earlier];
      for (const HazardEvent::Touch& old : before.touches) {
        for (const HazardEvent::Touch& touch : event.touches) {
          if (!overlap(old, touch) || (!old.write && !touch.write)) continue;
          bool ordered = visible[before.stream] >= before.step;
          // A read of what a step wrote needs it visible. All else, and all reuse of memory, only needs it to be over.
          bool must_see = old.write && !touch.write && old.allocation == touch.allocation;
          if (!must_see) ordered |= seen[event.stream][before.stream] >= before.step;
          if (ordered) continue;
          missing.push_back(
              {earlier, later, describe(event, touch) + " after " + describe(before, old) + ", unordered"});
        }
      }
    }
  }
  return missing;
}

}  // namespace nxv
