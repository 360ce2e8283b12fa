#pragma once

#include <erl_nif.h>

#include <optional>

#include "nif/waiter.h"
#include "runtime/core/api.h"

namespace nxv::nif {

// A term of the open device that `options.select` names, opened once however many ask at the same time; nothing where a
// thread is opening it: `waiter` is then sent `ready`, or {error, …}. Terms of one device are equal. Devices stay open
// until they are forgotten.
std::optional<ERL_NIF_TERM> open_or_wait(ErlNifEnv* env, const DeviceOptions& options, const WaiterPtr& waiter);

// Makes later calls open the device anew. It is closed once nobody holds a tensor of it.
void forget_device(const DevicePtr& device);

// Waits a bounded time for each open device, so that exit handlers of drivers find nothing running.
void settle_devices();

}  // namespace nxv::nif
