// The references of complex arithmetic against the standard library and against wider numbers.

#include "test/cpp/ops/complex_oracle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "test/cpp/support/values.h"

namespace nxv {
namespace {

template <typename T>
std::vector<std::complex<T>> samples(size_t count, size_t operand) {
  const Element element = sizeof(T) == 4 ? Element::c64 : Element::c128;
  const auto bytes = operand_values(element, 2 * sizeof(T), count, operand, 11);
  std::vector<std::complex<T>> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

using Wide = std::complex<long double>;

template <typename T>
Wide wide(std::complex<T> a) {
  return {a.real(), a.imag()};
}

// |got − want| in units of the last place of |want|.
template <typename T>
long double ulps(Wide got, Wide want) {
  const long double size = std::hypot(want.real(), want.imag());
  const int top = std::max(std::ilogb(size), std::numeric_limits<T>::min_exponent - 1);
  return std::hypot(got.real() - want.real(), got.imag() - want.imag()) /
         std::ldexp(1.0L, top - std::numeric_limits<T>::digits + 1);
}

template <typename T>
void stays_near(size_t count) {
  const auto a = samples<T>(count, 0), b = samples<T>(count, 1);
  const long double largest = std::numeric_limits<T>::max();
  size_t compared = 0;
  long double worst = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!oracle::finite(a[i]) || !oracle::finite(b[i])) continue;
    const auto check = [&](std::complex<T> got, Wide want) {
      if (std::fabs(want.real()) >= largest || std::fabs(want.imag()) >= largest || want == Wide{}) return;
      const long double off = ulps<T>(wide(got), want);
      ASSERT_LE(off, 4) << a[i] << " and " << b[i] << " give " << got;
      worst = std::max(worst, off);
      ++compared;
    };
    const Wide x = wide(a[i]), y = wide(b[i]);
    check(oracle::multiply(a[i], b[i]),
          {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()});
    const long double length = y.real() * y.real() + y.imag() * y.imag();
    if (length != 0) {
      check(oracle::divide(a[i], b[i]), {(x.real() * y.real() + x.imag() * y.imag()) / length,
                                         (x.imag() * y.real() - x.real() * y.imag()) / length});
    }
    check({oracle::magnitude(a[i]), T{0}}, {std::hypot(x.real(), x.imag()), 0.0L});
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(compared, count);
  EXPECT_GT(worst, 0.5L);
}

TEST(ComplexOracle, StaysNearTheTruth) {
  stays_near<float>(20000);
  stays_near<double>(20000);
}

TEST(ComplexOracle, MultipliesSpecialValuesAsTheStandardLibrary) {
  const auto a = samples<float>(20000, 0), b = samples<float>(20000, 1);
  size_t special = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    // Beside NaN and no infinity the library looks at products that overflow.
    if (!oracle::infinite(a[i]) && !oracle::infinite(b[i])) continue;
    const auto overflows = [](float x) { return std::isfinite(x) && std::fabs(x) > 1e19f; };
    if (overflows(a[i].real()) || overflows(a[i].imag()) || overflows(b[i].real()) || overflows(b[i].imag())) continue;
    const std::complex<float> want = a[i] * b[i], got = oracle::multiply(a[i], b[i]);
    ++special;
    const auto same = [](float x, float y) { return std::isnan(x) ? std::isnan(y) : x == y; };
    ASSERT_TRUE(same(want.real(), got.real()) && same(want.imag(), got.imag()))
        << a[i] << " · " << b[i] << " is " << want << ", not " << got;
  }
  EXPECT_GT(special, 300u);
}

TEST(ComplexOracle, DividesSpecialValuesAsAnnexG) {
  using C = std::complex<float>;
  const float inf = INFINITY, nan = NAN;
  EXPECT_EQ(oracle::divide(C{1, 2}, C{inf, 3}), (C{0, 0}));
  EXPECT_EQ(oracle::divide(C{1, 0}, C{0, 0}).real(), inf);
  EXPECT_EQ(oracle::divide(C{1, 0}, C{-0.0f, 0}).real(), -inf);
  EXPECT_TRUE(oracle::infinite(oracle::divide(C{inf, nan}, C{2, 1})));
  EXPECT_TRUE(oracle::infinite(oracle::divide(C{inf, inf}, C{1e-45f, 1e30f})));
  EXPECT_TRUE(std::isnan(oracle::divide(C{0, 0}, C{0, 0}).real()));
  EXPECT_TRUE(std::isnan(oracle::divide(C{nan, 1}, C{2, 1}).real()));
  EXPECT_EQ(oracle::divide(C{3e38f, 3e38f}, C{3e38f, 3e38f}), (C{1, 0}));
  EXPECT_EQ(oracle::divide(C{1e-45f, 0}, C{1e-45f, 0}), (C{1, 0}));
}

}  // namespace
}  // namespace nxv
