#include "runtime/core/event.h"

#include <atomic>

namespace nxv {
namespace {

class Joined final : public Pending {
 public:
  explicit Joined(std::vector<PendingPtr> parts) : parts_(std::move(parts)) {}

  void on_ready(std::function<void()> done) override {
    struct Countdown {
      std::atomic<size_t> left;
      std::function<void()> done;
    };
    auto countdown = std::make_shared<Countdown>();
    countdown->left = parts_.size();
    countdown->done = std::move(done);
    for (const PendingPtr& part : parts_) {
      part->on_ready([countdown] {
        if (countdown->left.fetch_sub(1) == 1) countdown->done();
      });
    }
  }

  void wait() override {
    for (const PendingPtr& part : parts_) part->wait();
  }

 private:
  std::vector<PendingPtr> parts_;
};

}  // namespace

void Event::on_ready(std::function<void()> done) {
  {
    std::lock_guard lock(mutex_);
    if (!ready_) {
      callbacks_.push_back(std::move(done));
      return;
    }
  }
  done();
}

void Event::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ready_; });
}

bool Event::ready() const {
  std::lock_guard lock(mutex_);
  return ready_;
}

void Event::set() {
  std::vector<std::function<void()>> callbacks;
  {
    std::lock_guard lock(mutex_);
    if (ready_) return;
    ready_ = true;
    callbacks.swap(callbacks_);
    changed_.notify_all();
  }
  for (const auto& callback : callbacks) callback();
}

PendingPtr join(std::vector<PendingPtr> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_shared<Joined>(std::move(parts));
}

void wait_or_refuse(const PendingPtr& pending, Waiting waiting) {
  if (waiting == Waiting::refuse) throw NotReady{pending};
  pending->wait();
}

}  // namespace nxv
