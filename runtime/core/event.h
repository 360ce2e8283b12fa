#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/core/api.h"

namespace nxv {

// Something that happens once, well or badly. Thread-safe; callbacks run outside its lock, on the thread that sets it.
class Event final : public Pending {
 public:
  void on_ready(std::function<void()> done) override;
  void wait() override;

  bool ready() const;
  // Both do nothing the second time.
  void set() { finish(nullptr); }
  void fail(std::exception_ptr error) { finish(std::move(error)); }

 private:
  void finish(std::exception_ptr error);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = false;
  std::exception_ptr error_;
  std::vector<std::function<void()>> callbacks_;
};

// Ready when all of them are; wait() throws the first failure.
PendingPtr join(std::vector<PendingPtr> parts);

// The one way in which the core waits for other threads: on the spot, or by NotReady.
void wait_or_refuse(const PendingPtr& pending, Waiting waiting);

}  // namespace nxv
