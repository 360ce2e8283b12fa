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

// Reading what an earlier step wrote needs a barrier or a semaphore even when the host has seen that step end: it must
// become visible. Writing over what is over needs none.
Ordering HazardTracker::order(uint64_t step, std::span<const Use> uses, const Passed& passed) {
  Ordering ordering;
  auto after = [&](uint32_t stream, uint64_t earlier) {
    if (stream == stream_) {
      ordering.barrier |= earlier >= after_barrier_;
    } else if (earlier > waited_[stream]) {
      ordering.waits[stream] = std::max(ordering.waits[stream], earlier);
    }
  };
  for (const Use& use : uses) {
    const UseState& state = use.chunk->use;
    if (!use.write) {
      if (state.written) after(state.writer, state.written);
      continue;
    }
    if (state.written > passed[state.writer]) after(state.writer, state.written);
    for (uint32_t stream = 0; stream < kMaxStreams; ++stream) {
      if (state.reads[stream] > passed[stream]) after(stream, state.reads[stream]);
    }
  }
  for (uint32_t i = 0; i < kMaxStreams; ++i) waited_[i] = std::max(waited_[i], ordering.waits[i]);
  if (ordering.barrier) after_barrier_ = step;
  for (const Use& use : uses) {
    UseState& state = use.chunk->use;
    if (use.write) {
      // A step that has waited for the last writer stands for it from now on.
      state.written = step;
      state.writer = stream_;
    } else {
      state.reads[stream_] = step;
    }
  }
  return ordering;
}

}  // namespace nxv
