// Devices: listing, opening, figures.

#include <chrono>

#include "nif/atoms.h"
#include "nif/call.h"
#include "nif/devices.h"

namespace nxv::nif {

namespace {

using Pairs = std::initializer_list<std::pair<ERL_NIF_TERM, ERL_NIF_TERM>>;

ERL_NIF_TERM make_map(ErlNifEnv* env, Pairs pairs) {
  ERL_NIF_TERM map = enif_make_new_map(env);
  for (const auto& [key, value] : pairs) enif_make_map_put(env, map, key, value, &map);
  return map;
}

ERL_NIF_TERM make_bool(bool value) { return value ? atoms.true_ : atoms.false_; }

ERL_NIF_TERM make_strings(ErlNifEnv* env, const std::vector<std::string>& texts, bool as_atoms) {
  std::vector<ERL_NIF_TERM> terms;
  for (const std::string& text : texts) {
    terms.push_back(as_atoms ? enif_make_atom_len(env, text.data(), text.size()) : make_string(env, text));
  }
  return enif_make_list_from_array(env, terms.data(), static_cast<unsigned>(terms.size()));
}

ERL_NIF_TERM make_info(ErlNifEnv* env, const DeviceInfo& info) {
  ERL_NIF_TERM why_not = info.usable ? atoms.nil : make_string(env, info.why_not);
  return make_map(env, {{atoms.index, enif_make_uint(env, info.index)},
                        {atoms.name, make_string(env, info.name)},
                        {atoms.driver, make_string(env, info.driver)},
                        {atoms.uuid, make_string(env, info.uuid)},
                        {atoms.api_version, enif_make_uint(env, info.api_version)},
                        {atoms.usable, make_bool(info.usable)},
                        {atoms.why_not, why_not},
                        {atoms.cpu, make_bool(info.cpu)},
                        {atoms.integrated, make_bool(info.integrated)},
                        {atoms.memory_bytes, enif_make_uint64(env, info.memory_bytes)},
                        {atoms.features, make_strings(env, info.features, true)},
                        {atoms.cannot_keep, make_strings(env, info.cannot_keep, false)}});
}

// Owners are numbers made of process identifiers by `owner_of`.
ERL_NIF_TERM make_owner(ErlNifEnv* env, Owner owner) {
  if (owner == 0) return atoms.nil;
  ErlNifPid pid;
  pid.pid = static_cast<ERL_NIF_TERM>(owner);
  return enif_make_pid(env, &pid);
}

const DevicePtr& get_device(ErlNifEnv* env, ERL_NIF_TERM term) {
  DeviceObject* object = find_device(env, term);
  if (!object) throw Error(Code::invalid_argument, "[device] not a device of this build of the library");
  return object->device;
}

}  // namespace

ERL_NIF_TERM device_list(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  return off_scheduler(env, argv[0], []() -> Answer {
    return [infos = list_devices()](ErlNifEnv* to) {
      std::vector<ERL_NIF_TERM> terms;
      for (const DeviceInfo& info : infos) terms.push_back(make_info(to, info));
      return make_ok(to, enif_make_list_from_array(to, terms.data(), static_cast<unsigned>(terms.size())));
    };
  });
}

ERL_NIF_TERM device_open(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  DeviceOptions options;
  options.select = get_string(env, argv[0], "device_open");
  options.memory_limit = get_uint(env, argv[1], "device_open");
  auto waiter = std::make_shared<Waiter>(env, argv[2]);
  if (auto device = open_or_wait(env, options, waiter)) return make_ok(env, *device);
  return make_wait(env, waiter);
}

ERL_NIF_TERM device_info_of(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  return make_ok(env, make_info(env, device_info(*get_device(env, argv[0]))));
}

ERL_NIF_TERM device_forget(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  forget_device(get_device(env, argv[0]));
  return atoms.ok;
}

ERL_NIF_TERM device_memory(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  const MemoryInfo info = memory_info(*get_device(env, argv[0]));
  ERL_NIF_TERM owners = enif_make_new_map(env);
  for (const auto& [owner, bytes] : info.owners) {
    enif_make_map_put(env, owners, make_owner(env, owner), enif_make_uint64(env, bytes), &owners);
  }
  return make_ok(env, make_map(env, {{atoms.used, enif_make_uint64(env, info.used_bytes)},
                                     {atoms.reserved, enif_make_uint64(env, info.reserved_bytes)},
                                     {atoms.peak, enif_make_uint64(env, info.peak_bytes)},
                                     {atoms.limit, enif_make_uint64(env, info.limit_bytes)},
                                     {atoms.budget, enif_make_uint64(env, info.budget_bytes)},
                                     {atoms.owners, owners}}));
}

ERL_NIF_TERM device_synchronize(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  DevicePtr device = get_device(env, argv[0]);
  std::chrono::milliseconds timeout(get_uint(env, argv[1], "synchronize"));
  return off_scheduler(env, argv[2], [device, timeout]() -> Answer {
    synchronize(*device, timeout);
    return [](ErlNifEnv* to) { return make_ok(to, atoms.nil); };
  });
}

// hold_times() -> {held, worked} in nanoseconds, see HoldTimer
ERL_NIF_TERM hold_times(ErlNifEnv* env, int, const ERL_NIF_TERM[]) {
  const LongestHold longest = longest_hold();
  return enif_make_tuple2(env, enif_make_uint64(env, longest.held), enif_make_uint64(env, longest.worked));
}

}  // namespace nxv::nif
