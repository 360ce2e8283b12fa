#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>

#include "runtime/core/doorbell.h"
#include "runtime/core/event.h"
#include "runtime/core/logical_device.h"

namespace nxv {

// A timeline semaphore whose values are a stream's steps, and the thread that watches it: it polls, then waits in
// bounded slices, wakes waiters and runs callbacks outside every lock. When the device is poisoned all of them are
// woken. Thread-safe.
class Timeline {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    std::chrono::nanoseconds spin{0};  // how long to poll before blocking; 0 on CPU devices, whose work needs the core
    std::chrono::nanoseconds hang_limit{0};           // without progress for this long the device is poisoned; 0: never
    std::function<Clock::time_point()> housekeeping;  // called after progress and when due; returns when it is due next
  };

  Timeline(const LogicalDevice& device, Options options);
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  VkSemaphore semaphore() const { return semaphore_; }
  uint64_t passed() const { return passed_.load(); }
  uint64_t submitted() const { return submitted_.load(); }

  // Before and after the submit that signals `step`. Nobody asks the driver about a step that is not confirmed: that
  // would be legal, but validation layers lose count.
  void announce(uint64_t step);
  void confirm(uint64_t step);

  // Waits on the calling thread; throws timeout, or why the device cannot be used any more.
  void wait(uint64_t step, Clock::time_point deadline, std::string_view function);

  // Calls `done` once, on the watching thread or at once, when the step has passed or never will.
  void on_passed(uint64_t step, std::function<void()> done);

  // Ends the thread when all that was submitted has passed, or never will, or at the deadline; false where the device
  // may still be at work: then nothing may be destroyed.
  bool close(Clock::time_point deadline);

 private:
  void run();
  void watch();
  void poll();
  uint64_t next_signal();
  bool over() const;
  template <typename Condition>
  bool wait_until(std::unique_lock<std::mutex>& lock, Clock::time_point deadline, Condition condition);
  void raise(uint64_t value);
  void handle_progress();
  void run_due_callbacks();
  uint64_t read_counter();

  const LogicalDevice& device_;
  const Options options_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::atomic<uint64_t> announced_{0}, submitted_{0}, passed_{0};
  std::atomic<int> pollers_{0};  // waiters that look at the semaphore themselves: the thread then need not
  std::atomic<bool> stopping_{false};
  Clock::time_point last_progress_{};  // of the watching thread, as is
  uint64_t handled_ = 0;               // the newest step whose waiters it has woken
  Doorbell doorbell_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::multimap<uint64_t, std::function<void()>> callbacks_;
  std::deque<uint64_t> signals_;  // of submits that are confirmed and not handled
  bool ended_ = false;

  int subscription_ = 0;
  std::thread thread_;
};

}  // namespace nxv
