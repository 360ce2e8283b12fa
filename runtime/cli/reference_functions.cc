// Real functions as doubles, near enough to decide nearly every rounding to f32: a line a function.

#include <bit>
#include <cmath>
#include <numbers>

#include "runtime/cli/reference.h"

namespace nxv::cli {

namespace {

using In = std::span<const double>;

double sigmoid(double x) { return x < -40 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

// Winitzki's formula, good to 2^-8, then Halley's steps; by erfc where erf has no digits left.
double erf_inv(double x) {
  const double a = std::fabs(x), rest = 1 - a;
  if (!(a < 1)) return a == 1 ? std::copysign(HUGE_VAL, x) : NAN;
  if (a < 0x1p-40) return x / (2 * std::numbers::inv_sqrtpi) * 1.0;
  const double l = std::log1p(-a * a), k = 2 / (std::numbers::pi * 0.147) + l / 2;
  double y = std::sqrt(std::sqrt(k * k - l / 0.147) - k);
  for (int step = 0; step < 4; ++step) {
    const double error = a < 0.5 ? std::erf(y) - a : rest - std::erfc(y);
    const double u = error / (2 * std::numbers::inv_sqrtpi * std::exp(-y * y));
    y -= u / (1 + y * u);
  }
  return std::copysign(y, x);
}

// The recurrence up to 16, then the asymptotic series with Bernoulli's numbers; reflected for negative arguments.
double digamma(double x) {
  if (std::isnan(x) || x == -HUGE_VAL) return NAN;
  if (x == 0) return std::copysign(HUGE_VAL, -x);
  if (x < 0) {
    const double part = x - std::round(x);
    if (part == 0) return NAN;
    return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * part);
  }
  double sum = 0;
  for (; x < 16; x += 1) sum -= 1 / x;
  const double t = 1 / (x * x);
  const double series =
      t *
      (1.0 / 12 - t * (1.0 / 120 - t * (1.0 / 252 - t * (1.0 / 240 - t * (1.0 / 132 - t * (691.0 / 32760 - t / 12))))));
  return sum + std::log(x) - 0.5 / x - series;
}

double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

#define NXV_ONE(expression) \
  1, [](In in) -> double {  \
    const double x = in[0]; \
    return expression;      \
  }
#define NXV_TWO(expression)            \
  2, [](In in) -> double {             \
    const double x = in[0], y = in[1]; \
    return expression;                 \
  }

constexpr RealFunction kReal[] = {
    {"acos", NXV_ONE(std::acos(x))},
    {"acosh", NXV_ONE(std::acosh(x))},
    {"asin", NXV_ONE(std::asin(x))},
    {"asinh", NXV_ONE(std::asinh(x))},
    {"atan", NXV_ONE(std::atan(x))},
    {"atan2", NXV_TWO(std::atan2(x, y))},
    {"atanh", NXV_ONE(std::atanh(x))},
    {"cbrt", NXV_ONE(std::cbrt(x))},
    {"cos", NXV_ONE(std::cos(x))},
    {"cosh", NXV_ONE(std::cosh(x))},
    {"digamma", NXV_ONE(digamma(x)), 0x1p-44},
    {"erf", NXV_ONE(std::erf(x))},
    {"erf_inv", NXV_ONE(erf_inv(x))},
    {"erfc", NXV_ONE(std::erfc(x))},
    {"exp", NXV_ONE(std::exp(x))},
    {"expm1", NXV_ONE(std::expm1(x))},
    {"lgamma", NXV_ONE(log_gamma(x))},
    {"log", NXV_ONE(std::log(x))},
    {"log1p", NXV_ONE(std::log1p(x))},
    {"logistic", NXV_ONE(sigmoid(x))},
    {"pow", NXV_TWO(std::pow(x, y))},
    {"rsqrt", NXV_ONE(1 / std::sqrt(x))},
    {"sigmoid", NXV_ONE(sigmoid(x))},
    {"sin", NXV_ONE(std::sin(x))},
    {"sinh", NXV_ONE(std::sinh(x))},
    {"tan", NXV_ONE(std::tan(x))},
    {"tanh", NXV_ONE(std::tanh(x))},
};

constexpr HardPoint kHardPoints[] = {
#define NXV_HARD_POINT(op, argument, value) {op, argument, value},
#include "runtime/cli/hard_points.inc"
#undef NXV_HARD_POINT
};

}  // namespace

const RealFunction* find_real(std::string_view op) {
  for (const RealFunction& function : kReal) {
    if (function.op == op) return &function;
  }
  return nullptr;
}

double rounded_to_odd(const PreciseValue& value) {
  if (value.rest == 0 || !std::isfinite(value.nearest) || std::bit_cast<uint64_t>(value.nearest) & 1) {
    return value.nearest;
  }
  return std::nextafter(value.nearest, value.rest > 0 ? HUGE_VAL : -HUGE_VAL);
}

std::span<const HardPoint> hard_points() { return kHardPoints; }

}  // namespace nxv::cli
