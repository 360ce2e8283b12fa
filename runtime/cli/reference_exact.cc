// Ops whose results are exact or rounded once: the numeric contract in plain C++, by op.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "runtime/cli/reference.h"

namespace nxv::cli {

namespace {

using In = std::span<const Number>;
using Wide = unsigned __int128;

Number whole(__int128 value) { return {.integer = value}; }
Number real(double value) { return {.floating = true, .real = value}; }
Number truth(bool value) { return whole(value ? 1 : 0); }
Number wrapped(Wide value) { return whole(static_cast<__int128>(value)); }
Wide wide(const Number& number) { return static_cast<Wide>(number.integer); }
bool nonzero(const Number& a) { return a.floating ? a.real != 0 : a.integer != 0; }

// NaN is less, equal and greater than nothing.
bool less(const Number& a, const Number& b) { return a.floating ? a.real < b.real : a.integer < b.integer; }
bool equal(const Number& a, const Number& b) { return a.floating ? a.real == b.real : a.integer == b.integer; }

Number max_of(const Number& a, const Number& b) {
  if (a.is_nan() || b.is_nan()) return real(std::numeric_limits<double>::quiet_NaN());
  if (a.floating && a.real == b.real) return std::signbit(a.real) ? b : a;
  return less(a, b) ? b : a;
}
Number min_of(const Number& a, const Number& b) {
  if (a.is_nan() || b.is_nan()) return real(std::numeric_limits<double>::quiet_NaN());
  if (a.floating && a.real == b.real) return std::signbit(a.real) ? a : b;
  return less(b, a) ? b : a;
}

Number sign(const Number& a) {
  if (!a.floating) return whole((a.integer > 0) - (a.integer < 0));
  return a.is_nan() || a.real == 0 ? a : real(std::copysign(1.0, a.real));
}

bool past_width(const Number& amount, const Codec& type) {
  return amount.integer < 0 || amount.integer >= static_cast<__int128>(type.info().bits);
}

Number power(const Number& base, const Number& exponent) {
  if (exponent.integer < 0) {
    if (base.integer == 1 || base.integer == -1) return whole(exponent.integer % 2 == 0 ? 1 : base.integer);
    return whole(0);
  }
  uint64_t result = 1, factor = static_cast<uint64_t>(base.integer);
  for (auto left = static_cast<uint64_t>(exponent.integer); left != 0; left >>= 1, factor *= factor) {
    if (left & 1) result *= factor;
  }
  return whole(static_cast<__int128>(result));
}

Number quotient(const Number& a, const Number& b) { return b.integer == 0 ? whole(-1) : whole(a.integer / b.integer); }

Number remainder(const Number& a, const Number& b) {
  if (a.floating) return real(std::fmod(a.real, b.real));
  return b.integer == 0 ? a : whole(a.integer % b.integer);
}

// Truncates, then saturates; NaN gives 0.
Number integer_of(double value, const TypeInfo& type) {
  if (std::isnan(value)) return whole(0);
  const bool is_signed = type.kind == Kind::sint;
  const auto limit = static_cast<__int128>(1) << (type.bits - (is_signed ? 1 : 0));
  const __int128 least = is_signed ? -limit : 0;
  if (value >= std::ldexp(1.0, static_cast<int>(type.bits - (is_signed ? 1 : 0)))) return whole(limit - 1);
  if (value <= static_cast<double>(least)) return whole(least);
  return whole(static_cast<__int128>(value));
}

Number as_type(In in, const Codec&, const Codec& out) {
  return in[0].floating && !out.floating() ? integer_of(in[0].real, out.info()) : in[0];
}

Number leading_zeros(In in, const Codec& type, const Codec&) {
  auto bits = static_cast<uint64_t>(in[0].integer) & type.mask();
  return whole(std::countl_zero(bits) - (64 - static_cast<int>(type.info().bits)));
}

Number ones(In in, const Codec& type, const Codec&) {
  return whole(std::popcount(static_cast<uint64_t>(in[0].integer) & type.mask()));
}

Number left_shift(In in, const Codec& type, const Codec&) {
  return past_width(in[1], type) ? whole(0) : wrapped(wide(in[0]) << static_cast<int>(in[1].integer));
}

Number right_shift(In in, const Codec& type, const Codec&) {
  if (past_width(in[1], type)) return whole(in[0].integer < 0 ? -1 : 0);
  return whole(in[0].integer >> static_cast<int>(in[1].integer));
}

#define NXV_EXACT(expression) [](In in, const Codec&, const Codec&) -> Number { return expression; }

constexpr std::pair<std::string_view, ExactFunction> kExact[] = {
    {"abs", NXV_EXACT(in[0].floating      ? real(std::fabs(in[0].real))
                      : in[0].integer < 0 ? whole(-in[0].integer)
                                          : in[0])},
    {"add", NXV_EXACT(in[0].floating ? real(in[0].real + in[1].real) : wrapped(wide(in[0]) + wide(in[1])))},
    {"as_type", as_type},
    {"bitwise_and", NXV_EXACT(whole(in[0].integer& in[1].integer))},
    {"bitwise_not", NXV_EXACT(whole(~in[0].integer))},
    {"bitwise_or", NXV_EXACT(whole(in[0].integer | in[1].integer))},
    {"bitwise_xor", NXV_EXACT(whole(in[0].integer ^ in[1].integer))},
    {"ceil", NXV_EXACT(in[0].floating ? real(std::ceil(in[0].real)) : in[0])},
    {"clip", NXV_EXACT(min_of(max_of(in[0], in[1]), in[2]))},
    {"count_leading_zeros", leading_zeros},
    {"divide", NXV_EXACT(real(in[0].real / in[1].real))},
    {"equal", NXV_EXACT(truth(equal(in[0], in[1])))},
    {"floor", NXV_EXACT(in[0].floating ? real(std::floor(in[0].real)) : in[0])},
    {"greater", NXV_EXACT(truth(less(in[1], in[0])))},
    {"greater_equal", NXV_EXACT(truth(less(in[1], in[0]) || equal(in[0], in[1])))},
    {"identity", NXV_EXACT(in[0])},
    {"is_infinity", NXV_EXACT(truth(std::isinf(in[0].real)))},
    {"is_nan", NXV_EXACT(truth(in[0].is_nan()))},
    {"left_shift", left_shift},
    {"less", NXV_EXACT(truth(less(in[0], in[1])))},
    {"less_equal", NXV_EXACT(truth(less(in[0], in[1]) || equal(in[0], in[1])))},
    {"logical", NXV_EXACT(truth(nonzero(in[0])))},
    {"logical_and", NXV_EXACT(truth(nonzero(in[0]) && nonzero(in[1])))},
    {"logical_not", NXV_EXACT(truth(!nonzero(in[0])))},
    {"logical_or", NXV_EXACT(truth(nonzero(in[0]) || nonzero(in[1])))},
    {"logical_xor", NXV_EXACT(truth(nonzero(in[0]) != nonzero(in[1])))},
    {"max", NXV_EXACT(max_of(in[0], in[1]))},
    {"min", NXV_EXACT(min_of(in[0], in[1]))},
    {"multiply", NXV_EXACT(in[0].floating ? real(in[0].real* in[1].real) : wrapped(wide(in[0]) * wide(in[1])))},
    {"negate", NXV_EXACT(in[0].floating ? real(-in[0].real) : whole(-in[0].integer))},
    {"not_equal", NXV_EXACT(truth(!equal(in[0], in[1])))},
    {"population_count", ones},
    {"quotient", NXV_EXACT(quotient(in[0], in[1]))},
    {"remainder", NXV_EXACT(remainder(in[0], in[1]))},
    {"right_shift", right_shift},
    {"round", NXV_EXACT(in[0].floating ? real(std::round(in[0].real)) : in[0])},
    {"select", NXV_EXACT(nonzero(in[0]) ? in[1] : in[2])},
    {"sign", NXV_EXACT(sign(in[0]))},
    {"sqrt", NXV_EXACT(real(std::sqrt(in[0].real)))},
    {"subtract", NXV_EXACT(in[0].floating ? real(in[0].real - in[1].real) : wrapped(wide(in[0]) - wide(in[1])))},
    {"pow", NXV_EXACT(power(in[0], in[1]))},  // of integers
};

}  // namespace

ExactFunction find_exact(std::string_view op) {
  for (const auto& [name, function] : kExact) {
    if (name == op) return function;
  }
  return nullptr;
}

}  // namespace nxv::cli
