#pragma once

#include <cstdint>

namespace nxv::nif {

// For the test that no call holds a scheduler: with NXV_HOLD_TIMES set, the longest time that a call held a normal
// scheduler's thread, running or blocked. The time in which the thread was ready and another had the processor isn't
// counted, so a busy machine does not show.
class HoldTimer {
 public:
  HoldTimer();
  ~HoldTimer();
  HoldTimer(const HoldTimer&) = delete;
  HoldTimer& operator=(const HoldTimer&) = delete;

 private:
  bool on_;
  uint64_t start_ = 0;
};

// Nanoseconds; 0 where nothing is measured.
uint64_t longest_hold();

}  // namespace nxv::nif
