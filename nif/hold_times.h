#pragma once

#include <cstdint>

namespace nxv::nif {

// For the test that no call holds a scheduler: with NXV_HOLD_TIMES set, the longest time that a call held a normal
// scheduler's thread. `held` counts it running or blocked, but not ready while another thread had the processor;
// `worked` counts it running only, which no other thread and no other machine of the same host can lengthen.
class HoldTimer {
 public:
  HoldTimer();
  ~HoldTimer();
  HoldTimer(const HoldTimer&) = delete;
  HoldTimer& operator=(const HoldTimer&) = delete;

 private:
  bool on_;
  uint64_t held_ = 0, worked_ = 0;
};

// Nanoseconds; 0 where nothing is measured.
struct LongestHold {
  uint64_t held, worked;
};
LongestHold longest_hold();

}  // namespace nxv::nif
