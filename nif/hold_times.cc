#include "nif/hold_times.h"

#include <erl_nif.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

namespace nxv::nif {

namespace {

std::atomic<uint64_t> longest_held{0}, longest_worked{0};

void raise(std::atomic<uint64_t>& longest, uint64_t time) {
  uint64_t known = longest.load();
  while (time > known && !longest.compare_exchange_weak(known, time)) {
  }
}

uint64_t nanoseconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

bool measuring() {
  static const bool set = std::getenv("NXV_HOLD_TIMES") != nullptr;
  return set;
}

// Nanoseconds that this thread has waited for a processor; the second number of the kernel's line.
uint64_t waited_for_processor() {
  char line[128] = {};
  int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, line, sizeof line - 1);
  close(file);
  if (length <= 0) return 0;
  char* end = line;
  std::strtoull(line, &end, 10);
  return std::strtoull(end, nullptr, 10);
}

// Time on the wall without that wait. Both are read at one moment: with the same wait before and after.
uint64_t held_clock() {
  for (uint64_t waited = waited_for_processor();;) {
    const uint64_t now = nanoseconds(CLOCK_MONOTONIC);
    const uint64_t after = waited_for_processor();
    if (after == waited) return now - waited;
    waited = after;
  }
}

}  // namespace

HoldTimer::HoldTimer() : on_(measuring() && enif_thread_type() == ERL_NIF_THR_NORMAL_SCHEDULER) {
  if (!on_) return;
  held_ = held_clock();
  worked_ = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
}

HoldTimer::~HoldTimer() {
  if (!on_) return;
  raise(longest_worked, nanoseconds(CLOCK_THREAD_CPUTIME_ID) - worked_);
  raise(longest_held, held_clock() - held_);
}

LongestHold longest_hold() { return {longest_held.load(), longest_worked.load()}; }

}  // namespace nxv::nif
