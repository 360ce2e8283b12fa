#include "runtime/cli/element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "runtime/ops/float_format.h"

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

// In bytes; narrower elements are appended as a byte each.
uint32_t part_width(Type type) {
  return std::max(type_info(type).bits, 8u) / 8 / static_cast<uint32_t>(parts_of(type));
}

}  // namespace

uint64_t part_bits(Type type, std::span<const std::byte> bytes, size_t index) {
  if (const uint32_t narrow = type_info(type).bits; narrow < 8) {
    const size_t at = index * narrow;
    return std::to_integer<uint64_t>(bytes[at / 8]) >> (8 - narrow - at % 8) & ((1u << narrow) - 1);
  }
  uint32_t width = part_width(type);
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.subspan(index * width, width).data(), width);
  return bits;
}

Number part_at(Type type, std::span<const std::byte> bytes, size_t index) {
  uint64_t bits = part_bits(type, bytes, index);
  if (is_float(type)) return {.floating = true, .real = decode_float(bits, float_format(type))};
  if (type_info(type).kind == Kind::uint) return {.integer = static_cast<__int128>(bits)};
  int unused = 64 - static_cast<int>(type_info(type).bits);
  return {.integer = static_cast<int64_t>(bits << unused) >> unused};
}

std::vector<std::byte> packed_bits(Type type, std::span<const std::byte> values) {
  const uint32_t bits = type_info(type).bits;
  std::vector<std::byte> packed((values.size() * bits + 7) / 8);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t low = std::to_integer<uint64_t>(values[i]) & ((1u << bits) - 1);
    packed[i * bits / 8] |= static_cast<std::byte>(low << (8 - bits - i * bits % 8));
  }
  return packed;
}

void append_part(Type type, const Number& number, std::vector<std::byte>& bytes) {
  uint64_t bits =
      is_float(type) ? encode_float(number.as_double(), float_format(type)) : static_cast<uint64_t>(number.integer);
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
