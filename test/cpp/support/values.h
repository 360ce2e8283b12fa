#pragma once

// Operands for sweeps, and comparisons of results.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "test/cpp/support/oracle_table.h"

namespace nxv {

// `count` elements. The first ones are special: zeros, limits, NaN, infinities, subnormals, halves; operand k of
// several walks through its specials so that all pairs meet. The rest is random, half of it bit patterns, half of
// ordinary size.
std::vector<std::byte> operand_values(Element element, size_t bytes, size_t count, size_t operand, uint64_t seed);

// Equal bits; any NaN equals any other.
bool same_value(Element element, size_t bytes, const std::byte* a, const std::byte* b);

// For devices that flush subnormals: `value` with a subnormal f32 or bf16 made a zero of its sign. True where it was
// one.
bool flush_subnormal(Element element, std::byte* value);

bool all_equal(const std::vector<std::byte>& values, size_t bytes);
std::string shown(Element element, size_t bytes, const std::byte* value);

}  // namespace nxv
