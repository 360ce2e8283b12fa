// The NIF library of Nx.Vulkan.Native: its table and its life. The number of functions does not grow with the
// operations.

#include <erl_nif.h>

#include "nif/atoms.h"
#include "nif/call.h"
#include "nif/devices.h"

namespace {

using namespace nxv::nif;

// The names program_build and program_run are kept for whole graphs.
// Those on dirty schedulers start a thread, which takes long enough to be felt.
ErlNifFunc functions[] = {
    {"device_list", 1, guarded<device_list>, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"device_open", 3, guarded<device_open>, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"device_info", 1, guarded<device_info_of>, 0},
    {"device_forget", 1, guarded<device_forget>, 0},
    {"device_memory", 1, guarded<device_memory>, 0},
    {"device_synchronize", 3, guarded<device_synchronize>, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"hold_times", 0, guarded<hold_times>, 0},
    {"op", 6, guarded<op>, 0},
    {"upload", 3, guarded<upload>, 0},
    {"view", 3, guarded<view>, 0},
    {"release", 1, guarded<release>, 0},
    {"read_start", 4, guarded<read_start>, 0},
    {"read_fetch", 1, guarded<read_fetch>, 0},
    {"cancel", 1, guarded<cancel>, 0},
};

int start(ErlNifEnv* env) {
  intern_atoms(env);
  return open_resource_types(env) ? 0 : 1;
}

#if ERL_NIF_MAJOR_VERSION > 2 || (ERL_NIF_MAJOR_VERSION == 2 && ERL_NIF_MINOR_VERSION >= 17)
void on_halt(void*) { settle_devices(); }
#endif

int load(ErlNifEnv* env, void**, ERL_NIF_TERM) {
#if ERL_NIF_MAJOR_VERSION > 2 || (ERL_NIF_MAJOR_VERSION == 2 && ERL_NIF_MINOR_VERSION >= 17)
  // Drivers free their state in exit handlers; nothing of ours may still be running there.
  if (enif_set_option(env, ERL_NIF_OPT_DELAY_HALT) != 0) return 1;
  if (enif_set_option(env, ERL_NIF_OPT_ON_HALT, on_halt) != 0) return 1;
#endif
  return start(env);
}

// All state belongs to the image of the library, which is never unmapped: nothing to hand over.
int upgrade(ErlNifEnv* env, void**, void**, ERL_NIF_TERM) { return start(env); }

void unload(ErlNifEnv*, void*) {}

}  // namespace

ERL_NIF_INIT(Elixir.Nx.Vulkan.Native, functions, load, nullptr, upgrade, unload)
