#include "nif/resources.h"

#include <atomic>
#include <cstdio>
#include <new>
#include <utility>

#include "nif/atoms.h"

namespace nxv::nif {

namespace {

// The types under which this image of the library has made objects, the newest first: one a time that it was loaded
// after having been purged. Objects of all of them are ours. Never freed.
struct KnownType {
  ErlNifResourceType* type;
  KnownType* older;
};
template <class Object>
std::atomic<KnownType*> known_types{nullptr};

template <class Object>
void destroy(ErlNifEnv* env, void* memory) {
  CallScope scope(env);
  static_cast<Object*>(memory)->~Object();
}

template <class Object>
bool open_type(ErlNifEnv* env, const char* kind) {
  // The address tells this image of the library from others in the same VM.
  char name[64];
  std::snprintf(name, sizeof name, "nx_vulkan_%s_%p", kind, static_cast<void*>(&known_types<Object>));
  const auto flags = static_cast<ErlNifResourceFlags>(ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER);
  auto type = enif_open_resource_type(env, nullptr, name, destroy<Object>, flags, nullptr);
  KnownType* known = known_types<Object>;
  if (!type || (known && known->type == type)) return type != nullptr;
  // An object that is never released keeps the type, so that no other can come to have its address.
  if (!enif_alloc_resource(type, 1)) return false;
  known_types<Object> = new KnownType{type, known};
  return true;
}

template <class Object>
Object* find(ErlNifEnv* env, ERL_NIF_TERM term) {
  void* memory = nullptr;
  for (KnownType* known = known_types<Object>; known; known = known->older) {
    if (enif_get_resource(env, term, known->type, &memory)) return static_cast<Object*>(memory);
  }
  return nullptr;
}

template <class Object, class... Args>
Object* allocate_object(Args&&... args) {
  void* memory = enif_alloc_resource(known_types<Object>.load()->type, sizeof(Object));
  if (!memory) throw std::bad_alloc();
  return new (memory) Object{std::forward<Args>(args)...};
}

// A term that holds the only reference.
template <class Object>
ERL_NIF_TERM give(ErlNifEnv* env, Object* object) {
  ERL_NIF_TERM term = enif_make_resource(env, object);
  enif_release_resource(object);
  return term;
}

}  // namespace

BufferView BufferObject::view() const {
  std::lock_guard lock(mutex_);
  if (!view_.buffer) {
    throw Error(Code::invalid_argument, "[buffer] the tensor has been deallocated or transferred to another backend");
  }
  return view_;
}

bool BufferObject::release() {
  BufferPtr dropped;
  std::lock_guard lock(mutex_);
  dropped.swap(view_.buffer);
  return dropped != nullptr;
}

bool open_resource_types(ErlNifEnv* env) {
  return open_type<DeviceObject>(env, "device") && open_type<BufferObject>(env, "buffer") &&
         open_type<WaitObject>(env, "wait") && open_type<ReadObject>(env, "read");
}

DeviceObject* new_device_object(DevicePtr device) { return allocate_object<DeviceObject>(std::move(device)); }

ERL_NIF_TERM make_buffer(ErlNifEnv* env, DevicePtr device, BufferView view) {
  return give(env, allocate_object<BufferObject>(std::move(device), std::move(view)));
}

ERL_NIF_TERM make_wait(ErlNifEnv* env, WaiterPtr waiter) {
  return enif_make_tuple2(env, atoms.wait, give(env, allocate_object<WaitObject>(std::move(waiter))));
}

ERL_NIF_TERM make_read(ErlNifEnv* env, ReadObject** object) {
  *object = allocate_object<ReadObject>();
  return give(env, *object);
}

DeviceObject* find_device(ErlNifEnv* env, ERL_NIF_TERM term) { return find<DeviceObject>(env, term); }
BufferObject* find_buffer(ErlNifEnv* env, ERL_NIF_TERM term) { return find<BufferObject>(env, term); }
WaitObject* find_wait(ErlNifEnv* env, ERL_NIF_TERM term) { return find<WaitObject>(env, term); }
ReadObject* find_read(ErlNifEnv* env, ERL_NIF_TERM term) { return find<ReadObject>(env, term); }

}  // namespace nxv::nif
