// The f32 functions of kernels/lib against the host's double functions. `NXV_MATH_STEP=1` takes every one of the 2³²
// arguments instead of each 8191st, on all cores; 31 each 31st. The greatest error and the share of correctly rounded
// results are printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "test/cpp/support/oracle_table.h"

namespace nxv {
namespace {

struct Error {
  double ulp = 0;
  float a = 0, b = 0, got = 0;
  uint64_t count = 0, rounded = 0;

  void add(const Error& other) {
    count += other.count;
    rounded += other.rounded;
    if (other.ulp > ulp) ulp = other.ulp, a = other.a, b = other.b, got = other.got;
  }
};

// In steps of f32 where `want` lies, or the larger term of the difference that it is. Infinity counts as 2¹²⁸; a wrong
// NaN or a wrong sign of zero as infinitely wrong.
double ulps(float got, double want, double term) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  const auto rounded = static_cast<float>(want);
  if (got == rounded) return got != 0 || std::signbit(got) == std::signbit(want) ? 0 : INFINITY;
  if (std::isinf(want)) return INFINITY;
  const double reached = std::isinf(got) ? std::copysign(0x1p128, got) : got;
  const double larger = std::max(std::fabs(want), term);
  const int exponent = larger == 0 ? -126 : std::max(std::min(std::ilogb(larger), 127), -126);
  return std::fabs(reached - want) / std::ldexp(1.0, exponent - 23);
}

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);

float call(const OracleRow& row, float a, float b) {
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(&a), reinterpret_cast<const std::byte*>(&b)};
  float z;
  row.apply(inputs, reinterpret_cast<std::byte*>(&z));
  return z;
}

void measure(const OracleRow& row, float a, float b, double want, Error& error, double term = 0) {
  const float got = call(row, a, b);
  const double ulp = ulps(got, want, term);
  ++error.count;
  if (ulp == 0) ++error.rounded;
  if (ulp > error.ulp) error = {ulp, a, b, got, error.count, error.rounded};
}

constexpr uint64_t kUsualStep = 8191;  // prime to 2³², so that the sample has all exponents and endings
uint64_t argument_step() {
  const char* step = std::getenv("NXV_MATH_STEP");
  return step ? std::max(std::atoi(step), 1) : kUsualStep;
}

void report(const OracleRow& row, const Error& error) {
  std::printf("%s: %.4f ULP at (%a, %a) = %a, %.4f %% of %llu correctly rounded\n", row.op.data(), error.ulp, error.a,
              error.b, error.got, 100.0 * static_cast<double>(error.rounded) / static_cast<double>(error.count),
              static_cast<unsigned long long>(error.count));
}

struct Unary {
  const char* op;
  Function1 truth;
  bool difference = false;  // left of 0, of terms one of which is that of the opposite argument
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double erf_inv(double x) {
  if (!(std::fabs(x) < 1)) return std::fabs(x) == 1 ? x * INFINITY : NAN;
  if (std::fabs(x) < 1e-9) return x * 0.88622692545275801365;
  const double w = -std::log((1 - x) * (1 + x));
  const double t = 2 / (3.14159265358979323846 * 0.147) - w / 2;  // Winitzki's approximation, good to 0.002
  double y = std::copysign(std::sqrt(std::sqrt(t * t + w / 0.147) - t), x);
  for (int i = 0; i < 4; ++i) {
    const double rest =
        std::fabs(x) < 0.5 ? std::erf(y) - x : (1 - std::fabs(x) - std::erfc(std::fabs(y))) * (x < 0 ? -1 : 1);
    const double step = rest * 0.88622692545275801365 * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return y;
}

double lgamma(double x) {
  int sign;  // std::lgamma writes a global
  return static_cast<double>(lgammal_r(x, &sign));
}
// The recurrence up to 24 and Bernoulli's numbers in long double; reflected left of 0.
double digamma(double x) {
  if (std::isnan(x) || x == -INFINITY) return NAN;
  if (x == 0 || x == INFINITY) return x == 0 ? std::copysign(INFINITY, -x) : x;
  constexpr long double kPi = 3.14159265358979323846264338327950288L;
  const long double rest = x - std::round(x), size = std::fabs(x);
  if (x < 0 && rest == 0) return NAN;
  long double sum = x < 0 ? 1 / size - kPi / std::tan(kPi * rest) : 0, y = size;
  for (; y < 24; ++y) sum -= 1 / y;
  constexpr long double kTerms[] = {1 / 12.0L,  -1 / 120.0L,     1 / 252.0L, -1 / 240.0L,
                                    1 / 132.0L, -691 / 32760.0L, 1 / 12.0L,  -3617 / 8160.0L};
  long double power = 1;
  for (const long double term : kTerms) sum -= term * (power /= y * y);
  return static_cast<double>(sum + std::log(y) - 0.5L / y);
}

constexpr Unary kUnary[] = {
    {"exp", std::exp},    {"expm1", std::expm1}, {"log", std::log},        {"log1p", std::log1p},
    {"sin", std::sin},    {"cos", std::cos},     {"tan", std::tan},        {"asin", std::asin},
    {"acos", std::acos},  {"atan", std::atan},   {"sinh", std::sinh},      {"cosh", std::cosh},
    {"tanh", std::tanh},  {"asinh", std::asinh}, {"acosh", std::acosh},    {"atanh", std::atanh},
    {"sigmoid", sigmoid}, {"rsqrt", rsqrt},      {"cbrt", std::cbrt},      {"erf", std::erf},
    {"erfc", std::erfc},  {"erf_inv", erf_inv},  {"lgamma", lgamma, true}, {"digamma", digamma, true}};

Error unary_errors(const OracleRow& row, const Unary& function) {
  const auto measure_at = [&](float a, Error& error) {
    const bool difference = function.difference && a < 0 && std::isfinite(a);
    measure(row, a, 0, function.truth(a), error, difference ? std::fabs(function.truth(-a)) : 0);
  };
  const uint64_t step = argument_step(), chunk = uint64_t{1} << 24;
  Error total;
  std::mutex mutex;
  std::atomic<uint64_t> next{0};
  const auto work = [&] {
    Error error;
    for (uint64_t first; (first = next.fetch_add(chunk)) < uint64_t{1} << 32;) {
      for (uint64_t bits = (first + step - 1) / step * step; bits < first + chunk; bits += step) {
        const float a = std::bit_cast<float>(static_cast<uint32_t>(bits));
        measure_at(a, error);
      }
    }
    const std::lock_guard lock(mutex);
    total.add(error);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < (step < kUsualStep ? std::thread::hardware_concurrency() : 1); ++i)
    threads.emplace_back(work);
  for (std::thread& one : threads) one.join();
  std::mt19937_64 random(1);
  for (const double unit : {1.57079632679489661923, 1.0, 0.34657359027997265}) {
    for (int k = -40000; k <= 40000; ++k) {
      const double middle = k * unit * (k % 3 == 0 ? 1 : k % 3 == 1 ? 16 : 0.03125);
      measure_at(static_cast<float>(middle), total);
    }
  }
  return total;
}

class UnaryMath : public testing::TestWithParam<Unary> {};

TEST_P(UnaryMath, StaysWithinItsBound) {
  const OracleRow* row = find_oracle("map1", GetParam().op, "f32");
  ASSERT_NE(row, nullptr);
  const Error error = unary_errors(*row, GetParam());
  report(*row, error);
  EXPECT_LE(error.ulp, row->ulp) << row->op << "(" << error.a << ") is not " << error.got;
  EXPECT_GT(row->ulp, 0);
  EXPECT_GT(static_cast<double>(error.rounded), 0.7 * static_cast<double>(error.count));
}

INSTANTIATE_TEST_SUITE_P(Functions, UnaryMath, testing::ValuesIn(kUnary),
                         [](const auto& name) { return std::string(name.param.op); });

// The limits of the functions and of the ranges that are computed in one way each, with their neighbours.
TEST(GammaMath, TurnsWhereItShould) {
  for (const Unary& function : {Unary{"lgamma", lgamma, true}, Unary{"digamma", digamma, true}}) {
    const OracleRow* row = find_oracle("map1", function.op, "f32");
    ASSERT_NE(row, nullptr);
    Error error;
    for (const double middle : {0x1p-40,
                                0.25,
                                0.5,
                                0.75,
                                1.0,
                                1.25,
                                1.46163214496836,
                                1.75,
                                2.0,
                                2.5,
                                8.5,
                                0x1p22,
                                0x1p23,
                                1e10,
                                0x1p40,
                                4.0850033e36,
                                0x1p-126,
                                0x1p-149,
                                2.4570247382208006,
                                0.5040830082644554}) {
      for (int step = -300; step <= 300; ++step) {
        const float size = std::bit_cast<float>(static_cast<uint32_t>(
            std::max(static_cast<int>(std::bit_cast<uint32_t>(static_cast<float>(middle))) + step, 0)));
        measure(*row, size, 0, function.truth(size), error);
        measure(*row, -size, 0, function.truth(-size), error, std::fabs(function.truth(size)));
      }
    }
    report(*row, error);
    EXPECT_LE(error.ulp, 1) << row->op << "(" << error.a << ") is not " << error.got;
    EXPECT_GT(error.rounded * 100, error.count * 96);
  }
}

TEST(GammaMath, IsThatOfF64WhereItIsSpecial) {
  for (const char* op : {"lgamma", "digamma"}) {
    const OracleRow *narrow = find_oracle("map1", op, "f32"), *wide = find_oracle("map1", op, "f64");
    ASSERT_TRUE(narrow && wide);
    for (const float size : {0.0f, 1.0f, 2.0f, 3.0f, 170.0f, 8388607.0f, 8388608.0f, 1e30f, 0x1.fffffep127f, 0x1p-149f,
                             0x1p-128f, 0x1p-127f, 0x1p-41f, INFINITY, NAN}) {
      for (const float a : {size, -size}) {
        const double exact = a;
        const std::byte* input = reinterpret_cast<const std::byte*>(&exact);
        double want;
        wide->apply(&input, reinterpret_cast<std::byte*>(&want));
        EXPECT_EQ(ulps(call(*narrow, a, 0), want, 0), 0) << op << "(" << a << ") is not " << want;
      }
    }
  }
}

struct Binary {
  const char* op;
  Function2 truth;
};
constexpr Binary kBinary[] = {{"pow", std::pow}, {"atan2", std::atan2}};

class BinaryMath : public testing::TestWithParam<Binary> {};

// Bit patterns, numbers of ordinary size, powers whose result is near the limits, and all pairs of special values.
TEST_P(BinaryMath, StaysWithinItsBound) {
  const OracleRow* row = find_oracle("map2", GetParam().op, "f32");
  ASSERT_NE(row, nullptr);
  const Function2 truth = GetParam().truth;
  std::mt19937_64 random(1);
  Error error;
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const auto add = [&](double x, double y) {
    const auto a = static_cast<float>(x), b = static_cast<float>(y);
    measure(*row, a, b, truth(a, b), error);
  };
  for (uint64_t i = 0; i < (uint64_t{1} << 31) / argument_step(); ++i) {
    add(std::bit_cast<float>(static_cast<uint32_t>(random())), std::bit_cast<float>(static_cast<uint32_t>(random())));
    add(20 * unit() - 10, 20 * unit() - 10);
    const double base = i % 2 ? std::exp2(256 * unit() - 128) : 1 + (unit() - 0.5) * std::exp2(-24 * unit());
    add(base, (unit() * 300 - 150) / std::log2(base));
    add(std::round(unit() * 40 - 20), std::round(unit() * 40 - 20) / 2);
  }
  const double specials[] = {0,         1,           2,           3,       0.5,  1.5,      NAN,
                             INFINITY,  0x1p-149,    0x1p-126,    8388609, 1e30, 16777216, 1e-30,
                             0x1.fp127, 1 + 0x1p-23, 1 - 0x1p-24, 127,     128,  149};
  for (const double a : specials) {
    for (const double b : specials) {
      for (int signs = 0; signs < 4; ++signs) add(signs & 1 ? -a : a, signs & 2 ? -b : b);
    }
  }
  report(*row, error);
  EXPECT_LE(error.ulp, row->ulp) << row->op << "(" << error.a << ", " << error.b << ") is not " << error.got;
  EXPECT_GT(row->ulp, 0);
}

INSTANTIATE_TEST_SUITE_P(Functions, BinaryMath, testing::ValuesIn(kBinary),
                         [](const auto& name) { return std::string(name.param.op); });

}  // namespace
}  // namespace nxv
