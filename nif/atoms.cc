#include "nif/atoms.h"

#include <array>
#include <iterator>
#include <string>
#include <unordered_map>

#include "runtime/ops/catalog.h"

namespace nxv::nif {

Atoms atoms;

namespace {

constexpr Code kCodes[] = {Code::invalid_argument, Code::unsupported, Code::out_of_memory,
                           Code::device_lost,      Code::timeout,     Code::internal};

std::array<ERL_NIF_TERM, std::size(kAllTypes)> type_atoms;
std::array<ERL_NIF_TERM, std::size(kCodes)> code_atoms;

// Never freed: the library is never unmapped, and processes may still be calling it when the VM exits.
std::unordered_map<ERL_NIF_TERM, std::string_view>* op_atoms = nullptr;

ERL_NIF_TERM make_atom(ErlNifEnv* env, std::string_view name) {
  return enif_make_atom_len(env, name.data(), name.size());
}

}  // namespace

void intern_atoms(ErlNifEnv* env) {
#define NXV_ATOM(name) atoms.name = make_atom(env, #name);
  NXV_ATOMS(NXV_ATOM)
#undef NXV_ATOM
  atoms.true_ = make_atom(env, "true");
  atoms.false_ = make_atom(env, "false");
  for (size_t i = 0; i < type_atoms.size(); ++i) type_atoms[i] = make_atom(env, type_info(kAllTypes[i]).name);
  for (size_t i = 0; i < code_atoms.size(); ++i) code_atoms[i] = make_atom(env, code_name(kCodes[i]));
  if (op_atoms) return;
  auto table = new std::unordered_map<ERL_NIF_TERM, std::string_view>();
  for (const OpInfo& op : catalog_ops()) table->emplace(make_atom(env, op.name), op.name);
  op_atoms = table;
}

ERL_NIF_TERM code_atom(Code code) {
  for (size_t i = 0; i < code_atoms.size(); ++i) {
    if (kCodes[i] == code) return code_atoms[i];
  }
  return code_atoms[code_atoms.size() - 1];
}

ERL_NIF_TERM type_atom(Type type) { return type_atoms.at(static_cast<size_t>(type)); }

std::optional<Type> atom_type(ERL_NIF_TERM atom) {
  for (size_t i = 0; i < type_atoms.size(); ++i) {
    if (type_atoms[i] == atom) return kAllTypes[i];
  }
  return std::nullopt;
}

std::optional<std::string_view> atom_op(ERL_NIF_TERM atom) {
  auto found = op_atoms->find(atom);
  if (found == op_atoms->end()) return std::nullopt;
  return found->second;
}

}  // namespace nxv::nif
