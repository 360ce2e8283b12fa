#include "runtime/ops/order_bits.h"

#include <string>

#include "runtime/ops/float_format.h"

namespace nxv {

OrderBits order_bits(Type type) {
  const TypeInfo& info = type_info(type);
  if (info.kind == Kind::uint) return {};
  if (info.kind == Kind::sint) return {.kind = 1};
  const FloatFormat format = float_format(type);
  const uint64_t exponent = ((uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;
  const uint64_t infinity = format.has_infinity ? exponent : (exponent | ((1u << format.fraction_bits) - 1)) - 1;
  return {.kind = 2, .infinity = static_cast<uint32_t>(info.bits == 64 ? infinity >> 32 : infinity)};
}

std::string width_name(Type type) { return "b" + std::to_string(type_info(type).bits); }

}  // namespace nxv
