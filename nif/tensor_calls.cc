// Tensors: operations, uploads, reads.

#include <bit>
#include <optional>

#include "nif/atoms.h"
#include "nif/call.h"

namespace nxv::nif {

namespace {

// Figures are kept a process. The number is the term of its identifier, which make_owner turns back.
Owner owner_of(ErlNifEnv* env) {
  ErlNifPid pid;
  return enif_self(env, &pid) ? static_cast<Owner>(pid.pid) : 0;
}

const DevicePtr& get_device(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  if (DeviceObject* object = find_device(env, term)) return object->device;
  throw Error(Code::invalid_argument, "[" + std::string(op) + "] not a device of this build of the library");
}

BufferObject& get_buffer(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  if (BufferObject* object = find_buffer(env, term)) return *object;
  throw Error(Code::invalid_argument, "[" + std::string(op) + "] not a tensor of this build of the library");
}

ReadObject& get_read(ErlNifEnv* env, ERL_NIF_TERM term) {
  if (ReadObject* object = find_read(env, term)) return *object;
  throw Error(Code::invalid_argument, "[read] not a read of this build of the library");
}

BufferView part(const BufferView& whole, uint64_t offset, uint64_t bytes, std::string_view op) {
  if (offset > whole.bytes || bytes > whole.bytes - offset) {
    throw Error(Code::invalid_argument, "[" + std::string(op) + "] the range reaches past the end of the buffer");
  }
  return {whole.buffer, whole.offset + offset, bytes};
}

bool on_dirty_scheduler() { return enif_thread_type() != ERL_NIF_THR_NORMAL_SCHEDULER; }

}  // namespace

// op(device, name, [{type, shape}], [operand], [{attribute, value}], ref) -> {ok, [buffer]}
// Without outputs the planner infers them: {ok, [{buffer, type, shape}]}.
ERL_NIF_TERM op(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  const std::optional<std::string_view> known = atom_op(argv[1]);
  const std::string spelled = known ? std::string() : atom_text(env, argv[1]);
  const std::string_view name = known ? *known : std::string_view(spelled);
  const DevicePtr& device = get_device(env, argv[0], name);
  const std::vector<TensorSpec> outputs = get_outputs(env, argv[2], name);
  const Operands operands = get_operands(env, argv[3], device, name);
  const Attrs attrs = get_attrs(env, argv[4], name);

  const OpPlan made = plan_op(name, attrs, outputs, operands.inputs, device_info(*device).traits);
  std::vector<BufferView> views = execute(*device, made.plan, operands.views, owner_of(env), Waiting::refuse);

  std::vector<ERL_NIF_TERM> terms;
  for (size_t i = 0; i < views.size(); ++i) {
    terms.push_back(outputs.empty() ? make_tensor(env, device, std::move(views[i]), made.outputs.at(i))
                                    : make_buffer(env, device, std::move(views[i])));
  }
  return make_ok(env, enif_make_list_from_array(env, terms.data(), static_cast<unsigned>(terms.size())));
}

// upload(device, binary, ref) -> {ok, buffer}
ERL_NIF_TERM upload(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]) {
  const DevicePtr& device = get_device(env, argv[0], "upload");
  ErlNifBinary binary;
  if (!enif_inspect_binary(env, argv[1], &binary)) throw Error(Code::invalid_argument, "[upload] expected a binary");
  const bool large = binary.size > kCopyLimit;
  if (large && !on_dirty_scheduler()) {
    return enif_schedule_nif(env, "upload", ERL_NIF_DIRTY_JOB_IO_BOUND, guarded<upload>, argc, argv);
  }
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(binary.data), binary.size);
  BufferView made = nxv::upload(*device, bytes, owner_of(env), large ? Waiting::allow : Waiting::refuse);
  return make_ok(env, make_buffer(env, device, std::move(made)));
}

// view(buffer, offset, bytes) -> {ok, buffer}: the same memory, held by a reference of its own
ERL_NIF_TERM view(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  BufferObject& object = get_buffer(env, argv[0], "view");
  const uint64_t offset = get_uint(env, argv[1], "view"), bytes = get_uint(env, argv[2], "view");
  return make_ok(env, make_buffer(env, object.device(), part(object.view(), offset, bytes, "view")));
}

// release(buffer) -> ok | already_deallocated
ERL_NIF_TERM release(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  return get_buffer(env, argv[0], "deallocate").release() ? atoms.ok : atoms.already_deallocated;
}

// read_start(buffer, offset, bytes, ref) -> {ok, read}; {ref, ready} follows
ERL_NIF_TERM read_start(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  BufferObject& object = get_buffer(env, argv[0], "read");
  const uint64_t offset = get_uint(env, argv[1], "read"), bytes = get_uint(env, argv[2], "read");
  const BufferView range = part(object.view(), offset, bytes, "read");
  auto waiter = std::make_shared<Waiter>(env, argv[3]);
  ReadObject* read = nullptr;
  ERL_NIF_TERM term = make_read(env, &read);
  read->waiter = waiter;
  read->bytes = bytes;
  read->read = start_read(*object.device(), range, bytes, [waiter] { waiter->send_ready(); });
  return make_ok(env, term);
}

// read_fetch(read) -> {ok, binary}, once it is ready
ERL_NIF_TERM read_fetch(ErlNifEnv* env, int argc, const ERL_NIF_TERM argv[]) {
  ReadObject& object = get_read(env, argv[0]);
  if (object.bytes > kCopyLimit && !on_dirty_scheduler()) {
    return enif_schedule_nif(env, "read_fetch", ERL_NIF_DIRTY_JOB_IO_BOUND, guarded<read_fetch>, argc, argv);
  }
  std::lock_guard lock(object.mutex);
  if (!object.read) throw Error(Code::invalid_argument, "[read] fetched or cancelled before");
  ERL_NIF_TERM binary;
  unsigned char* bytes = enif_make_new_binary(env, object.bytes, &binary);
  const std::unique_ptr<PendingRead> read = std::move(object.read);
  read->finish({reinterpret_cast<std::byte*>(bytes), object.bytes});
  return make_ok(env, binary);
}

// cancel(waiter | read) -> ok; no message is sent after it returns
ERL_NIF_TERM cancel(ErlNifEnv* env, int, const ERL_NIF_TERM argv[]) {
  if (WaitObject* wait = find_wait(env, argv[0])) {
    wait->waiter->cancel();
    return atoms.ok;
  }
  ReadObject& object = get_read(env, argv[0]);
  object.waiter->cancel();
  std::lock_guard lock(object.mutex);
  object.read.reset();
  return atoms.ok;
}

}  // namespace nxv::nif
