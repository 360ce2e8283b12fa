#include "runtime/cli/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "runtime/core/error.h"

namespace nxv::cli {

std::span<const Type> all_types() {
  static constexpr std::array kTypes{
#define NXV_TYPE(name, kind, bits, caps, npy) Type::name,
#include "generated/types.inc"
#undef NXV_TYPE
  };
  return kTypes;
}

std::optional<Type> type_named(std::string_view name) {
  for (Type type : all_types()) {
    if (type_info(type).name == name) return type;
  }
  return std::nullopt;
}

size_t parts_of(Type type) { return type_info(type).kind == Kind::complex ? 2 : 1; }

namespace {

uint32_t part_width(Type type) { return type_info(type).bits / 8 / static_cast<uint32_t>(parts_of(type)); }

// An IEEE 754 layout with these fields. bfloat16 is one too.
struct Layout {
  int exponent_bits, fraction_bits;
};

Layout layout_of(Type type) {
  const TypeInfo& info = type_info(type);
  switch (part_width(type)) {
    case 2:
      return info.kind == Kind::bfloat ? Layout{8, 7} : Layout{5, 10};
    case 4:
      return {8, 23};
    case 8:
      return {11, 52};
    default:
      throw Error(Code::unsupported, "[" + std::string(info.name) + "] this program can't read such floats");
  }
}

double decode_float(uint64_t bits, Layout layout) {
  if (layout.fraction_bits == 52) return std::bit_cast<double>(bits);
  int bias = (1 << (layout.exponent_bits - 1)) - 1;
  uint64_t fraction = bits & ((1ull << layout.fraction_bits) - 1);
  int exponent = static_cast<int>(bits >> layout.fraction_bits & ((1u << layout.exponent_bits) - 1));
  bool negative = bits >> (layout.fraction_bits + layout.exponent_bits) & 1;
  double value;
  if (exponent == (1 << layout.exponent_bits) - 1) {
    value = fraction ? NAN : INFINITY;
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<double>(fraction), 1 - bias - layout.fraction_bits);
  } else {
    value = std::ldexp(static_cast<double>(fraction | 1ull << layout.fraction_bits),
                       exponent - bias - layout.fraction_bits);
  }
  return negative ? -value : value;
}

// Rounds to nearest, ties to even, in one step.
uint64_t encode_float(double value, Layout layout) {
  if (layout.fraction_bits == 52) return std::bit_cast<uint64_t>(value);
  int bias = (1 << (layout.exponent_bits - 1)) - 1;
  uint64_t sign = static_cast<uint64_t>(std::signbit(value)) << (layout.exponent_bits + layout.fraction_bits);
  uint64_t infinity = ((1ull << layout.exponent_bits) - 1) << layout.fraction_bits;
  if (std::isnan(value)) return infinity | 1ull << (layout.fraction_bits - 1);
  value = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  int exponent = value == 0 ? 1 - bias : std::max(std::ilogb(value), 1 - bias);
  // The fraction in units of its last place; nearbyint rounds ties to even. A carry runs into the exponent by itself.
  auto units = static_cast<uint64_t>(std::nearbyint(std::ldexp(value, layout.fraction_bits - exponent)));
  uint64_t bits = units + (static_cast<uint64_t>(exponent + bias - 1) << layout.fraction_bits);
  return sign | std::min(bits, infinity);
}

}  // namespace

uint64_t part_bits(Type type, std::span<const std::byte> bytes, size_t index) {
  uint32_t width = part_width(type);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.subspan(index * width, width).data(), width);
  return bits;
}

Number part_at(Type type, std::span<const std::byte> bytes, size_t index) {
  uint64_t bits = part_bits(type, bytes, index);
  if (is_float(type)) return {.floating = true, .real = decode_float(bits, layout_of(type))};
  if (type_info(type).kind == Kind::uint) return {.integer = static_cast<__int128>(bits)};
  int unused = 64 - static_cast<int>(type_info(type).bits);
  return {.integer = static_cast<int64_t>(bits << unused) >> unused};
}

void append_part(Type type, const Number& number, std::vector<std::byte>& bytes) {
  uint64_t bits =
      is_float(type) ? encode_float(number.as_double(), layout_of(type)) : static_cast<uint64_t>(number.integer);
  size_t at = bytes.size();
  bytes.resize(at + part_width(type));
  std::memcpy(bytes.data() + at, &bits, part_width(type));
}

std::string to_text(const Number& number) {
  char text[64];
  if (number.floating) {
    std::snprintf(text, sizeof text, "%.9g", number.real);
    if (std::strtod(text, nullptr) != number.real) std::snprintf(text, sizeof text, "%.17g", number.real);
  } else if (number.integer < 0) {
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(number.integer));
  } else {
    std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(number.integer));
  }
  return text;
}

}  // namespace nxv::cli
