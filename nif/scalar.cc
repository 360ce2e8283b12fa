// Scalar operands: a number of Erlang, or the bits of one as a binary.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "nif/atoms.h"
#include "nif/terms.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/float_format.h"

namespace nxv::nif {

namespace {

// The number that the low bits of `bits` are in `type`.
Scalar from_bits(uint64_t bits, Type type) {
  const TypeInfo& info = type_info(type);
  const int spare = 64 - static_cast<int>(info.bits);
  if (info.kind == Kind::uint) return {bits << spare >> spare};
  if (info.kind == Kind::sint) return {static_cast<int64_t>(bits << spare) >> spare};
  return {decode_float(bits, float_format(type))};
}

}  // namespace

Scalar get_scalar(ErlNifEnv* env, ERL_NIF_TERM value, Type type, std::string_view op) {
  ErlNifSInt64 integer;
  ErlNifUInt64 large;
  double number;
  ErlNifBinary binary;
  Scalar scalar;
  if (enif_get_int64(env, value, &integer)) {
    scalar.value = int64_t{integer};
  } else if (enif_get_uint64(env, value, &large)) {
    scalar.value = uint64_t{large};
  } else if (enif_get_double(env, value, &number)) {
    scalar.value = number;
  } else if (value == atoms.nan) {
    scalar.value = std::numeric_limits<double>::quiet_NaN();
  } else if (value == atoms.infinity) {
    scalar.value = std::numeric_limits<double>::infinity();
  } else if (value == atoms.neg_infinity) {
    scalar.value = -std::numeric_limits<double>::infinity();
  } else if (enif_inspect_binary(env, value, &binary) && binary.size == type_bytes(type) &&
             type_info(type).kind != Kind::complex) {
    uint64_t bits = 0;
    std::memcpy(&bits, binary.data, binary.size);
    return from_bits(bits, type);
  } else {
    throw Error(Code::invalid_argument, "[" + std::string(op) + "] a scalar operand is a number or its bits");
  }
  // 0.1 of f32 is another number than 0.1 of f64.
  return held_scalar(scalar, type);
}

}  // namespace nxv::nif
