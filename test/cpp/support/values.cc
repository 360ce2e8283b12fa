#include "test/cpp/support/values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <random>

#include "test/cpp/ops/oracle_functions.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv {
namespace {

// Where the f64 functions change their way: limits of exp, sinh and sigmoid, ln 2 / 2, √½, √2, multiples of π / 2 up to
// the worst double of all, the numbers from which results are the argument, a constant or subnormal.
constexpr double kDoubleThresholds[] = {708,
                                        708.5,
                                        709.782712893384,
                                        709.7827128933841,
                                        710.4758600739439,
                                        745.1332191019411,
                                        745.2,
                                        600,
                                        672,
                                        0.3465735902799726,
                                        0.7071067811865476,
                                        1.414213562373095,
                                        0.7853981633974483,
                                        1.5707963267948966,
                                        3.141592653589793,
                                        11.0,
                                        22.000001,
                                        1647099.5,
                                        0x1.6ac5b262ca1ffp849,
                                        0x1p-54,
                                        0x1p-27,
                                        0x1p-28,
                                        0x1p-29,
                                        0.84375,
                                        0.9999999999999999,
                                        5.9,
                                        26.5,
                                        27.3,
                                        0.25,
                                        0.41421356237309503,
                                        2.414213562373095,
                                        0.9375,
                                        1e22,
                                        1e300};

template <typename T>
std::vector<T> float_specials() {
  using L = std::numeric_limits<T>;
  const T tiny = L::denorm_min(), least = L::min(), below = std::nextafter(least, T{0});
  std::vector<T> list{0,
                      1,
                      L::infinity(),
                      L::quiet_NaN(),
                      tiny,
                      below,
                      least,
                      L::max(),
                      T(0.5),
                      T(1.5),
                      T(2.5),
                      2,
                      3,
                      7,
                      T(0.1),
                      255,
                      T(255.5),
                      256,
                      T(2147483648.0),
                      T(4294967296.0),
                      T(9223372036854775808.0),
                      T(18446744073709551616.0),
                      T(1e10),
                      std::nextafter(T(0.5), T(0)),
                      std::nextafter(T(1), T(2)),
                      least * 3,
                      T(8388609),
                      T(33554433),
                      L::max() / 2};
  if constexpr (sizeof(T) == 8) list.insert(list.end(), std::begin(kDoubleThresholds), std::end(kDoubleThresholds));
  const size_t positive = list.size();
  for (size_t i = 0; i < positive; ++i) list.push_back(-list[i]);
  return list;
}

template <typename T>
std::vector<T> integer_specials() {
  using L = std::numeric_limits<T>;
  std::vector<T> list{0,
                      1,
                      2,
                      3,
                      5,
                      7,
                      8,
                      10,
                      31,
                      32,
                      33,
                      63,
                      64,
                      65,
                      100,
                      127,
                      L::max(),
                      T(L::max() - 1),
                      T(L::max() / 2),
                      L::min(),
                      T(L::min() + 1),
                      T(-1),
                      T(-2),
                      T(-3),
                      T(-7),
                      T(-8),
                      T(16777217)};
  if constexpr (sizeof(T) == 8) {
    for (uint64_t one : {0xffffffffull, 0x100000000ull, 0x20000000000001ull, 0x1000001ull << 20, 0x7fffffbfffffffffull,
                         0x4000002000000001ull, 0x4000004000000001ull, 0x4000006000000000ull}) {
      list.push_back(static_cast<T>(one));
    }
  }
  if constexpr (sizeof(T) >= 4) {
    for (uint32_t one : {0x80000000u, 0x7fffffbfu, 0x7fffffc0u, 0xffffff7fu, 0xffffff80u})
      list.push_back(static_cast<T>(one));
  }
  return list;
}

template <typename T>
std::vector<T> narrow_specials() {
  std::vector<T> list;
  for (float one : {0.0f, 1.0f, INFINITY, NAN, 0.5f, 1.5f, 2.5f, 2.0f, 3.0f, 7.0f, 0.1f, 127.0f, 128.0f, 255.0f, 256.0f,
                    448.0f, 2147483648.0f, 1e10f, 0x1p64f}) {
    list.emplace_back(one);
  }
  const T least = T::smallest_normal();
  list.insert(list.end(), {T::smallest(), T::from_bits(2), T::from_bits(3), T::from_bits(least.bits() - 1u), least,
                           T::from_bits(least.bits() + 1u), T::largest(), T::from_bits(T::largest().bits() - 1u)});
  const size_t positive = list.size();
  for (size_t i = 0; i < positive; ++i) list.emplace_back(-static_cast<float>(list[i]));
  return list;
}

// Each special number as a real part with several imaginary ones.
template <typename T>
std::vector<std::complex<T>> complex_specials() {
  const std::vector<T> parts = float_specials<T>();
  std::vector<std::complex<T>> list;
  for (size_t turn = 0; turn < 6; ++turn) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const T imaginary = turn == 0 ? T{0} : parts[(i * 3 + turn * 11) % parts.size()];
      if (i % 2 == 0)
        list.emplace_back(parts[i], imaginary);
      else
        list.emplace_back(imaginary, parts[i]);
    }
  }
  return list;
}

template <typename T>
T random_value(std::mt19937_64& random) {
  if constexpr (oracle::kIsComplex<T>) {
    using Part = typename T::value_type;
    const Part real = random_value<Part>(random);
    return {real, random_value<Part>(random)};
  }
  [[maybe_unused]] const uint64_t bits = random();
  [[maybe_unused]] const bool pattern = random() % 2 == 0;
  if constexpr (kIsNarrow<T>) {
    return pattern ? T::from_bits(bits) : T(static_cast<float>(static_cast<int64_t>(bits % 4001) - 2000) / 64);
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (pattern) {
      T value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    const T whole = static_cast<T>(static_cast<int64_t>(bits % 4001) - 2000);
    return random() % 2 == 0 ? whole / 8
                             : static_cast<T>(static_cast<int64_t>(bits) * (random() % 2 == 0 ? 0x1p-40 : 0x1p-61));
  } else if constexpr (std::is_integral_v<T>) {
    return pattern ? static_cast<T>(bits) : static_cast<T>(static_cast<int64_t>(bits % 141) - 70);
  }
}

template <typename T>
std::vector<std::byte> filled(const std::vector<T>& specials, size_t count, size_t operand, uint64_t seed) {
  std::mt19937_64 random(seed * 7919 + operand);
  std::vector<T> values(count);
  // Small sizes see other specials with each seed.
  const size_t start = count < 1000 ? seed * 37 : 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = start + i, size = specials.size();
    // Operands 1 and 2 step through their specials at other paces, so that all pairs with operand 0 meet.
    const size_t index = (operand == 0 ? at : operand == 1 ? at * 7 + at / size : at * 5 + at / size * 3) % size;
    values[i] =
        at < start + std::max(count / 2, std::min<size_t>(count, 32)) ? specials[index] : random_value<T>(random);
  }
  std::vector<std::byte> bytes(count * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <typename F>
auto with_type(Element element, F f) {
  switch (element) {
    case Element::u8:
      return f(uint8_t{});
    case Element::u16:
      return f(uint16_t{});
    case Element::u32:
      return f(uint32_t{});
    case Element::u64:
      return f(uint64_t{});
    case Element::s8:
      return f(int8_t{});
    case Element::s16:
      return f(int16_t{});
    case Element::s32:
      return f(int32_t{});
    case Element::s64:
      return f(int64_t{});
    case Element::f8:
      return f(Float8{});
    case Element::f8_e4m3fn:
      return f(Float8E4M3{});
    case Element::bf16:
      return f(Bfloat16{});
    case Element::f16:
      return f(Float16{});
    case Element::f32:
      return f(float{});
    case Element::f64:
      return f(double{});
    case Element::c64:
      return f(std::complex<float>{});
    case Element::c128:
      return f(std::complex<double>{});
    default:
      return f(nullptr);
  }
}

}  // namespace

std::vector<std::byte> operand_values(Element element, size_t bytes, size_t count, size_t operand, uint64_t seed) {
  return with_type(element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      return filled(float_specials<T>(), count, operand, seed);
    else if constexpr (oracle::kIsComplex<T>)
      return filled(complex_specials<typename T::value_type>(), count, operand, seed);
    else if constexpr (kIsNarrow<T>)
      return filled(narrow_specials<T>(), count, operand, seed);
    else if constexpr (std::is_integral_v<T>)
      return filled(integer_specials<T>(), count, operand, seed);
    else {
      std::vector<std::byte> raw(count * bytes);
      std::mt19937_64 random(seed + operand);
      for (std::byte& one : raw) one = static_cast<std::byte>(random());
      return raw;
    }
  });
}

namespace {

// The parts of a complex element.
std::optional<Element> part_of(Element element) {
  if (element == Element::c64) return Element::f32;
  if (element == Element::c128) return Element::f64;
  return std::nullopt;
}

}  // namespace

bool same_value(Element element, size_t bytes, const std::byte* a, const std::byte* b) {
  if (const auto part = part_of(element)) {
    const size_t half = bytes / 2;
    return same_value(*part, half, a, b) && same_value(*part, half, a + half, b + half);
  }
  if (std::memcmp(a, b, bytes) == 0) return true;
  return with_type(element, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<Promoted<T>>) {
      T x, y;
      std::memcpy(&x, a, sizeof x);
      std::memcpy(&y, b, sizeof y);
      return std::isnan(promoted(x)) && std::isnan(promoted(y));
    }
    return false;
  });
}

bool flush_subnormal(Element element, std::byte* value) {
  if (element == Element::c64) {
    const bool real = flush_subnormal(Element::f32, value);
    return flush_subnormal(Element::f32, value + 4) || real;
  }
  if (element != Element::f32 && element != Element::bf16) return false;
  const size_t bytes = element == Element::f32 ? 4 : 2;
  uint32_t bits = 0;  // bf16 is the upper half of an f32
  std::byte* upper = reinterpret_cast<std::byte*>(&bits) + 4 - bytes;
  std::memcpy(upper, value, bytes);
  if ((bits & 0x7f800000u) != 0 || (bits & 0x7fffffu) == 0) return false;
  bits &= 0x80000000u;
  std::memcpy(value, upper, bytes);
  return true;
}

bool all_equal(const std::vector<std::byte>& values, size_t bytes) {
  for (size_t at = bytes; at < values.size(); at += bytes) {
    if (std::memcmp(values.data(), values.data() + at, bytes) != 0) return false;
  }
  return true;
}

std::string shown(Element element, size_t bytes, const std::byte* value) {
  if (const auto part = part_of(element)) {
    return shown(*part, bytes / 2, value) + " + i · " + shown(*part, bytes / 2, value + bytes / 2);
  }
  std::string text = with_type(element, [&](auto zero) -> std::string {
    using T = decltype(zero);
    char line[64] = "";
    if constexpr (std::is_arithmetic_v<Promoted<T>>) {
      T x;
      std::memcpy(&x, value, sizeof x);
      if constexpr (std::is_floating_point_v<Promoted<T>>)
        std::snprintf(line, sizeof line, "%.17g", static_cast<double>(promoted(x)));
      else
        return std::to_string(x);
    }
    return line;
  });
  text += " (0x";
  for (size_t i = bytes; i-- > 0;) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(value[i]));
    text += digits;
  }
  return text + ")";
}

}  // namespace nxv
