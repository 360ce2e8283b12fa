#include "runtime/core/timeline.h"

#include <algorithm>
#include <vector>

#include "runtime/core/workers.h"

namespace nxv {
namespace {

// The longest wait inside the driver: how late a poisoned device or a close is noticed.
constexpr std::chrono::milliseconds kSlice{10};

class PollerScope {
 public:
  explicit PollerScope(std::atomic<int>& pollers) : pollers_(pollers) { pollers_.fetch_add(1); }
  ~PollerScope() { pollers_.fetch_sub(1); }
  PollerScope(const PollerScope&) = delete;
  PollerScope& operator=(const PollerScope&) = delete;

 private:
  std::atomic<int>& pollers_;
};

}  // namespace

Timeline::Timeline(const LogicalDevice& device, Options options) : device_(device), options_(std::move(options)) {
  auto type = typed<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  auto info = typed<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
  info.pNext = &type;
  check(device_.vk().CreateSemaphore(device_.handle(), &info, nullptr, &semaphore_), "vkCreateSemaphore");
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    device_.vk().DestroySemaphore(device_.handle(), semaphore_, nullptr);
    throw;
  }
  subscription_ = device_.health().subscribe([this] {
    doorbell_.ring();
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  });
}

Timeline::~Timeline() {
  close(Clock::time_point::max());
  device_.vk().DestroySemaphore(device_.handle(), semaphore_, nullptr);
}

void Timeline::announce(uint64_t step) { announced_.store(step); }

void Timeline::confirm(uint64_t step) {
  {
    std::lock_guard lock(mutex_);
    signals_.push_back(step);
  }
  submitted_.store(step);
  doorbell_.ring();
}

void Timeline::wait(uint64_t step, Clock::time_point deadline, std::string_view function) {
  if (options_.spin.count() > 0) {
    Clock::time_point until = std::min(deadline, Clock::now() + options_.spin);
    PollerScope poller(pollers_);
    while (passed_.load() < step && !device_.health().poisoned() && Clock::now() < until) {
      if (passed_.load() < submitted_.load()) raise(read_counter());
      relax();
    }
  }
  std::unique_lock lock(mutex_);
  wait_until(lock, deadline, [&] { return passed_.load() >= step || device_.health().poisoned() || ended_; });
  if (passed_.load() >= step) return;
  lock.unlock();
  device_.health().require(function);
  throw Error(Code::timeout, "[" + std::string(function) + "] the device has not finished in time");
}

void Timeline::on_passed(uint64_t step, std::function<void()> done) {
  {
    std::lock_guard lock(mutex_);
    if (passed_.load() < step && !device_.health().poisoned() && !ended_) {
      callbacks_.emplace(step, std::move(done));
      return;
    }
  }
  done();
}

bool Timeline::close(Clock::time_point deadline) {
  if (!thread_.joinable()) return over();
  stopping_.store(true);
  doorbell_.ring();
  std::unique_lock lock(mutex_);
  auto ended = [this] { return ended_; };
  if (!wait_until(lock, deadline, ended)) {
    lock.unlock();
    device_.health().poison(Code::timeout, "it was closed while a dispatch did not end");
    lock.lock();
    if (!wait_until(lock, Clock::now() + 100 * kSlice, ended)) {
      thread_.detach();
      return false;
    }
  }
  lock.unlock();
  thread_.join();
  device_.health().unsubscribe(subscription_);
  return over();
}

// Nothing of the device's work can touch memory any more.
bool Timeline::over() const { return passed_.load() >= submitted_.load() || device_.health().lost(); }

template <typename Condition>
bool Timeline::wait_until(std::unique_lock<std::mutex>& lock, Clock::time_point deadline, Condition condition) {
  if (deadline != Clock::time_point::max()) return changed_.wait_until(lock, deadline, condition);
  changed_.wait(lock, condition);
  return true;
}

void Timeline::run() {
  enter_runtime_thread("nxv-watch");
  try {
    watch();
  } catch (const Error& error) {
    device_.health().poison(error.code(), error.what());
  } catch (const std::exception& error) {
    device_.health().poison(Code::internal, error.what());
  }
  if (device_.health().poisoned()) run_due_callbacks();
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  run_due_callbacks();
}

void Timeline::watch() {
  const Health& health = device_.health();
  Clock::time_point housekeeping = Clock::time_point::max();
  last_progress_ = Clock::now();
  while (!health.poisoned()) {
    bool idle = handled_ >= submitted_.load();
    if (idle) {
      if (stopping_.load()) return;
      doorbell_.sleep_until(housekeeping,
                            [&] { return handled_ < submitted_.load() || stopping_.load() || health.poisoned(); });
      last_progress_ = Clock::now();
    } else {
      poll();
    }
    if (options_.housekeeping) housekeeping = options_.housekeeping();
  }
}

// Validation layers want waits for values that are really signalled, not for any between.
uint64_t Timeline::next_signal() {
  std::lock_guard lock(mutex_);
  while (signals_.front() <= handled_) signals_.pop_front();
  return signals_.front();
}

// Returns when there was progress or a slice is over.
void Timeline::poll() {
  uint64_t next = next_signal();
  Clock::time_point spin_until = Clock::now() + options_.spin;
  do {
    if (pollers_.load() == 0) raise(read_counter());
    if (passed_.load() >= next) return handle_progress();
    relax();
  } while (Clock::now() < spin_until);

  auto info = typed<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore_;
  info.pValues = &next;
  VkResult result = device_.vk().WaitSemaphores(device_.handle(), &info, std::chrono::nanoseconds(kSlice).count());
  device_.health().check(result, "vkWaitSemaphores");
  if (result == VK_SUCCESS) {
    raise(read_counter());
    return handle_progress();
  }
  if (options_.hang_limit.count() > 0 && Clock::now() - last_progress_ > options_.hang_limit) {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.hang_limit).count();
    device_.health().poison(Code::timeout, "a dispatch did not end within " + std::to_string(seconds) + " s");
  }
}

// A driver that has lost its device may let the counter jump to its end instead of saying so.
uint64_t Timeline::read_counter() {
  uint64_t value = 0;
  device_.health().check(device_.vk().GetSemaphoreCounterValue(device_.handle(), semaphore_, &value),
                         "vkGetSemaphoreCounterValue");
  if (value <= announced_.load()) return value;
  device_.health().poison(Code::device_lost, "its timeline jumped ahead");
  throw device_.health().error("vkGetSemaphoreCounterValue");
}

void Timeline::raise(uint64_t value) {
  uint64_t known = passed_.load();
  while (known < value && !passed_.compare_exchange_weak(known, value)) {
  }
}

void Timeline::handle_progress() {
  last_progress_ = Clock::now();
  handled_ = passed_.load();
  {
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  run_due_callbacks();
}

void Timeline::run_due_callbacks() {
  std::vector<std::function<void()>> due;
  {
    std::lock_guard lock(mutex_);
    bool all = device_.health().poisoned() || ended_;
    auto end = all ? callbacks_.end() : callbacks_.upper_bound(passed_.load());
    for (auto callback = callbacks_.begin(); callback != end; ++callback) due.push_back(std::move(callback->second));
    callbacks_.erase(callbacks_.begin(), end);
  }
  for (const auto& callback : due) callback();
}

}  // namespace nxv
