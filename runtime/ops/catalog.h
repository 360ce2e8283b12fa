#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/ops/type.h"

namespace nxv {

// An op as the catalog describes it. The tables come from generated/catalog.inc.
struct OpInfo {
  std::string_view family;  // "map2"
  std::string_view name;    // "add"
  uint32_t inputs;          // operands a variant reads
  std::string_view nx;      // the Nx.Backend callback it serves, empty for none
};

// A pack entry: what can be dispatched.
struct VariantInfo {
  std::string_view key;  // "map2.add.f32.dense"
  std::string_view op;
  std::string_view types;   // "f32", "f32-s8", "b32"
  std::string_view access;  // "dense"
  uint32_t caps;            // bits of Cap
  uint32_t elems;           // ELEMS of the prelude
  std::string_view out;     // output type name, or width
};

// What an op takes and gives for one `types` of its keys.
struct SignatureInfo {
  std::string_view family, op, types;
  std::string_view inputs;  // type or width names, "u8,b32,b32"
  std::string_view out;
  double ulp;  // how far a result may be from the exact one; 0: correctly rounded
};

std::span<const OpInfo> catalog_ops();
std::span<const SignatureInfo> catalog_signatures();
std::span<const VariantInfo> catalog_variants();
const OpInfo* find_op(std::string_view name);

const SignatureInfo* find_signature(std::string_view family, std::string_view op, std::string_view types);

// Whether a family's results may differ from device to device, within a bound: the compiler may contract its
// arithmetic.
bool is_contracted(std::string_view family);

// Null where the catalog has no such variant: the planner then says which types the op has.
const VariantInfo* find_variant(std::string_view key);
const VariantInfo* find_variant(std::string_view family, std::string_view op, std::string_view types,
                                std::string_view access);

// "f32, f64, s32": for error messages.
std::string types_of(std::string_view family, std::string_view op);

}  // namespace nxv
