#include "runtime/cli/codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "runtime/cli/snapshot_inputs.h"
#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

// Of more bits than a double holds, rounded to odd: a second rounding to fewer bits then is the only one.
double odd_double(__int128 integer) {
  const bool negative = integer < 0;
  auto magnitude = static_cast<unsigned __int128>(negative ? -integer : integer);
  int dropped = 0;
  bool sticky = false;
  while (magnitude >> 53 != 0) {
    sticky = sticky || (magnitude & 1) != 0;
    magnitude >>= 1;
    ++dropped;
  }
  double value = std::ldexp(static_cast<double>(static_cast<uint64_t>(magnitude) | (sticky ? 1 : 0)), dropped);
  return negative ? -value : value;
}

}  // namespace

Codec::Codec(ElementKind kind) : kind_(kind) {
  const TypeInfo& type = type_info(kind.type);
  if (type.bits > 64 || (!kind.bits_only && parts_of(kind.type) != 1)) {
    throw Error(Code::unsupported, "[" + std::string(type.name) + "] is more than one number of 64 bits");
  }
  if (type.bits < 64) mask_ = (1ull << type.bits) - 1;
  floating_ = is_float(kind.type) && !kind.bits_only;
  if (!floating_) return;
  f32_exponents_ = has_f32_exponents(kind.type);
  if (type.bits <= 16) {
    for (uint64_t bits = 0; bits <= mask_; ++bits) {
      std::vector<std::byte> element(kind.bytes());
      store(bits, element.data());
      values_.push_back(part_at(kind.type, element, 0).real);
    }
    double largest = 0, second = 0;
    for (double value : values_) {
      if (!std::isfinite(value) || value <= second) continue;
      second = std::min(value, largest), largest = std::max(value, largest);
    }
    overflow_ = largest + (largest - second);
  } else {
    overflow_ = type.bits == 32 ? 0x1p128 : HUGE_VAL;
  }
}

uint64_t Codec::load(const std::byte* element) const {
  uint64_t bits = 0;
  std::memcpy(&bits, element, bytes());
  return bits;
}

void Codec::store(uint64_t bits, std::byte* element) const { std::memcpy(element, &bits, bytes()); }

Number Codec::decode(uint64_t bits) const {
  if (floating_) {
    if (!values_.empty()) return {.floating = true, .real = values_[bits]};
    if (info().bits == 32) return {.floating = true, .real = std::bit_cast<float>(static_cast<uint32_t>(bits))};
    return {.floating = true, .real = std::bit_cast<double>(bits)};
  }
  if (kind_.bits_only || info().kind == Kind::uint) return {.integer = static_cast<__int128>(bits)};
  int unused = 64 - static_cast<int>(info().bits);
  return {.integer = static_cast<int64_t>(bits << unused) >> unused};
}

uint64_t Codec::encode(const Number& number) const {
  if (!floating_) return static_cast<uint64_t>(number.integer) & mask_;
  double value = number.floating     ? number.real
                 : info().bits == 64 ? static_cast<double>(number.integer)
                                     : odd_double(number.integer);
  if (info().bits == 64) return std::bit_cast<uint64_t>(value);
  if (info().bits == 32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  std::vector<std::byte> element;
  append_part(kind_.type, {.floating = true, .real = value}, element);
  return load(element.data());
}

double Codec::ulp(double value) const {
  value = std::fabs(value);
  if (info().bits >= 32) {
    const bool single = info().bits == 32;
    const int least = single ? -126 : -1022, most = single ? 127 : 1023;
    const int exponent = value == 0 ? least : std::clamp(std::ilogb(value), least, most);
    return std::ldexp(1.0, exponent - (single ? 23 : 52));
  }
  uint64_t at = encode({.floating = true, .real = value});
  while (at > 0 && !(values_[at] <= value && std::isfinite(values_[at]))) --at;
  const bool last = !std::isfinite(values_[at + 1]);
  return last ? values_[at] - values_[at - 1] : values_[at + 1] - values_[at];
}

bool Codec::same(uint64_t a, uint64_t b) const {
  return a == b || (floating_ && std::isnan(decode(a).real) && std::isnan(decode(b).real));
}

bool Codec::flushable(double value) const { return f32_exponents_ && value != 0 && std::fabs(value) < 0x1p-126; }

uint64_t Codec::flushed(uint64_t bits) const {
  if (!f32_exponents_ || !flushable(decode(bits).real)) return bits;
  return bits & (1ull << (info().bits - 1));
}

std::string Codec::text(uint64_t bits) const {
  char hex[24];
  std::snprintf(hex, sizeof hex, " (0x%0*llx)", static_cast<int>(bytes() * 2), static_cast<unsigned long long>(bits));
  return to_text(decode(bits)) + hex;
}

}  // namespace nxv::cli
