#pragma once

#include <optional>
#include <string>

#include "runtime/cli/element.h"

namespace nxv::cli {

// How close an output must be.
struct Tolerance {
  enum class Kind { exact_bytes, exact_numbers, ulp, rel };
  Kind kind = Kind::exact_bytes;
  double value = 0;
  double abs = 0;
  bool zero_sign = false;  // exact_numbers: -0 and 0 differ
  bool larger = false;     // rel: value * |want| or abs, whichever is larger, instead of their sum
};

// Nothing where `got` is what was wanted; else one line: the first element that differs, what came and what was wanted.
std::optional<std::string> difference(const HostTensor& got, const HostTensor& want, const Tolerance& tolerance);

}  // namespace nxv::cli
