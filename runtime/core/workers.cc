#include "runtime/core/workers.h"

#include <pthread.h>

namespace nxv {

namespace {

thread_local bool runtime_thread = false;

}  // namespace

void enter_runtime_thread(const char* name) {
  runtime_thread = true;
  pthread_setname_np(pthread_self(), name);
}

bool on_runtime_thread() { return runtime_thread; }

bool Workers::post(std::function<void()> job) {
  std::lock_guard lock(mutex_);
  if (closed_) return false;
  jobs_.push_back(std::move(job));
  if (jobs_.size() > idle_ && threads_.size() < most_) {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (...) {
      if (threads_.empty()) {
        jobs_.pop_back();
        throw;
      }
    }
  }
  changed_.notify_one();
  return true;
}

void Workers::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void Workers::run() {
  enter_runtime_thread(name_.c_str());
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
  }
}

}  // namespace nxv
