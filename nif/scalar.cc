// Scalar operands: a number of Erlang, or the bits of one as a binary.

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "nif/atoms.h"
#include "nif/terms.h"

namespace nxv::nif {

namespace {

double small_float(uint64_t bits, int exponent_bits, int mantissa_bits) {
  const uint64_t mantissa = bits & ((1ull << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const bool negative = (bits >> (mantissa_bits + exponent_bits)) & 1;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  double value;
  if (exponent == (1 << exponent_bits) - 1) {
    value = mantissa ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<double>(mantissa), 1 - bias - mantissa_bits);
  } else {
    value = std::ldexp(static_cast<double>(mantissa | (1ull << mantissa_bits)), exponent - bias - mantissa_bits);
  }
  return negative ? -value : value;
}

// The number that the low bits of `bits` are in `type`.
Scalar from_bits(uint64_t bits, Type type, std::string_view op) {
  const TypeInfo& info = type_info(type);
  const int spare = 64 - static_cast<int>(info.bits);
  switch (info.kind) {
    case Kind::uint:
      return {bits << spare >> spare};
    case Kind::sint:
      return {static_cast<int64_t>(bits << spare) >> spare};
    case Kind::bfloat:
      return {small_float(bits & 0xffff, 8, 7)};
    case Kind::float_:
      if (info.bits == 64) return {std::bit_cast<double>(bits)};
      if (info.bits == 32) return {double{std::bit_cast<float>(static_cast<uint32_t>(bits))}};
      if (info.bits == 16) return {small_float(bits & 0xffff, 5, 10)};
      break;
    case Kind::complex:
      break;
  }
  throw Error(Code::unsupported, "[" + std::string(op) + "] no inline scalars of type " + std::string(info.name));
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
  } else if (enif_inspect_binary(env, value, &binary) && binary.size == type_bytes(type) && binary.size <= 8) {
    uint64_t bits = 0;
    std::memcpy(&bits, binary.data, binary.size);
    return from_bits(bits, type, op);
  } else {
    throw Error(Code::invalid_argument, "[" + std::string(op) + "] a scalar operand is a number or its bits");
  }
  // 0.1 of f32 is another number than 0.1 of f64.
  return from_bits(scalar_bits(scalar, type), type, op);
}

}  // namespace nxv::nif
