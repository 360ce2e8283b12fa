#pragma once

#include <erl_nif.h>

#include <functional>
#include <memory>
#include <mutex>

namespace nxv::nif {

// The environment of the NIF or destructor that runs on this thread; null on threads of the runtime. Sending needs it:
// the VM wants to know whose scheduler it is on.
class CallScope {
 public:
  explicit CallScope(ErlNifEnv* env);
  ~CallScope();
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  ErlNifEnv* outer_;
};

// A process that waits for one message, {ref, reply}. Thread-safe. After `cancel` has returned no message is sent.
class Waiter {
 public:
  // Of the calling process.
  Waiter(ErlNifEnv* env, ERL_NIF_TERM ref);
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // Sends {ref, reply(env)}, the first time it is called.
  void send(const std::function<ERL_NIF_TERM(ErlNifEnv*)>& reply);
  void send_ready();
  void cancel();

 private:
  std::mutex mutex_;  // held for the time of one send at most
  ErlNifPid pid_;
  ErlNifEnv* env_;  // null once sent or cancelled
  ERL_NIF_TERM ref_;
};
using WaiterPtr = std::shared_ptr<Waiter>;

}  // namespace nxv::nif
