#include "runtime/core/hazards.h"

#include <algorithm>

namespace nxv {

void HazardLog::add(HazardEvent event) {
  std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
}

std::vector<HazardEvent> HazardLog::events() const {
  std::lock_guard lock(mutex_);
  return events_;
}

Ordering HazardTracker::order(uint64_t step, std::span<const Use> uses, uint64_t passed) {
  Ordering ordering;
  for (const Use& use : uses) {
    const UseState& state = use.chunk->use;
    if (state.last == 0) continue;
    if (state.stream != stream_) {
      uint64_t& wait = ordering.waits[state.stream];
      if (state.last > waited_[state.stream]) wait = std::max(wait, state.last);
    } else {
      ordering.barrier |= conflicts(use, passed);
    }
  }
  for (uint32_t i = 0; i < kMaxStreams; ++i) waited_[i] = std::max(waited_[i], ordering.waits[i]);
  if (ordering.barrier) after_barrier_ = step;
  for (const Use& use : uses) {
    UseState& state = use.chunk->use;
    if (state.stream != stream_) {
      state.stream = stream_;
      state.read = state.write = 0;
    }
    state.last = step;
    (use.write ? state.write : state.read) = step;
    if (use.write) {
      state.writer = stream_;
      state.written = step;
    }
  }
  return ordering;
}

// Reading what an earlier step wrote needs a barrier even when the host has seen that step end: it must become visible.
// Writing over what is over needs none.
bool HazardTracker::conflicts(const Use& use, uint64_t passed) const {
  const UseState& state = use.chunk->use;
  if (!use.write) return state.write >= after_barrier_;
  return std::max(state.read, state.write) >= std::max(after_barrier_, passed + 1);
}

}  // namespace nxv
