#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/core/traits.h"

namespace nxv {

enum class Kind : uint8_t { uint, sint, bfloat, float_, complex };

// A tensor's element type. The enumerators and the table behind type_info come from kernels/catalog/dtypes.yaml.
enum class Type : uint8_t {
#define NXV_TYPE(name, kind, bits, caps, npy) name,
#include "generated/types.inc"
#undef NXV_TYPE
};

inline constexpr Type kAllTypes[] = {
#define NXV_TYPE(name, kind, bits, caps, npy) Type::name,
#include "generated/types.inc"
#undef NXV_TYPE
};

struct TypeInfo {
  std::string_view name;  // as Nx writes it: "f32"
  Kind kind;
  uint32_t bits;
  uint32_t caps;         // bits of Cap that its loads and stores need
  std::string_view npy;  // NumPy descr, little-endian: "<f4"
};

const TypeInfo& type_info(Type type);

// Throws invalid_argument with the known names.
Type parse_type(std::string_view name);

// Of a type that fills bytes.
inline uint64_t type_bytes(Type type) { return type_info(type).bits / 8; }
inline bool is_float(Type type) { return type_info(type).kind >= Kind::bfloat; }
// Floats that are computed, and added up, as f32.
inline bool is_narrow_float(Type type) { return is_float(type) && type_info(type).bits < 32; }

// Nx.Type.merge: the type two operands meet in.
Type merge_types(Type a, Type b);

// Nx.Type.to_floating and to_aggregate.
Type to_floating(Type type);
Type to_aggregate(Type type);

// Nx.Type.to_complex and to_real: c128 of f64, c64 of the rest; the type of a complex number's parts.
Type to_complex(Type type);
Type to_real(Type type);

}  // namespace nxv
