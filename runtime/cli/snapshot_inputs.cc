#include "runtime/cli/snapshot_inputs.h"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace nxv::cli {

namespace {

constexpr int64_t kModerate = 8;  // most numbers lie between 2^-8 and 2^8

// Exponents of the numbers that are neither moderate nor special: products and quotients of two stay normal.
int64_t widest_exponent(Type type) {
  if (has_f32_exponents(type)) return 60;
  return type_info(type).bits / parts_of(type) == 64 ? 500 : 14;
}

double largest(Type type) {
  if (type_info(type).kind == Kind::bfloat) return 0x1.fep127;
  if (has_f32_exponents(type)) return std::numeric_limits<float>::max();
  return type_info(type).bits / parts_of(type) == 64 ? std::numeric_limits<double>::max() : 57344;
}

}  // namespace

bool has_f32_exponents(Type type) {
  const TypeInfo& info = type_info(type);
  return info.kind == Kind::bfloat || (info.kind >= Kind::float_ && info.bits / parts_of(type) == 32);
}

ValueSource::ValueSource(std::string_view name, uint64_t number, Values values)
    : state_(XXH3_64bits_withSeed(name.data(), name.size(), number * 2 + (values == Values::subnormal ? 1 : 0))),
      values_(values) {}

// SplitMix64.
uint64_t ValueSource::next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

int64_t ValueSource::between(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(next() % static_cast<uint64_t>(high - low + 1));
}

double ValueSource::special_real(Type type) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array kPositive{0.0, inf, nan, 1.0, 0.5, 1.5, 2.5, 3.0, 255.0, 256.0, 0x1p31, 0x1p32, 0x1p63, 0x1p64};
  uint64_t bits = next();
  size_t index = bits % (kPositive.size() + 1);
  double value = index < kPositive.size() ? kPositive[index] : largest(type);
  return bits >> 63 ? -value : value;
}

double ValueSource::real(Type type, const Style& style) {
  uint64_t bits = next();
  double fraction = static_cast<double>(bits >> 11) * 0x1p-53;  // of [0, 1)
  double sign = bits & 1 ? -1 : 1;
  if (style.special && bits % 8 == 7 && values_ == Values::ordinary) return special_real(type);
  if (values_ == Values::subnormal && next() % 4 != 0) {
    bool narrow = has_f32_exponents(type) || next() % 2 == 0;  // f64: its own subnormals, and those of f32
    double least = narrow ? 0x1p-126 : 0x1p-1022;
    switch (next() % 8) {
      case 0:
        return sign * least;
      case 1:
        return sign * least * (narrow ? 0x1p-23 : 0x1p-52);
      case 2:
        return sign * std::ldexp(least * (1 + fraction), static_cast<int>(between(0, 20)));
      default:
        return sign * least * fraction;
    }
  }
  if (style.near_one) return sign * (1 + (fraction - 0.5) / 16);
  // Few and small, so that operands meet their equals.
  if (bits % 4 == 1)
    return next() % 2 ? static_cast<double>(between(-2, 2)) : static_cast<double>(between(-400, 400)) / 2;
  int64_t reach = bits % 4 == 2 && values_ == Values::ordinary ? widest_exponent(type) : kModerate;
  return sign * std::ldexp(1 + fraction, static_cast<int>(between(-reach, reach)));
}

__int128 ValueSource::whole(Type type) {
  uint64_t bits = next();
  int unused = 64 - static_cast<int>(type_info(type).bits);
  if (bits % 16 == 15) {
    std::array<uint64_t, 6> limits{0, 1, ~0ull, ~0ull >> 1, 1ull << 63, 1ull << 62};
    return static_cast<__int128>(limits[next() % limits.size()] >> unused);
  }
  if (bits % 4 == 0) return between(-2, 2);
  return bits % 2 ? static_cast<__int128>(next()) : between(-70, 70);
}

std::vector<std::byte> ValueSource::take(ElementKind kind, int64_t count, Style style) {
  std::vector<std::byte> bytes;
  bytes.reserve(static_cast<size_t>(count) * kind.bytes());
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    if (kind.bits_only) {
      for (uint64_t b = 0, bits = 0; b < kind.bytes(); ++b, bits >>= 8) {
        if (b % 8 == 0) bits = next();
        bytes.push_back(static_cast<std::byte>(bits));
      }
      continue;
    }
    for (size_t part = 0; part < parts_of(kind.type); ++part) {
      Style mine = style;
      if (i == 0 && !style.first_special) mine.special = false;
      append_part(kind.type,
                  is_float(kind.type) ? Number{.floating = true, .real = real(kind.type, mine)}
                                      : Number{.integer = whole(kind.type)},
                  bytes);
    }
  }
  return bytes;
}

}  // namespace nxv::cli
