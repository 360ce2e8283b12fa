#include "runtime/ops/float_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "runtime/core/error.h"

namespace nxv {
namespace {

// The double with `value`'s leading 53 bits, the last one set by all that is cut off: narrower formats then round as if
// they saw all of it.
double rounded_to_odd(uint64_t value) {
  const int cut = std::bit_width(value) - std::numeric_limits<double>::digits;
  if (cut <= 0) return static_cast<double>(value);
  const uint64_t rest = value & ((uint64_t{1} << cut) - 1);
  return std::ldexp(static_cast<double>(value >> cut | (rest != 0 ? 1 : 0)), cut);
}

}  // namespace

FloatFormat float_format(Type type) {
  switch (type) {
    case Type::f8:
      return {5, 2};
    case Type::f8_e4m3fn:
      return {4, 3, false};
    case Type::bf16:
      return {8, 7};
    case Type::f16:
      return {5, 10};
    default:
      break;
  }
  const TypeInfo& info = type_info(type);
  const uint32_t bits = info.kind == Kind::complex ? info.bits / 2 : info.bits;
  if (is_float(type) && bits == 32) return {8, 23};
  if (is_float(type) && bits == 64) return {11, 52};
  throw Error(Code::internal, "[float_format] " + std::string(info.name) + " is no float");
}

double decode_float(uint64_t bits, FloatFormat format) {
  const int fraction_bits = format.fraction_bits, last = (1 << format.exponent_bits) - 1;
  if (fraction_bits == 52) return std::bit_cast<double>(bits);
  const int bias = last / 2;
  const uint64_t fraction = bits & ((uint64_t{1} << fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> fraction_bits) & last;
  const bool nan =
      exponent == last && (format.has_infinity ? fraction != 0 : fraction + 1 == uint64_t{1} << fraction_bits);
  double value;
  if (nan) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == last && format.has_infinity) {
    value = std::numeric_limits<double>::infinity();
  } else {
    const uint64_t whole = exponent == 0 ? fraction : fraction | uint64_t{1} << fraction_bits;
    value = std::ldexp(static_cast<double>(whole), std::max(exponent, 1) - bias - fraction_bits);
  }
  return bits >> (format.bits() - 1) & 1 ? -value : value;
}

uint64_t encode_float(double value, FloatFormat format) {
  if (format.fraction_bits == 52) return std::bit_cast<uint64_t>(value);
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const uint64_t sign = static_cast<uint64_t>(std::signbit(value)) << (format.bits() - 1);
  const uint64_t beyond = ((uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;  // that of infinity
  const uint64_t nan = format.has_infinity ? beyond | uint64_t{1} << (format.fraction_bits - 1)
                                           : (uint64_t{1} << (format.bits() - 1)) - 1;
  const uint64_t most = format.has_infinity ? beyond : nan - 1;
  if (std::isnan(value)) return nan;
  value = std::fabs(value);
  if (std::isinf(value)) return sign | most;
  const int exponent = value == 0 ? 1 - bias : std::max(std::ilogb(value), 1 - bias);
  if (exponent > bias + 1) return sign | most;
  // The fraction in units of its last place; nearbyint rounds ties to even. A carry runs into the exponent by itself.
  const auto units = static_cast<uint64_t>(std::nearbyint(std::ldexp(value, format.fraction_bits - exponent)));
  return sign | std::min(units + (static_cast<uint64_t>(exponent + bias - 1) << format.fraction_bits), most);
}

uint64_t encode_float(uint64_t value, FloatFormat format) {
  if (format.fraction_bits == 52) return std::bit_cast<uint64_t>(static_cast<double>(value));
  return encode_float(rounded_to_odd(value), format);
}

uint64_t encode_float(int64_t value, FloatFormat format) {
  if (format.fraction_bits == 52) return std::bit_cast<uint64_t>(static_cast<double>(value));
  const double magnitude = rounded_to_odd(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  return encode_float(value < 0 ? -magnitude : magnitude, format);
}

}  // namespace nxv
