#include "test/cpp/ulp/functions.h"

#include <bit>
#include <cmath>

#include "test/cpp/support/glsl.h"

namespace nxv::ulp {
namespace {

namespace glsl {

using namespace nxv::glsl;
#include NXV_LIBRARY_F64

}  // namespace glsl

double no_terms(double) { return 0; }

double unit(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Uniform in an interval, or with a uniform exponent and any sign, in turn.
auto within(double low, double high, int least_exponent = -60) {
  return [=](Random& random, double& a, double&) {
    if (random() % 2) {
      a = low + (high - low) * unit(random);
      return;
    }
    const double top = std::log2(std::max(std::fabs(low), std::fabs(high)));
    do {
      a = std::exp2(least_exponent + (top - least_exponent) * unit(random));
      if (low < 0 && random() % 2) a = -a;
    } while (a < low || a > high);
  };
}

// The same, but for every third argument, whose distance from `one`, on either or on the inner side, has a uniform
// exponent.
auto within_or_near(double one, bool inside, double low, double high, int least_exponent = -60) {
  return [=, rest = within(low, high, least_exponent)](Random& random, double& a, double& b) {
    if (random() % 3) return rest(random, a, b);
    const double distance = std::exp2(-1 - 52 * unit(random));
    a = inside || random() % 2 ? one - distance : one + distance;
    if (low < 0 && random() % 2) a = -a;
  };
}

// Whole multiples of π/2, with every power of two among the factors.
std::vector<double> quarter_turns() {
  std::vector<double> list;
  for (int k = 1; k < 4000; ++k) list.push_back(static_cast<double>(k * 1.5707963267948966192313216916398L));
  for (int e = 12; e < 60; ++e) {
    for (int odd : {1, 3, 5, 7, 9, 11})
      list.push_back(static_cast<double>(std::ldexp(odd * 1.5707963267948966192313216916398L, e)));
  }
  // The double that lies nearest to a multiple of π/2.
  list.push_back(0x1.6ac5b262ca1ffp849);
  return list;
}

// Powers neither 0 nor infinite as a rule, of bases of every exponent and of bases near 1; some exponents are whole.
void power_operands(Random& random, double& a, double& b) {
  a = random() % 2 ? std::exp2(2000 * unit(random) - 1000)
                   : 1 + (random() % 2 ? 1 : -0.5) * std::exp2(-53 * unit(random));
  b = (2 * unit(random) - 1) * 1100 / std::max(std::fabs(std::log2(a)), 0x1p-53);
  if (random() % 4 == 0) {
    b = std::round(b);
    if (random() % 2) a = -a;
  }
  if (random() % 8 == 0) b = std::round(b * 2) / 2;
}

using Fast = long double (*)(long double, long double);
#define FAST(expression) [](long double a, [[maybe_unused]] long double b) -> long double { return expression; }
#define EXACT(call) [](mpfr_t z, const mpfr_t a, [[maybe_unused]] const mpfr_t b) { return call; }

int sigmoid_exact(mpfr_t z, const mpfr_t a) {
  mpfr_neg(z, a, MPFR_RNDN);
  mpfr_exp(z, z, MPFR_RNDN);
  mpfr_add_ui(z, z, 1, MPFR_RNDN);
  return mpfr_ui_div(z, 1, z, MPFR_RNDN);
}

int lgamma_exact(mpfr_t z, const mpfr_t a) {
  int sign;
  return mpfr_lgamma(z, &sign, a, MPFR_RNDN);
}
// Of a double; by MPFR, since the C library has none.
long double digamma_truth(long double a) {
  mpfr_t x, z;
  mpfr_init2(x, 53);
  mpfr_init2(z, 90);
  mpfr_set_ld(x, a, MPFR_RNDN);
  mpfr_digamma(z, x, MPFR_RNDN);
  const long double result = mpfr_get_ld(z, MPFR_RNDN);
  mpfr_clears(x, z, static_cast<mpfr_ptr>(nullptr));
  return result;
}

double erf_inv_limit(double x) { return x == 0 ? x : std::fabs(x) == 1 ? std::copysign(INFINITY, x) : NAN; }
// Newton's steps from what the library gives: the error of a step is the square of the last, or the truth's own.
int erf_inv_exact(mpfr_t z, const mpfr_t a) {
  const double x = mpfr_get_d(a, MPFR_RNDN);
  if (!(std::fabs(x) < 1) || x == 0) {
    mpfr_set_d(z, erf_inv_limit(x), MPFR_RNDN);
    return 0;
  }
  const double start = glsl::erf_inv_of(x);
  const auto bits = static_cast<mpfr_prec_t>(400);
  mpfr_t y, slope, step;
  mpfr_inits2(bits, y, slope, step, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(y, start, MPFR_RNDN);
  for (int k = 0; k < 3; ++k) {
    mpfr_sqr(slope, y, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_const_pi(step, MPFR_RNDN);
    mpfr_sqrt(step, step, MPFR_RNDN);
    mpfr_mul(slope, slope, step, MPFR_RNDN);
    mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
    mpfr_erf(step, y, MPFR_RNDN);
    mpfr_sub(step, step, a, MPFR_RNDN);
    mpfr_mul(step, step, slope, MPFR_RNDN);
    mpfr_sub(y, y, step, MPFR_RNDN);
  }
  mpfr_set(z, y, MPFR_RNDN);
  mpfr_clears(y, slope, step, static_cast<mpfr_ptr>(nullptr));
  return 0;
}
long double erf_inv_truth(long double a) {
  const double x = static_cast<double>(a);
  if (!(std::fabs(x) < 1) || x == 0) return erf_inv_limit(x);
  const long double start = glsl::erf_inv_of(x);
  const long double half_root_pi = 0.88622692545275801364908374167057L;
  const long double residue = std::fabs(x) < 0.5 ? std::erf(start) - a
                              : x > 0            ? (1 - a) - std::erfc(start)
                                                 : std::erfc(-start) - (1 + a);
  return start - residue * half_root_pi * std::exp(start * start);
}

}  // namespace

std::vector<Function> functions() {
  std::vector<Function> list;
  const auto unary = [&](const char* name, double (*library)(double, double), Fast fast, auto exact,
                         std::vector<double> hard, auto domain) {
    list.push_back({name, 1, library, fast, exact, std::move(hard), domain, no_terms});
  };
#define LIBRARY(f) [](double a, double) { return glsl::f##_of(a); }
  unary("exp", LIBRARY(exp), FAST(std::exp(a)), EXACT(mpfr_exp(z, a, MPFR_RNDN)),
        {0, 0.34657359027997264, -0.34657359027997264, 708, 709.782712893384, -708.3964185322641, -745.1332191019411,
         -745.13},
        within(-746, 710));
  unary("expm1", LIBRARY(expm1), FAST(std::expm1(a)), EXACT(mpfr_expm1(z, a, MPFR_RNDN)),
        {0, 0x1p-54, 0.34657359027997264, -0.34657359027997264, 672, 709.782712893384, -60}, within(-61, 710, -1070));
  unary("sigmoid", LIBRARY(sigmoid), FAST(1 / (1 + std::exp(-a))), EXACT(sigmoid_exact(z, a)),
        {0, 600, -600, -709.7, -745.1332191019411}, within(-746, 60));
  unary("log", LIBRARY(log), FAST(std::log(a)), EXACT(mpfr_log(z, a, MPFR_RNDN)),
        {1, 0x1p-1022, 0x1p-1074, 0.7071067811865476, 1.4142135623730951, 2, 0.5},
        within_or_near(1, false, 0, 4, -1074));
  unary("log1p", LIBRARY(log1p), FAST(std::log1p(a)), EXACT(mpfr_log1p(z, a, MPFR_RNDN)),
        {0, -1, 0x1p-54, -0.2928932188134524, 0.41421356237309503, 1, 0x1p53}, within_or_near(-1, false, -1, 10, -80));
  unary("sin", LIBRARY(sin), FAST(std::sin(a)), EXACT(mpfr_sin(z, a, MPFR_RNDN)), quarter_turns(), within(-1e5, 1e5));
  unary("cos", LIBRARY(cos), FAST(std::cos(a)), EXACT(mpfr_cos(z, a, MPFR_RNDN)), quarter_turns(), within(-1e5, 1e5));
  unary("tan", LIBRARY(tan), FAST(std::tan(a)), EXACT(mpfr_tan(z, a, MPFR_RNDN)), quarter_turns(), within(-1e5, 1e5));
  unary("tanh", LIBRARY(tanh), FAST(std::tanh(a)), EXACT(mpfr_tanh(z, a, MPFR_RNDN)),
        {0, 0x1p-28, 0.17328679513998633, 19.06, 22}, within(-23, 23, -1070));
  unary("asin", LIBRARY(asin), FAST(std::asin(a)), EXACT(mpfr_asin(z, a, MPFR_RNDN)), {0, 0x1p-27, 0.5, 1},
        within_or_near(1, true, -1, 1, -80));
  unary("acos", LIBRARY(acos), FAST(std::acos(a)), EXACT(mpfr_acos(z, a, MPFR_RNDN)), {0, 0x1p-54, 0.5, 1},
        within_or_near(1, true, -1, 1));
  unary("atan", LIBRARY(atan), FAST(std::atan(a)), EXACT(mpfr_atan(z, a, MPFR_RNDN)),
        {0, 0x1p-27, 0.41421356237309503, 1, 2.414213562373095, 0x1p64}, within(-10, 10, -80));
  unary("sinh", LIBRARY(sinh), FAST(std::sinh(a)), EXACT(mpfr_sinh(z, a, MPFR_RNDN)),
        {0, 0x1p-28, 0.34657359027997264, 708, 710.4758600739439}, within(-711, 711));
  unary("cosh", LIBRARY(cosh), FAST(std::cosh(a)), EXACT(mpfr_cosh(z, a, MPFR_RNDN)),
        {0, 0x1p-28, 0.34657359027997264, 708, 710.4758600739439}, within(-711, 711));
  unary("asinh", LIBRARY(asinh), FAST(std::asinh(a)), EXACT(mpfr_asinh(z, a, MPFR_RNDN)), {0, 0x1p-27, 0.5, 1, 0x1p31},
        within(-1e10, 1e10));
  unary("acosh", LIBRARY(acosh), FAST(std::acosh(a)), EXACT(mpfr_acosh(z, a, MPFR_RNDN)),
        {1, 1.0606601717798212, 2, 0x1p31},
        [](Random& random, double& a, double&) { a = 1 + std::exp2(90 * unit(random) - 53); });
  unary("atanh", LIBRARY(atanh), FAST(std::atanh(a)), EXACT(mpfr_atanh(z, a, MPFR_RNDN)), {0, 0x1p-27, 0.5, 1},
        within_or_near(1, true, -1, 1));
  unary("rsqrt", LIBRARY(rsqrt), FAST(1 / std::sqrt(a)), EXACT(mpfr_rec_sqrt(z, a, MPFR_RNDN)), {0, 1, 2, 4, 0x1p-1022},
        within(0, 4, -1074));
  unary("cbrt", LIBRARY(cbrt), FAST(std::cbrt(a)), EXACT(mpfr_cbrt(z, a, MPFR_RNDN)), {0, 1, 2, 4, 8, 27, 0x1p-1022},
        within(-8, 8, -1074));
  unary("erf", LIBRARY(erf), FAST(std::erf(a)), EXACT(mpfr_erf(z, a, MPFR_RNDN)), {0, 0x1p-28, 0.84375, 2, 6},
        within(-6.1, 6.1, -1070));
  unary("erfc", LIBRARY(erfc), FAST(std::erfc(a)), EXACT(mpfr_erfc(z, a, MPFR_RNDN)),
        {0, 0.5, 26.543258, 27.226017, 28}, within(-7, 28));
  unary("erf_inv", LIBRARY(erf_inv), FAST(erf_inv_truth(a)), EXACT(erf_inv_exact(z, a)),
        {0, 0x1p-30, 1, 0.999034296, 0.99999994}, [](Random& random, double& a, double& b) {
          if (random() % 3)
            within(-1, 1, -40)(random, a, b);
          else
            a = 1 - std::exp2(-53 * unit(random));
        });
  unary("lgamma", LIBRARY(lgamma), FAST(std::lgamma(a)), EXACT(lgamma_exact(z, a)),
        {0, 0.25, 0.75, 1, 1.25, 1.75, 2, 2.5, 8, 2.5e305, -2.4570247382208006}, within_or_near(2, false, -40, 40));
  list.back().terms = [](double a) { return a < 0 && std::isfinite(a) ? std::fabs(glsl::lgamma_of(-a)) : 0; };
  unary("digamma", LIBRARY(digamma), FAST(digamma_truth(a)), EXACT(mpfr_digamma(z, a, MPFR_RNDN)),
        {0, 1, 1.4616321449683622, 2, 10, -0.5040830082644554}, within_or_near(1.4616321449683622, false, -40, 40));
  list.back().terms = [](double a) { return a < 0 && std::isfinite(a) ? std::fabs(glsl::digamma_of(-a)) : 0; };
  list.push_back({"pow",
                  2,
                  [](double a, double b) { return glsl::power_of(a, b); },
                  FAST(std::pow(a, b)),
                  EXACT(mpfr_pow(z, a, b, MPFR_RNDN)),
                  {0, 1, 2, 0.5, 10, 0x1p-1074},
                  power_operands,
                  no_terms});
  list.push_back({"atan2",
                  2,
                  [](double a, double b) { return glsl::atan2_of(a, b); },
                  FAST(std::atan2(a, b)),
                  EXACT(mpfr_atan2(z, a, b, MPFR_RNDN)),
                  {0, 1, 2.5, 0x1p-1074},
                  [](Random& random, double& a, double& b) {
                    a = std::ldexp(unit(random) - 0.5, static_cast<int>(random() % 40) - 20);
                    b = std::ldexp(unit(random) - 0.5, static_cast<int>(random() % 40) - 20);
                  },
                  no_terms});
  return list;
}

}  // namespace nxv::ulp
