#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/cli/launch.h"

namespace nxv::cli {

// Which numbers a kernel gets.
enum class Values {
  ordinary,   // and special ones; nothing that is, or can become by one operation, a subnormal f32
  subnormal,  // subnormals, the smallest normal numbers and some ordinary ones
};

// Whether the type has numbers that a device may flush when it computes: the exponents of f32.
bool has_f32_exponents(Type type);

// Numbers that depend on nothing but `name` and the arguments: the same on every host.
class ValueSource {
 public:
  ValueSource(std::string_view name, uint64_t number, Values values);

  struct Style {
    bool near_one = false;      // factors whose products neither overflow nor vanish
    bool special = true;        // NaN, infinities, zeros, limits among them
    bool first_special = true;  // false: the first number is not one of them, since it stands for a whole operand
  };
  std::vector<std::byte> take(ElementKind kind, int64_t count, Style style);
  std::vector<std::byte> take(ElementKind kind, int64_t count) { return take(kind, count, {}); }

  uint64_t next();

 private:
  int64_t between(int64_t low, int64_t high);
  double real(Type type, const Style& style);
  double special_real(Type type);
  __int128 whole(Type type);

  uint64_t state_;
  Values values_;
};

}  // namespace nxv::cli
