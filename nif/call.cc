#include "nif/call.h"

#include <new>
#include <string>
#include <thread>

#include "nif/atoms.h"

namespace nxv::nif {

ERL_NIF_TERM caught(ErlNifEnv* env) {
  try {
    throw;
  } catch (const Error& error) {
    return make_error(env, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return make_error(env, Code::out_of_memory, "[host] no host memory left");
  } catch (const std::exception& error) {
    return make_error(env, Code::internal, std::string("[nif] ") + error.what());
  } catch (...) {
    return make_error(env, Code::internal, "[nif] an unknown exception");
  }
}

ERL_NIF_TERM wait_for(ErlNifEnv* env, ERL_NIF_TERM ref, Pending& pending) {
  auto waiter = std::make_shared<Waiter>(env, ref);
  ERL_NIF_TERM term = make_wait(env, waiter);
  pending.on_ready([waiter] { waiter->send_ready(); });
  return term;
}

ERL_NIF_TERM off_scheduler(ErlNifEnv* env, ERL_NIF_TERM ref, std::function<Answer()> work) {
  auto waiter = std::make_shared<Waiter>(env, ref);
  ERL_NIF_TERM term = make_wait(env, waiter);
  std::thread([waiter, work = std::move(work)] {
    Answer answer;
    try {
      answer = work();
    } catch (const Error& error) {
      answer = [error](ErlNifEnv* to) { return make_error(to, error.code(), error.what()); };
    } catch (const std::exception& error) {
      answer = [text = std::string("[nif] ") + error.what()](ErlNifEnv* to) {
        return make_error(to, Code::internal, text);
      };
    }
    waiter->send(answer);
  }).detach();
  return term;
}

}  // namespace nxv::nif
