#include "runtime/ops/type.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/core/error.h"

namespace nxv {
namespace {

constexpr TypeInfo kTypes[] = {
#define NXV_TYPE(name, kind, bits, caps, npy) {#name, Kind::kind, bits, caps, npy},
#include "generated/types.inc"
#undef NXV_TYPE
};

// The narrowest type of the kind with at least so many bits; else the widest of the kind.
Type of_kind(Kind kind, uint32_t bits) {
  const TypeInfo* best = nullptr;
  for (const TypeInfo& type : kTypes) {
    if (type.kind != kind) continue;
    const bool fits = type.bits >= bits, best_fits = best && best->bits >= bits;
    const bool closer = fits ? !best_fits || type.bits < best->bits : !best_fits && (!best || type.bits > best->bits);
    if (closer) best = &type;
  }
  if (!best) throw Error(Code::unsupported, "[type] no type of the kind that the operands meet in");
  return static_cast<Type>(best - kTypes);
}

}  // namespace

const TypeInfo& type_info(Type type) {
  const auto index = static_cast<size_t>(type);
  if (index >= std::size(kTypes)) throw Error(Code::internal, "[type] not a type: " + std::to_string(index));
  return kTypes[index];
}

Type parse_type(std::string_view name) {
  std::string known;
  for (const TypeInfo& type : kTypes) {
    if (type.name == name) return static_cast<Type>(&type - kTypes);
    known += (known.empty() ? "" : ", ") + std::string(type.name);
  }
  throw Error(Code::invalid_argument, "[type] unknown type \"" + std::string(name) + "\"; known are " + known);
}

Type merge_types(Type a, Type b) {
  if (type_info(a).kind > type_info(b).kind) std::swap(a, b);
  const TypeInfo &low = type_info(a), &high = type_info(b);
  // Of the two sorts of 8-bit floats the later one.
  if (low.kind == high.kind) return low.bits != high.bits ? (low.bits > high.bits ? a : b) : std::max(a, b);
  if (high.kind == Kind::sint) return of_kind(Kind::sint, std::max(std::min(2 * low.bits, 64u), high.bits));
  if (high.kind == Kind::complex && low.kind == Kind::float_)
    return of_kind(Kind::complex, std::max(2 * low.bits, high.bits));
  return b;
}

Type to_floating(Type type) { return is_float(type) ? type : of_kind(Kind::float_, 32); }

Type to_aggregate(Type type) {
  const TypeInfo& info = type_info(type);
  if (is_float(type)) return type;
  if (info.bits <= 32) return of_kind(info.kind, 32);
  return of_kind(Kind::sint, 64);
}

Type to_complex(Type type) {
  if (type_info(type).kind == Kind::complex) return type;
  return type == Type::f64 ? Type::c128 : Type::c64;
}

Type to_real(Type type) {
  if (type_info(type).kind != Kind::complex) return type;
  return type == Type::c128 ? Type::f64 : Type::f32;
}

}  // namespace nxv
