#include <cmath>

#include "runtime/ops/float_format.h"
#include "runtime/ops/op.h"

namespace nxv {
namespace {

uint64_t low_bits(uint64_t value, uint32_t bits) { return bits >= 64 ? value : value & ((1ull << bits) - 1); }

// Truncates, then saturates; NaN gives 0.
uint64_t integer_of(double value, const TypeInfo& type) {
  if (std::isnan(value)) return 0;
  const bool sint = type.kind == Kind::sint;
  const int top = static_cast<int>(type.bits) - (sint ? 1 : 0);
  const uint64_t most = low_bits(~0ull, static_cast<uint32_t>(top));
  if (value >= std::ldexp(1.0, top)) return most;
  if (!sint) return value <= 0 ? 0 : static_cast<uint64_t>(value);
  if (value <= -std::ldexp(1.0, top)) return low_bits(most + 1, type.bits);
  return low_bits(static_cast<uint64_t>(static_cast<int64_t>(value)), type.bits);
}

}  // namespace

uint64_t scalar_bits(const Scalar& scalar, Type type) {
  const TypeInfo& info = type_info(type);
  return std::visit(
      [&](auto value) -> uint64_t {
        if (info.kind == Kind::uint || info.kind == Kind::sint) {
          if constexpr (std::is_floating_point_v<decltype(value)>) return integer_of(value, info);
          return low_bits(static_cast<uint64_t>(value), info.bits);
        }
        return encode_float(value, float_format(type));  // of a complex number: the real part, the other one is 0
      },
      scalar.value);
}

}  // namespace nxv
