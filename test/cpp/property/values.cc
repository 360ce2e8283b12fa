#include "test/cpp/property/values.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "runtime/ops/float_format.h"
#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/oracle_functions.h"
#include "test/cpp/support/values.h"
#include "test/cpp/support/visit_type.h"

namespace nxv::property {
namespace {

// `count` elements of what `next(T{})` gives for each, and for each part of complex ones.
template <typename Next>
Bytes filled(Type type, int64_t count, Next next) {
  Bytes bytes;
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> values(static_cast<size_t>(count));
    for (T& value : values) {
      if constexpr (oracle::kIsComplex<T>) {
        const auto real = next(typename T::value_type{}), imaginary = next(typename T::value_type{});
        value = T(real, imaginary);
      } else {
        value = next(T{});
      }
    }
    bytes = bytes_of(values);
  });
  return bytes;
}

template <typename Keep>
std::vector<Type> types_where(Keep keep) {
  std::vector<Type> types;
  const uint32_t caps = device_info(*test_device()).traits.caps;
  for (Type type : kAllTypes) {
    const TypeInfo& info = type_info(type);
    if (info.bits >= 8 && (info.caps & ~caps) == 0 && keep(info.kind)) types.push_back(type);
  }
  return types;
}

}  // namespace

std::vector<Type> device_types() {
  return types_where([](Kind) { return true; });
}
std::vector<Type> real_types() {
  return types_where([](Kind kind) { return kind != Kind::complex; });
}
std::vector<Type> integer_types() {
  return types_where([](Kind kind) { return kind == Kind::uint || kind == Kind::sint; });
}

Element element_of(Type type) {
  static constexpr std::array kNames{"u8", "u16",       "u32",  "u64", "s8",  "s16", "s32", "s64",
                                     "f8", "f8_e4m3fn", "bf16", "f16", "f32", "f64", "c64", "c128"};
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (type_info(type).name == kNames[i]) return static_cast<Element>(i);
  }
  throw std::runtime_error("no element of this type");
}

Bytes special_values(Draw& draw, Type type, int64_t count) {
  return operand_values(element_of(type), type_bytes(type), static_cast<size_t>(count),
                        static_cast<size_t>(draw.below(3)), draw.seed());
}

Bytes ordinary_values(Draw& draw, Type type, int64_t count, int64_t rare) {
  return filled(type, count, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(draw.one_in(2) ? draw.bits() : static_cast<uint64_t>(draw.between(-9, 9)));
    } else {
      static const std::vector<double> kSpecial{0.0, -0.0, INFINITY, -INFINITY, NAN};
      const double number = draw.one_in(rare) ? draw.any(kSpecial) : static_cast<double>(draw.between(-2000, 2000)) / 8;
      return static_cast<T>(static_cast<Promoted<T>>(number));
    }
  });
}

Bytes numbers(Type type, int64_t count, const std::function<double()>& next) {
  return filled(type, count, [&](auto zero) {
    using T = decltype(zero);
    return static_cast<T>(static_cast<Promoted<T>>(next()));
  });
}

Bytes whole_values(Draw& draw, Type type, int64_t count, int64_t most) {
  const int64_t least = type_info(type).kind == Kind::uint ? 0 : -most;
  return numbers(type, count, [&] { return static_cast<double>(draw.between(least, most)); });
}

Bytes factors(Draw& draw, Type type, int64_t count) {
  return filled(type, count, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(draw.bits() | 1);
    } else {
      // Parts of a complex number have a magnitude near 1 together.
      const bool part = type_info(type).kind == Kind::complex;
      const double number = static_cast<double>(part ? draw.between(60, 80) : draw.between(97, 103)) / 100;
      return static_cast<T>(static_cast<Promoted<T>>(number));
    }
  });
}

Bytes cast_values(const Bytes& values, Type from, Type to) {
  if (from == to) return values;
  const std::string types = std::string(type_info(from).name) + "-" + std::string(type_info(to).name);
  const OracleRow* row = find_oracle("cast", "as_type", types);
  if (!row) throw std::runtime_error("no cast " + types);
  const size_t count = values.size() / type_bytes(from);
  Bytes result(count * type_bytes(to));
  for (size_t i = 0; i < count; ++i) {
    const std::byte* at = values.data() + i * type_bytes(from);
    row->apply(&at, result.data() + i * type_bytes(to));
  }
  return result;
}

Bytes taken(const Bytes& values, Type type, const std::vector<int64_t>& places) {
  const size_t bytes = type_bytes(type);
  Bytes result(places.size() * bytes);
  for (size_t i = 0; i < places.size(); ++i) {
    std::memcpy(result.data() + i * bytes, values.data() + static_cast<size_t>(places[i]) * bytes, bytes);
  }
  return result;
}

std::optional<Scalar> scalar_of(Type type, const Bytes& element) {
  const TypeInfo& info = type_info(type);
  if (info.kind == Kind::complex) return std::nullopt;
  uint64_t bits = 0;
  std::memcpy(&bits, element.data(), info.bits / 8);
  if (is_float(type)) return Scalar{decode_float(bits, float_format(type))};
  if (info.kind == Kind::uint) return Scalar{bits};
  return Scalar{static_cast<int64_t>(bits << (64 - info.bits)) >> (64 - info.bits)};
}

}  // namespace nxv::property
