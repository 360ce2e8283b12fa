#pragma once

// What Elixir holds references to. Destructors give references back and nothing else.

#include <erl_nif.h>

#include <memory>
#include <mutex>

#include "nif/waiter.h"
#include "runtime/core/api.h"

namespace nxv::nif {

struct DeviceObject {
  DevicePtr device;
};

// One tensor's hold on a range of device memory. Reshaped tensors hold the same Buffer through objects of their own, so
// that deallocating one leaves the others.
class BufferObject {
 public:
  BufferObject(DevicePtr device, BufferView view) : device_(std::move(device)), view_(std::move(view)) {}

  const DevicePtr& device() const { return device_; }
  // Throws invalid_argument once it has been released.
  BufferView view() const;
  // False if it was released before.
  bool release();

 private:
  DevicePtr device_;
  mutable std::mutex mutex_;  // other processes may release while this one reads
  BufferView view_;
};

struct WaitObject {
  WaiterPtr waiter;
  ~WaitObject() {
    if (waiter) waiter->cancel();
  }
};

// A read under way. Fetching and cancelling it exclude each other.
struct ReadObject {
  std::mutex mutex;
  WaiterPtr waiter;
  std::unique_ptr<PendingRead> read;  // null once fetched or cancelled
  uint64_t bytes = 0;
  ~ReadObject() {
    if (waiter) waiter->cancel();
  }
};

// Creates the resource types, or takes them over from the same library loaded before. Tensors made before the library
// was purged and loaded again stay usable; those of another build of it are of other types, and so refused.
bool open_resource_types(ErlNifEnv* env);

// An object with one reference, for enif_release_resource.
DeviceObject* new_device_object(DevicePtr device);
ERL_NIF_TERM make_buffer(ErlNifEnv* env, DevicePtr device, BufferView view);
// {wait, waiter}.
ERL_NIF_TERM make_wait(ErlNifEnv* env, WaiterPtr waiter);
ERL_NIF_TERM make_read(ErlNifEnv* env, ReadObject** object);

// Null where the term is something else.
DeviceObject* find_device(ErlNifEnv* env, ERL_NIF_TERM term);
BufferObject* find_buffer(ErlNifEnv* env, ERL_NIF_TERM term);
WaitObject* find_wait(ErlNifEnv* env, ERL_NIF_TERM term);
ReadObject* find_read(ErlNifEnv* env, ERL_NIF_TERM term);

}  // namespace nxv::nif
