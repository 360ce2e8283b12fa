#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/ops/op.h"

namespace nxv::cli {

// A tensor in host memory: row-major, little-endian.
struct HostTensor {
  TensorSpec spec;
  std::vector<std::byte> bytes;
};

// Every type of the table, in its order.
std::span<const Type> all_types();

// As parse_type, without an exception.
std::optional<Type> type_named(std::string_view name);

// An element is one number, or two where it is complex: its real and its imaginary part.
size_t parts_of(Type type);

// A number read from memory: an integer exactly, or a float of any width as a double (exact as well).
struct Number {
  bool floating = false;
  __int128 integer = 0;
  double real = 0;

  bool is_nan() const { return floating && real != real; }
  double as_double() const { return floating ? real : static_cast<double>(integer); }
};

// Part `index` of a tensor's elements, counted through.
Number part_at(Type type, std::span<const std::byte> bytes, size_t index);

// The bits of that part.
uint64_t part_bits(Type type, std::span<const std::byte> bytes, size_t index);

// Appends a number: integers keep their low bits, floats are rounded to nearest.
void append_part(Type type, const Number& number, std::vector<std::byte>& bytes);

// Elements narrower than a byte, appended as one each, as they lie in memory.
std::vector<std::byte> packed_bits(Type type, std::span<const std::byte> values);

// As a person reads it; floats with as many digits as tell them apart.
std::string to_text(const Number& number);

}  // namespace nxv::cli
