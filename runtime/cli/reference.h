#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/cli/codec.h"

namespace nxv::cli {

// What the host knows of an elementwise op, of either kind.

// The result itself: integers, or a double that rounds to the right float of the output's type (its own rounding, if
// any, does no harm to narrower types).
using ExactFunction = Number (*)(std::span<const Number> in, const Codec& operand, const Codec& out);

ExactFunction find_exact(std::string_view op);

// A real function. `near` is within 2^-45 of the value, relative, or within `absolute`; null where only MPFR has it.
struct RealFunction {
  std::string_view op;
  size_t operands = 1;
  double (*near)(std::span<const double> in) = nullptr;
  double absolute = 0;
};

const RealFunction* find_real(std::string_view op);

// A value to many bits, seen from the nearest double.
struct PreciseValue {
  double nearest = 0;  // ties to even
  double rest = 0;     // value - nearest, in ULP of f64
};

// By MPFR, where the program was built with it.
bool has_precise(std::string_view op);
// Nothing where it cannot be decided which double is nearest, or without MPFR.
std::optional<PreciseValue> precise_value(std::string_view op, std::span<const double> in);
// To be called by a thread that used it and ends.
void forget_precise_caches();

// A function of complex numbers by MPC, where the program was built with it. Numbers are pairs, the real part first.
bool has_complex(std::string_view op);

struct ComplexValue {
  double nearest[2]{};  // of each part; NaN and infinities as C99's Annex G has them
  double odd[2]{};      // rounded to odd
  double magnitude = 0;
  double distance = 0;  // from `got`; of finite numbers
};
// `got` is the result to be judged.
ComplexValue complex_value(std::string_view op, std::span<const double> in, std::span<const double, 2> got);

// The value as a double rounded to odd: rounding it to a narrower type is the only rounding.
double rounded_to_odd(const PreciseValue& value);

// Arguments whose values lie so near to the middle of two doubles, or are so special, that approximations go wrong.
struct HardPoint {
  std::string_view op;
  uint64_t argument;
  uint64_t value;  // correctly rounded
};
std::span<const HardPoint> hard_points();

}  // namespace nxv::cli
