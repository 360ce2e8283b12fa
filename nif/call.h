#pragma once

// The shape of every NIF: decode, one call of the runtime, encode. What is thrown on the way is caught here and nowhere
// else.

#include <erl_nif.h>

#include <functional>
#include <memory>

#include "nif/hold_times.h"
#include "nif/resources.h"
#include "nif/terms.h"

namespace nxv::nif {

using Nif = ERL_NIF_TERM(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]);

// {error, {code, message}} of the exception under way.
ERL_NIF_TERM caught(ErlNifEnv* env);

// {wait, waiter}: the calling process is sent {ref, ready} when the work is over.
ERL_NIF_TERM wait_for(ErlNifEnv* env, ERL_NIF_TERM ref, Pending& pending);

// The last argument of a function that may answer {wait, waiter} is the reference to answer with.
template <Nif body>
ERL_NIF_TERM guarded(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]) {
  CallScope scope(env);
  HoldTimer timer;
  try {
    try {
      return body(env, argc, argv);
    } catch (const NotReady& busy) {
      return wait_for(env, argv[argc - 1], *busy.pending);
    }
  } catch (...) {
    return caught(env);
  }
}

// What a thread found out, turned into a term in the environment of a message.
using Answer = std::function<ERL_NIF_TERM(ErlNifEnv*)>;

// Runs `work` on a thread of its own; the calling process is sent {ref, {ok, …} | {error, …}}. Returns {wait, waiter}.
ERL_NIF_TERM off_scheduler(ErlNifEnv* env, ERL_NIF_TERM ref, std::function<Answer()> work);

// Bytes that a normal scheduler may copy (some 20 µs); more goes to a dirty one.
constexpr uint64_t kCopyLimit = 256 * 1024;

Nif device_list, device_open, device_info_of, device_forget, device_memory, device_synchronize, hold_times;
Nif op, upload, view, release, read_start, read_fetch, cancel;

}  // namespace nxv::nif
