#include "nif/terms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nif/atoms.h"

namespace nxv::nif {

namespace {

[[noreturn]] void refuse(std::string_view op, std::string_view why) {
  throw Error(Code::invalid_argument, "[" + std::string(op) + "] " + std::string(why));
}

Type get_type(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  if (auto type = atom_type(term)) return *type;
  throw Error(Code::unsupported, "[" + std::string(op) + "] no kernel knows the type " + atom_text(env, term));
}

Dims get_shape(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  int rank = 0;
  const ERL_NIF_TERM* elements = nullptr;
  if (!enif_get_tuple(env, term, &rank, &elements)) refuse(op, "a shape is a tuple of integers");
  Dims dims(rank);
  for (int i = 0; i < rank; ++i) {
    ErlNifSInt64 dim = 0;
    if (!enif_get_int64(env, elements[i], &dim) || dim < 1) refuse(op, "a dimension is a positive integer");
    dims[i] = dim;
  }
  return dims;
}

// Calls `each` with every element of a proper list.
template <class Each>
void for_each(ErlNifEnv* env, ERL_NIF_TERM list, std::string_view op, Each each) {
  ERL_NIF_TERM head;
  while (enif_get_list_cell(env, list, &head, &list)) each(head);
  if (!enif_is_empty_list(env, list)) refuse(op, "expected a list");
}

// The largest power of two up to 256 that divides the offset; allocations begin at multiples of 256.
uint64_t alignment_of(uint64_t offset) {
  const uint64_t bits = offset | 256;
  return bits & (~bits + 1);
}

void add_tensor(ErlNifEnv* env, const ERL_NIF_TERM* parts, const DevicePtr& device, std::string_view op,
                Operands& operands) {
  BufferObject* object = find_buffer(env, parts[0]);
  if (!object) refuse(op, "an operand is a tensor of another build of the library");
  if (object->device() != device) {
    refuse(op, "operands are on two devices; bring them together with Nx.backend_transfer/2");
  }
  Input input;
  input.spec = {get_type(env, parts[1], op), get_shape(env, parts[2], op)};
  BufferView view = object->view();
  if (byte_size(input.spec) > view.bytes) refuse(op, "an operand reaches past the end of its buffer");
  view.bytes = byte_size(input.spec);
  input.address_alignment = alignment_of(view.offset);
  operands.inputs.push_back(std::move(input));
  operands.views.push_back(std::move(view));
}

AttrValue get_attr(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  ErlNifSInt64 integer;
  if (enif_get_int64(env, term, &integer)) return int64_t{integer};
  double number;
  if (enif_get_double(env, term, &number)) return number;
  if (term == atoms.true_) return int64_t{1};
  if (term == atoms.false_) return int64_t{0};
  if (enif_is_atom(env, term)) return atom_text(env, term);
  std::vector<int64_t> list;
  for_each(env, term, op, [&](ERL_NIF_TERM element) {
    if (!enif_get_int64(env, element, &integer)) refuse(op, "a list among the attributes holds integers");
    list.push_back(integer);
  });
  return list;
}

}  // namespace

std::string atom_text(ErlNifEnv* env, ERL_NIF_TERM atom) {
  char text[256];
  int length = enif_get_atom(env, atom, text, sizeof text, ERL_NIF_LATIN1);
  return length > 0 ? std::string(text, length - 1) : "(not an atom)";
}

std::string get_string(ErlNifEnv* env, ERL_NIF_TERM binary, std::string_view op) {
  ErlNifBinary bytes;
  if (!enif_inspect_binary(env, binary, &bytes)) refuse(op, "expected a binary");
  return {reinterpret_cast<const char*>(bytes.data), bytes.size};
}

uint64_t get_uint(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op) {
  ErlNifUInt64 value;
  if (!enif_get_uint64(env, term, &value)) refuse(op, "expected a non-negative integer");
  return value;
}

std::vector<TensorSpec> get_outputs(ErlNifEnv* env, ERL_NIF_TERM list, std::string_view op) {
  std::vector<TensorSpec> outputs;
  for_each(env, list, op, [&](ERL_NIF_TERM term) {
    int arity = 0;
    const ERL_NIF_TERM* parts = nullptr;
    if (!enif_get_tuple(env, term, &arity, &parts) || arity != 2) refuse(op, "an output is {type, shape}");
    outputs.push_back({get_type(env, parts[0], op), get_shape(env, parts[1], op)});
  });
  return outputs;
}

Operands get_operands(ErlNifEnv* env, ERL_NIF_TERM list, const DevicePtr& device, std::string_view op) {
  Operands operands;
  for_each(env, list, op, [&](ERL_NIF_TERM term) {
    int arity = 0;
    const ERL_NIF_TERM* parts = nullptr;
    if (!enif_get_tuple(env, term, &arity, &parts) || arity != 3) {
      refuse(op, "an operand is {buffer, number or bits, type, shape}");
    }
    if (enif_is_ref(env, parts[0])) return add_tensor(env, parts, device, op, operands);
    Input input;
    input.spec = {get_type(env, parts[1], op), {}};
    input.scalar = get_scalar(env, parts[0], input.spec.type, op);
    operands.inputs.push_back(std::move(input));
    operands.views.emplace_back();
  });
  return operands;
}

Attrs get_attrs(ErlNifEnv* env, ERL_NIF_TERM list, std::string_view op) {
  Attrs attrs;
  for_each(env, list, op, [&](ERL_NIF_TERM term) {
    int arity = 0;
    const ERL_NIF_TERM* parts = nullptr;
    if (!enif_get_tuple(env, term, &arity, &parts) || arity != 2 || !enif_is_atom(env, parts[0])) {
      refuse(op, "attributes are a keyword list");
    }
    attrs.insert_or_assign(atom_text(env, parts[0]), get_attr(env, parts[1], op));
  });
  return attrs;
}

ERL_NIF_TERM make_tensor(ErlNifEnv* env, const DevicePtr& device, BufferView view, const TensorSpec& spec) {
  std::vector<ERL_NIF_TERM> dims;
  for (int64_t dim : spec.dims) dims.push_back(enif_make_int64(env, dim));
  ERL_NIF_TERM shape = enif_make_tuple_from_array(env, dims.data(), static_cast<unsigned>(dims.size()));
  return enif_make_tuple3(env, make_buffer(env, device, std::move(view)), type_atom(spec.type), shape);
}

ERL_NIF_TERM make_string(ErlNifEnv* env, std::string_view text) {
  ERL_NIF_TERM term;
  unsigned char* bytes = enif_make_new_binary(env, text.size(), &term);
  std::copy(text.begin(), text.end(), bytes);
  return term;
}

ERL_NIF_TERM make_error(ErlNifEnv* env, Code code, std::string_view message) {
  return enif_make_tuple2(env, atoms.error, enif_make_tuple2(env, code_atom(code), make_string(env, message)));
}

ERL_NIF_TERM make_ok(ErlNifEnv* env, ERL_NIF_TERM value) { return enif_make_tuple2(env, atoms.ok, value); }

}  // namespace nxv::nif
