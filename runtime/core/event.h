#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/core/api.h"

namespace nxv {

// Something that happens once. What waits for it asks again afterwards and is told how it went: so an event says
// neither well nor badly, and wait() never throws. Thread-safe; callbacks run outside its lock, on the thread that sets
// it.
class Event final : public Pending {
 public:
  void on_ready(std::function<void()> done) override;
  void wait() override;

  bool ready() const;
  // Does nothing the second time.
  void set();

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool ready_ = false;
  std::vector<std::function<void()>> callbacks_;
};

// Ready when all of them are.
PendingPtr join(std::vector<PendingPtr> parts);

// The one way in which the core waits for other threads: on the spot, or by NotReady.
void wait_or_refuse(const PendingPtr& pending, Waiting waiting);

}  // namespace nxv
