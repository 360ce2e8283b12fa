#pragma once

// Names of the BEAM, interned once at load. Atoms live as long as the VM does, so every function may use them.

#include <erl_nif.h>

#include <optional>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/ops/type.h"

namespace nxv::nif {

// clang-format off
#define NXV_ATOMS(X) \
  X(ok) X(error) X(wait) X(ready) X(nan) X(infinity) X(neg_infinity) X(nil) X(index) X(name) X(driver) \
  X(uuid) X(api_version) X(usable) X(why_not) X(cpu) X(integrated) X(memory_bytes) X(features) X(cannot_keep) \
  X(used) X(reserved) X(peak) X(limit) X(budget) X(owners) X(already_deallocated)
// clang-format on

struct Atoms {
#define NXV_ATOM(name) ERL_NIF_TERM name;
  NXV_ATOMS(NXV_ATOM)
#undef NXV_ATOM
  ERL_NIF_TERM true_, false_;
};

// Filled by intern_atoms; plain numbers.
extern Atoms atoms;

void intern_atoms(ErlNifEnv* env);

ERL_NIF_TERM code_atom(Code code);
ERL_NIF_TERM type_atom(Type type);
std::optional<Type> atom_type(ERL_NIF_TERM atom);

// The catalog's spelling of an op's name; nothing for a name that no op has.
std::optional<std::string_view> atom_op(ERL_NIF_TERM atom);

}  // namespace nxv::nif
