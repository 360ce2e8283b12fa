#pragma once

// Terms to C++ and back. Decoders throw invalid_argument; `op` names the caller in their text.

#include <erl_nif.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nif/resources.h"
#include "runtime/ops/op.h"

namespace nxv::nif {

// What an op reads: the planner's side, the executor's side, and the device that holds the tensors. Scalars have an
// empty view.
struct Operands {
  std::vector<Input> inputs;
  std::vector<BufferView> views;
};

std::string atom_text(ErlNifEnv* env, ERL_NIF_TERM atom);
std::string get_string(ErlNifEnv* env, ERL_NIF_TERM binary, std::string_view op);
uint64_t get_uint(ErlNifEnv* env, ERL_NIF_TERM term, std::string_view op);

// [{type, shape}]; none where the planner is to infer them.
std::vector<TensorSpec> get_outputs(ErlNifEnv* env, ERL_NIF_TERM list, std::string_view op);

// [{buffer | number | bits, type, shape}]. Every buffer must be of `device`.
Operands get_operands(ErlNifEnv* env, ERL_NIF_TERM list, const DevicePtr& device, std::string_view op);

// [{name, integer | float | boolean | atom | [integer]}].
Attrs get_attrs(ErlNifEnv* env, ERL_NIF_TERM list, std::string_view op);

// {buffer, type, shape}.
ERL_NIF_TERM make_tensor(ErlNifEnv* env, const DevicePtr& device, BufferView view, const TensorSpec& spec);

ERL_NIF_TERM make_string(ErlNifEnv* env, std::string_view text);
ERL_NIF_TERM make_error(ErlNifEnv* env, Code code, std::string_view message);
ERL_NIF_TERM make_ok(ErlNifEnv* env, ERL_NIF_TERM value);

// A number, or the bits of one, as the type holds it.
Scalar get_scalar(ErlNifEnv* env, ERL_NIF_TERM value, Type type, std::string_view op);

}  // namespace nxv::nif
