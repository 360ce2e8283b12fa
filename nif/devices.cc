#include "nif/devices.h"

#include <chrono>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "nif/resources.h"
#include "nif/terms.h"

namespace nxv::nif {

namespace {

struct Slot {
  DeviceObject* device = nullptr;  // one of the registry's
  bool opening = false;
  std::vector<WaiterPtr> waiting;
};

struct Registry {
  std::mutex mutex;  // never held while a device is opened
  std::map<std::string, Slot> slots;
  std::vector<DeviceObject*> devices;  // a reference each
  std::mutex turn;                     // of the opening threads
};

// Never freed: threads of the runtime outlive every owner it could have.
Registry& registry() {
  static auto* only = new Registry;
  return *only;
}

// The one among the open devices that is the same hardware, else an object for `opened`.
DeviceObject* adopt(Registry& all, const DevicePtr& opened) {
  const DeviceInfo& info = device_info(*opened);
  for (DeviceObject* known : all.devices) {
    const DeviceInfo& other = device_info(*known->device);
    if (other.uuid == info.uuid && other.index == info.index) return known;
  }
  return all.devices.emplace_back(new_device_object(opened));
}

void open_now(DeviceOptions options) {
  Registry& all = registry();
  DeviceObject* kept = nullptr;
  Error failure(Code::internal, "");
  try {
    std::lock_guard turn(all.turn);
    DevicePtr opened = open_device(options);
    std::lock_guard lock(all.mutex);
    kept = adopt(all, opened);
  } catch (const Error& error) {
    failure = error;
  } catch (const std::exception& error) {
    failure = Error(Code::internal, std::string("[device_open] ") + error.what());
  }
  std::vector<WaiterPtr> waiting;
  {
    std::lock_guard lock(all.mutex);
    Slot& slot = all.slots[options.select];
    slot.device = kept;
    slot.opening = false;
    waiting.swap(slot.waiting);
  }
  for (const WaiterPtr& waiter : waiting) {
    if (kept) {
      waiter->send_ready();
    } else {
      waiter->send([&](ErlNifEnv* env) { return make_error(env, failure.code(), failure.what()); });
    }
  }
}

}  // namespace

std::optional<ERL_NIF_TERM> open_or_wait(ErlNifEnv* env, const DeviceOptions& options, const WaiterPtr& waiter) {
  Registry& all = registry();
  std::lock_guard lock(all.mutex);
  Slot& slot = all.slots[options.select];
  if (slot.device) return enif_make_resource(env, slot.device);
  slot.waiting.push_back(waiter);
  if (!slot.opening) {
    try {
      std::thread(open_now, options).detach();
    } catch (...) {
      slot.waiting.pop_back();
      throw;
    }
    slot.opening = true;
  }
  return std::nullopt;
}

void forget_device(const DevicePtr& device) {
  Registry& all = registry();
  DeviceObject* object = nullptr;
  {
    std::lock_guard lock(all.mutex);
    for (size_t i = 0; i < all.devices.size() && !object; ++i) {
      if (all.devices[i]->device != device) continue;
      object = all.devices[i];
      all.devices.erase(all.devices.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (auto& [select, slot] : all.slots) {
      if (slot.device == object) slot.device = nullptr;
    }
  }
  if (!object) return;
  // Closing a device takes long and must not happen in a destructor on a scheduler, so a thread keeps it to the last.
  std::thread([held = device]() mutable {
    while (held.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    held.reset();
  }).detach();
  enif_release_resource(object);
}

void settle_devices() {
  Registry& all = registry();
  std::vector<DevicePtr> devices;
  {
    std::lock_guard lock(all.mutex);
    for (DeviceObject* object : all.devices) devices.push_back(object->device);
  }
  for (const DevicePtr& device : devices) {
    try {
      synchronize(*device, std::chrono::seconds(2));
    } catch (...) {  // a lost or hung device has nothing to settle
    }
  }
}

}  // namespace nxv::nif
