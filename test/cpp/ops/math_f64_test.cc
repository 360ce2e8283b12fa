// The f64 functions of kernels/lib, as the host computes them, against long double within the catalog's bound, and the
// values that IEEE 754 and C99 Annex F name. script/ulp_f64 looks at many more points, with MPFR.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "test/cpp/support/oracle_table.h"

namespace nxv {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

double call(const OracleRow& row, double a, double b) {
  const std::byte* inputs[] = {reinterpret_cast<const std::byte*>(&a), reinterpret_cast<const std::byte*>(&b)};
  double out = 0;
  row.apply(inputs, reinterpret_cast<std::byte*>(&out));
  return out;
}

const OracleRow* row_of(std::string_view op) {
  const OracleRow* row = find_oracle("map1", op, "f64");
  return row ? row : find_oracle("map2", op, "f64");
}

struct Truth {
  const char* op;
  long double (*of)(long double a, long double b);
  double low, high;  // where the function is neither trivial nor undefined
};

const Truth kTruths[] = {
    {"acos", [](long double a, long double) { return std::acos(a); }, -1, 1},
    {"acosh", [](long double a, long double) { return std::acosh(a); }, 1, 8},
    {"asin", [](long double a, long double) { return std::asin(a); }, -1, 1},
    {"asinh", [](long double a, long double) { return std::asinh(a); }, -50, 50},
    {"atan", [](long double a, long double) { return std::atan(a); }, -9, 9},
    {"atan2", [](long double a, long double b) { return std::atan2(a, b); }, -9, 9},
    {"atanh", [](long double a, long double) { return std::atanh(a); }, -1, 1},
    {"cbrt", [](long double a, long double) { return std::cbrt(a); }, -9, 9},
    {"cos", [](long double a, long double) { return std::cos(a); }, -100, 100},
    {"cosh", [](long double a, long double) { return std::cosh(a); }, -711, 711},
    {"erf", [](long double a, long double) { return std::erf(a); }, -6, 6},
    {"erfc", [](long double a, long double) { return std::erfc(a); }, -6, 28},
    {"exp", [](long double a, long double) { return std::exp(a); }, -746, 710},
    {"expm1", [](long double a, long double) { return std::expm1(a); }, -60, 710},
    {"lgamma", [](long double a, long double) { return std::lgamma(a); }, 0, 40},
    {"log", [](long double a, long double) { return std::log(a); }, 0, 3},
    {"log1p", [](long double a, long double) { return std::log1p(a); }, -1, 3},
    {"pow", [](long double a, long double b) { return std::pow(a, b); }, -9, 9},
    {"rsqrt", [](long double a, long double) { return 1 / std::sqrt(a); }, 0, 9},
    {"sigmoid", [](long double a, long double) { return 1 / (1 + std::exp(-a)); }, -746, 50},
    {"sin", [](long double a, long double) { return std::sin(a); }, -100, 100},
    {"sinh", [](long double a, long double) { return std::sinh(a); }, -711, 711},
    {"tan", [](long double a, long double) { return std::tan(a); }, -100, 100},
    {"tanh", [](long double a, long double) { return std::tanh(a); }, -22, 22},
};

// |got - truth| in steps of the format; infinite where one of them is NaN or infinite and the other isn't.
double steps(double got, long double truth) {
  const double rounded = static_cast<double>(truth);
  if (std::isnan(got) || std::isnan(rounded)) return std::isnan(got) && std::isnan(rounded) ? 0 : kInf;
  if (got == rounded) return got == 0 && truth == 0 && std::signbit(got) != std::signbit(truth) ? kInf : 0;
  if (std::isinf(got) || std::isinf(rounded)) return kInf;
  const int exponent = truth == 0 ? -1074 : std::max(std::ilogb(truth), -1022) - 52;
  return static_cast<double>(std::ldexp(std::fabs(got - truth), -exponent));
}

class MathF64Error : public testing::TestWithParam<Truth> {};

TEST_P(MathF64Error, ErrsByNoMoreThanTheCatalogSays) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "long double is no better than double here";
  const Truth& truth = GetParam();
  const OracleRow* row = row_of(truth.op);
  ASSERT_NE(row, nullptr) << truth.op;
  ASSERT_GE(row->ulp, 1) << truth.op;
  std::mt19937_64 random(7);
  double worst = 0, at = 0, with = 0;
  size_t inexact = 0;
  const auto value = [&](size_t i) {
    if (i % 4 == 0) return std::bit_cast<double>(random());
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    const double within = truth.low + (truth.high - truth.low) * share;
    return i % 4 == 1 ? std::ldexp(within, -static_cast<int>(random() % 60)) : within;
  };
  for (size_t i = 0; i < 60000; ++i) {
    const double a = value(i), b = value(i), got = call(*row, a, b);
    const double error = steps(got, truth.of(a, b));
    if (error > 0) ++inexact;
    if (error > worst) worst = error, at = a, with = b;
  }
  // The long doubles themselves err by some 2⁻¹⁰ of a step.
  EXPECT_LE(worst, row->ulp + 0.002) << truth.op << "(" << at << ", " << with << ")";
  EXPECT_GT(inexact, 0u) << "all results were rounded by the function that they are compared with";
}

INSTANTIATE_TEST_SUITE_P(Functions, MathF64Error, testing::ValuesIn(kTruths),
                         [](const auto& test) { return std::string(test.param.op); });

// erf_inv has no counterpart in the C library: erf takes it back, within what a step of the argument and of the result
// allow.
TEST(MathF64, TheErrorFunctionTakesItsInverseBack) {
  const OracleRow* row = row_of("erf_inv");
  ASSERT_NE(row, nullptr);
  std::mt19937_64 random(8);
  for (size_t i = 0; i < 60000; ++i) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    const double a = i % 2 ? 2 * share - 1 : 1 - std::exp2(-53 * share), got = call(*row, a, 0);
    const long double y = got, slope = 2 / std::sqrt(std::acos(-1.0L)) * std::exp(-y * y);
    const long double residue =
        a > 0.5 ? (1 - static_cast<long double>(a)) - std::erfc(y) : std::erf(y) - static_cast<long double>(a);
    ASSERT_LE(std::fabs(residue / slope), 2.01L * std::ldexp(1.0L, std::ilogb(y) - 52)) << "erf_inv(" << a << ")";
  }
}

struct Special {
  const char* op;
  double a, b, result;
};

const Special kSpecials[] = {
    {"exp", -kInf, 0, 0},
    {"exp", kInf, 0, kInf},
    {"exp", -0.0, 0, 1},
    {"exp", 710, 0, kInf},
    {"exp", -746, 0, 0},
    {"exp", -745.1332191019411, 0, 0x1p-1074},
    {"exp", kNan, 0, kNan},
    {"expm1", -0.0, 0, -0.0},
    {"expm1", -kInf, 0, -1},
    {"expm1", kInf, 0, kInf},
    {"expm1", 0x1p-1074, 0, 0x1p-1074},
    {"expm1", kNan, 0, kNan},
    {"sigmoid", 0, 0, 0.5},
    {"sigmoid", -kInf, 0, 0},
    {"sigmoid", kInf, 0, 1},
    {"sigmoid", kNan, 0, kNan},
    {"log", 1, 0, 0},
    {"log", 0, 0, -kInf},
    {"log", -0.0, 0, -kInf},
    {"log", -1, 0, kNan},
    {"log", -kInf, 0, kNan},
    {"log", kInf, 0, kInf},
    {"log", kNan, 0, kNan},
    {"log1p", -0.0, 0, -0.0},
    {"log1p", -1, 0, -kInf},
    {"log1p", -1.5, 0, kNan},
    {"log1p", kInf, 0, kInf},
    {"log1p", kNan, 0, kNan},
    {"sin", -0.0, 0, -0.0},
    {"sin", kInf, 0, kNan},
    {"sin", -0x1p-1074, 0, -0x1p-1074},
    {"cos", 0, 0, 1},
    {"cos", -kInf, 0, kNan},
    {"tan", -0.0, 0, -0.0},
    {"tan", kInf, 0, kNan},
    {"asin", -0.0, 0, -0.0},
    {"asin", 1.5, 0, kNan},
    {"asin", -1, 0, -1.5707963267948966},
    {"acos", 1, 0, 0},
    {"acos", -1, 0, 3.141592653589793},
    {"acos", -2, 0, kNan},
    {"atan", -0.0, 0, -0.0},
    {"atan", kInf, 0, 1.5707963267948966},
    {"atan", kNan, 0, kNan},
    {"atan2", 0, 0, 0},
    {"atan2", -0.0, 0, -0.0},
    {"atan2", 0, -0.0, 3.141592653589793},
    {"atan2", -0.0, -1, -3.141592653589793},
    {"atan2", 1, 0, 1.5707963267948966},
    {"atan2", kInf, kInf, 0.7853981633974483},
    {"atan2", -kInf, -kInf, -2.356194490192345},
    {"atan2", 1, kInf, 0},
    {"atan2", -1, -kInf, -3.141592653589793},
    {"atan2", kInf, 5, 1.5707963267948966},
    {"atan2", kNan, 1, kNan},
    {"atan2", 1, kNan, kNan},
    {"atan2", 0x1p-1074, 2, 0},
    {"atan2", 0x1p-1074, 0x1p-1074, 0.7853981633974483},
    {"sinh", -0.0, 0, -0.0},
    {"sinh", -kInf, 0, -kInf},
    {"cosh", -kInf, 0, kInf},
    {"cosh", 0, 0, 1},
    {"tanh", -0.0, 0, -0.0},
    {"tanh", kInf, 0, 1},
    {"tanh", -kInf, 0, -1},
    {"tanh", kNan, 0, kNan},
    {"asinh", -0.0, 0, -0.0},
    {"asinh", -kInf, 0, -kInf},
    {"acosh", 1, 0, 0},
    {"acosh", 0.5, 0, kNan},
    {"acosh", kInf, 0, kInf},
    {"acosh", kNan, 0, kNan},
    {"atanh", -0.0, 0, -0.0},
    {"atanh", 1, 0, kInf},
    {"atanh", -1, 0, -kInf},
    {"atanh", 1.5, 0, kNan},
    {"pow", 1, kNan, 1},
    {"pow", kNan, 0, 1},
    {"pow", kNan, -0.0, 1},
    {"pow", kNan, 1, kNan},
    {"pow", 2, kNan, kNan},
    {"pow", -1, kInf, 1},
    {"pow", -1, -kInf, 1},
    {"pow", 0, -3, kInf},
    {"pow", -0.0, -3, -kInf},
    {"pow", -0.0, -2, kInf},
    {"pow", 0, -0.5, kInf},
    {"pow", 0, -kInf, kInf},
    {"pow", -0.0, 3, -0.0},
    {"pow", -0.0, 2, 0},
    {"pow", 0.5, -kInf, kInf},
    {"pow", -2, -kInf, 0},
    {"pow", 0.5, kInf, 0},
    {"pow", 2, kInf, kInf},
    {"pow", -kInf, -3, -0.0},
    {"pow", -kInf, -2, 0},
    {"pow", -kInf, 3, -kInf},
    {"pow", -kInf, 2, kInf},
    {"pow", -kInf, 0.5, kInf},
    {"pow", kInf, -1, 0},
    {"pow", kInf, 0.5, kInf},
    {"pow", -8, 1.0 / 3, kNan},
    {"pow", -2, 3, -8},
    {"pow", -2, -1075, -0.0},
    {"pow", -3, 9007199254740991, -kInf},
    {"pow", -3, 9007199254740992, kInf},
    {"pow", 2, -1074, 0x1p-1074},
    {"pow", 10, 2, 100},
    {"pow", 2, 1023, 0x1p1023},
    {"pow", 2, 1024, kInf},
    {"pow", 0x1p-1074, 0.5, 0x1p-537},
    {"pow", -1, 0x1p53 - 1, -1},
    {"pow", 0x1.0000000000001p0, 1e300, kInf},
    {"pow", 3, 1e-300, 1},
    {"rsqrt", 0, 0, kInf},
    {"rsqrt", -0.0, 0, -kInf},
    {"rsqrt", kInf, 0, 0},
    {"rsqrt", -1, 0, kNan},
    {"rsqrt", 0x1p-1074, 0, 0x1p537},
    {"rsqrt", 4, 0, 0.5},
    {"cbrt", -0.0, 0, -0.0},
    {"cbrt", -kInf, 0, -kInf},
    {"cbrt", -27, 0, -3},
    {"cbrt", 0x1p-1074, 0, 0x1p-358},
    {"cbrt", kNan, 0, kNan},
    {"erf", -0.0, 0, -0.0},
    {"erf", -kInf, 0, -1},
    {"erf", kNan, 0, kNan},
    {"erfc", -kInf, 0, 2},
    {"erfc", kInf, 0, 0},
    {"erfc", 0, 0, 1},
    {"erfc", kNan, 0, kNan},
    {"lgamma", 0, 0, kInf},
    {"lgamma", 1, 0, 0},
    {"lgamma", 2, 0, 0},
    {"lgamma", -3, 0, kInf},
    {"lgamma", -kInf, 0, kInf},
    {"lgamma", kInf, 0, kInf},
    {"lgamma", kNan, 0, kNan},
    {"lgamma", 5, 0, 3.1780538303479458},
    {"lgamma", -0.5, 0, 1.2655121234846454},
    {"lgamma", 1e306, 0, kInf},
    {"digamma", 0, 0, -kInf},
    {"digamma", -0.0, 0, kInf},
    {"digamma", 1, 0, -0.5772156649015329},
    {"digamma", -2, 0, kNan},
    {"digamma", kInf, 0, kInf},
    {"digamma", -kInf, 0, kNan},
    {"digamma", 0x1p-900, 0, -0x1p900},
    {"digamma", 0.5, 0, -1.9635100260214235},
    {"digamma", -0.5, 0, 0.03648997397857652},
    {"digamma", 1e300, 0, 690.7755278982137},
    {"digamma", kNan, 0, kNan},
    {"erf_inv", -0.0, 0, -0.0},
    {"erf_inv", 1, 0, kInf},
    {"erf_inv", -1, 0, -kInf},
    {"erf_inv", 1.5, 0, kNan},
    {"erf_inv", kNan, 0, kNan},
};

TEST(MathF64, SpecialValuesAreThoseOfAnnexF) {
  for (const Special& one : kSpecials) {
    const OracleRow* row = row_of(one.op);
    ASSERT_NE(row, nullptr) << one.op;
    const double got = call(*row, one.a, one.b);
    const bool same =
        std::isnan(one.result) ? std::isnan(got) : std::bit_cast<uint64_t>(got) == std::bit_cast<uint64_t>(one.result);
    EXPECT_TRUE(same) << one.op << "(" << one.a << ", " << one.b << ") is " << got << ", not " << one.result;
  }
}

}  // namespace
}  // namespace nxv
