#pragma once

// The references of all elementwise ops, one row an (op, types), made from the catalog.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nxv {

// How an element is looked at: the C++ type that the catalog's table gives it.
enum class Element { u8, u16, u32, u64, s8, s16, s32, s64, f8, f8_e4m3fn, bf16, f16, f32, f64, c64, c128, bits128 };

struct OracleRow {
  std::string_view family, op, types;
  std::vector<Element> inputs;
  std::vector<size_t> input_bytes;
  Element out;
  size_t out_bytes;
  std::string_view domain;
  double ulp;
  // One element of each input to one element of the output.
  void (*apply)(const std::byte* const* inputs, std::byte* out);
};

std::span<const OracleRow> oracle_rows();
const OracleRow* find_oracle(std::string_view family, std::string_view op, std::string_view types);

}  // namespace nxv
