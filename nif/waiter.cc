#include "nif/waiter.h"

#include <new>

#include "nif/atoms.h"

namespace nxv::nif {

namespace {
thread_local ErlNifEnv* calling_env = nullptr;
}

CallScope::CallScope(ErlNifEnv* env) : outer_(calling_env) { calling_env = env; }
CallScope::~CallScope() { calling_env = outer_; }

Waiter::Waiter(ErlNifEnv* env, ERL_NIF_TERM ref) : env_(enif_alloc_env()) {
  if (!env_) throw std::bad_alloc();
  enif_self(env, &pid_);
  ref_ = enif_make_copy(env_, ref);
}

Waiter::~Waiter() {
  if (env_) enif_free_env(env_);
}

void Waiter::send(const std::function<ERL_NIF_TERM(ErlNifEnv*)>& reply) {
  std::lock_guard lock(mutex_);
  if (!env_) return;
  ERL_NIF_TERM message = enif_make_tuple2(env_, ref_, reply(env_));
  enif_send(calling_env, &pid_, env_, message);
  enif_free_env(env_);
  env_ = nullptr;
}

void Waiter::send_ready() {
  send([](ErlNifEnv*) { return atoms.ready; });
}

void Waiter::cancel() {
  std::lock_guard lock(mutex_);
  if (!env_) return;
  enif_free_env(env_);
  env_ = nullptr;
}

}  // namespace nxv::nif
