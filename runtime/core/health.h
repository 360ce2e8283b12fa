#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/vk.h"

namespace nxv {

// "VK_ERROR_DEVICE_LOST"
const char* result_name(VkResult result);

// The one place where a VkResult becomes an exception: anything below VK_SUCCESS throws Error with the code it stands
// for.
void check(VkResult result, const char* function);

// Whether a device still answers. Once lost or hung it stays so: waiting callers are woken, later calls fail at once.
// Thread-safe.
class Health {
 public:
  explicit Health(std::string device_name) : device_(std::move(device_name)) {}

  // By VK_ERROR_DEVICE_LOST: its work has ended. After other reasons it may still be going on.
  bool lost() const {
    std::lock_guard lock(mutex_);
    return poisoned() && code_ == Code::device_lost;
  }
  bool poisoned() const { return poisoned_.load(std::memory_order_acquire); }

  // Marks the device unusable; the first reason stays. Runs the subscribers on this thread.
  void poison(Code code, const std::string& reason) noexcept;

  // Throws the reason, prefixed with "[function]", where the device is poisoned.
  void require(std::string_view function) const {
    if (poisoned()) fail(function);
  }
  Error error(std::string_view function) const;

  // check() that also poisons at VK_ERROR_DEVICE_LOST.
  void check(VkResult result, const char* function) {
    if (result < VK_SUCCESS) fail(result, function);
  }

  // `wake` runs at poison(), perhaps on any thread and with none of the runtime's locks held. Not to be called later
  // than the subscriber lives: unsubscribe waits for a wake under way.
  int subscribe(std::function<void()> wake);
  void unsubscribe(int id);

 private:
  [[noreturn]] void fail(std::string_view function) const;
  [[noreturn]] void fail(VkResult result, const char* function);

  struct Subscriber {
    int id;
    std::function<void()> wake;
  };

  const std::string device_;
  std::atomic<bool> poisoned_{false};
  mutable std::mutex mutex_;
  Code code_ = Code::device_lost;
  std::string reason_;
  std::mutex subscribers_mutex_;
  std::condition_variable woken_;
  int waking_ = 0;
  std::vector<Subscriber> subscribers_;
  int next_id_ = 0;
};

}  // namespace nxv
