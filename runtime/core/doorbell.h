#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace nxv {

// Lets one thread sleep until another changes some atomics. Ringing costs one load while the thread is awake. Both the
// change and the predicate's loads must be sequentially consistent.
class Doorbell {
 public:
  void ring() {
    if (!asleep_.load()) return;
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }

  template <typename Predicate>
  void sleep_until(std::chrono::steady_clock::time_point deadline, Predicate awake) {
    std::unique_lock lock(mutex_);
    asleep_.store(true);
    if (deadline == std::chrono::steady_clock::time_point::max()) {
      changed_.wait(lock, awake);
    } else {
      changed_.wait_until(lock, deadline, awake);
    }
    asleep_.store(false);
  }

 private:
  std::atomic<bool> asleep_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
};

// One turn of a loop that polls.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace nxv
