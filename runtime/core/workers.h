#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace nxv {

// Marks the calling thread as one of the runtime's. The name, 15 characters at most, is what debuggers and `top` show.
void enter_runtime_thread(const char* name);
bool on_runtime_thread();

// A few threads, started when there is work for them, that run jobs in order of arrival. Jobs must not throw.
// Thread-safe.
class Workers {
 public:
  Workers(std::string name, size_t most) : name_(std::move(name)), most_(most) {}
  ~Workers() { close(); }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // After close() the job is dropped and false returned.
  bool post(std::function<void()> job);

  // Runs what is queued, then ends the threads.
  void close();

  size_t most() const { return most_; }

 private:
  void run();

  const std::string name_;
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool closed_ = false;
};

}  // namespace nxv
