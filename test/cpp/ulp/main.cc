// ulp_f64 [--points N] [FUNCTION …]: the greatest error met, where, and the share of correctly rounded results.
//
// Every point is compared with long double; the worst ones, and a sample of all, with MPFR at 300 bits, whose word is
// printed.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>

#include "test/cpp/ulp/functions.h"

static_assert(std::numeric_limits<long double>::digits >= 64, "needs a long double wider than double");

namespace nxv::ulp {
namespace {

// |got - truth| in steps of the double format at the truth.
double steps(double got, long double truth, double terms) {
  if (std::isnan(got) || std::isnan(truth)) return std::isnan(got) && std::isnan(truth) ? 0 : INFINITY;
  const double rounded = static_cast<double>(truth);
  if (std::isinf(rounded) || std::isinf(got)) {
    const double largest = std::numeric_limits<double>::max();
    if (got == rounded) return 0;
    return std::fabs(truth) < INFINITY && std::min(std::fabs(got), std::fabs(rounded)) == largest ? 1 : INFINITY;
  }
  if (truth == 0) return got == 0 && std::signbit(got) == std::signbit(truth) ? 0 : INFINITY;
  const int exponent = std::max(std::ilogb(std::max(std::fabs(truth), static_cast<long double>(terms))), -1022) - 52;
  return static_cast<double>(std::ldexp(std::fabs(got - truth), -exponent));
}

double exact_steps(const Function& f, double a, double b) {
  mpfr_t x, y, z;
  mpfr_inits2(1200, x, y, static_cast<mpfr_ptr>(nullptr));
  mpfr_init2(z, 300);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  f.exact(z, x, y);
  const double got = f.library(a, b), terms = f.terms(a);
  double error;
  const double rounded = mpfr_get_d(z, MPFR_RNDN);
  if (!mpfr_regular_p(z) || std::isinf(rounded) || !std::isfinite(got)) {
    error = steps(
        got, std::isinf(rounded) && mpfr_number_p(z) ? static_cast<long double>(rounded) : mpfr_get_ld(z, MPFR_RNDN),
        terms);
  } else {
    const long least = terms > 0 ? std::ilogb(terms) : -1022;
    const long exponent = std::max({static_cast<long>(mpfr_get_exp(z)) - 1, least, -1022L}) - 52;
    mpfr_sub_d(z, z, got, MPFR_RNDN);
    mpfr_abs(z, z, MPFR_RNDN);
    mpfr_mul_2si(z, z, -exponent, MPFR_RNDN);
    error = mpfr_get_d(z, MPFR_RNDN);
  }
  mpfr_clears(x, y, z, static_cast<mpfr_ptr>(nullptr));
  return error;
}

struct Point {
  double error, a, b;
  friend bool operator<(const Point& x, const Point& y) { return x.error > y.error; }
};

class Measurement {
 public:
  explicit Measurement(const Function& f) : f_(f) {}

  void add(double a, double b) {
    const long double truth = f_.fast(a, b);
    const double error = steps(f_.library(a, b), truth, f_.terms(a));
    ++points_;
    if (error <= 0.5) ++rounded_;
    if (worst_.size() < 64 || error > worst_.back().error) {
      const Point point{error, a, b};
      worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), point), point);
      if (worst_.size() > 64) worst_.pop_back();
    }
    if (points_ % 997 == 0) sampled_ = std::max(sampled_, exact_steps(f_, a, b));
  }
  void report() {
    std::vector<Point> exact;
    for (const Point& one : worst_) exact.push_back({exact_steps(f_, one.a, one.b), one.a, one.b});
    std::sort(exact.begin(), exact.end());
    const Point& top = exact.front();
    const double usual = f_.hard.size() > 100 ? 1.25 : f_.name == "acosh" ? 2.5 : 0.7;
    const Cost cost = cost_of(f_.name, usual, 1.3);
    std::printf(
        "%-8s %9zu points  max %.4f ulp at (%.17g, %.17g)  [long double %.4f, sample %.4f]  %.2f %% rounded  %d + - *, "
        "%d / sqrt\n",
        f_.name.c_str(), points_, top.error, top.a, top.b, worst_.front().error, sampled_,
        100.0 * static_cast<double>(rounded_) / static_cast<double>(points_), cost.arithmetic, cost.divisions);
    std::fflush(stdout);
  }

 private:
  const Function& f_;
  size_t points_ = 0, rounded_ = 0;
  double sampled_ = 0;
  std::vector<Point> worst_;
};

const double kSpecials[] = {0,
                            -0.0,
                            1,
                            -1,
                            0.5,
                            -0.5,
                            2,
                            -2,
                            3,
                            -3,
                            1.5,
                            0x1p-1074,
                            -0x1p-1074,
                            0x1p-1022,
                            -0x1p-1022,
                            0x1.fffffffffffffp1023,
                            -0x1.fffffffffffffp1023,
                            INFINITY,
                            -INFINITY,
                            NAN,
                            0x1p53,
                            0x1p52 + 1,
                            -0x1p53,
                            -0x1p52 - 1,
                            1e300,
                            1e-300,
                            -1e-300,
                            0x1.fffffffffffffp-1,
                            0x1.0000000000001p0};

void measure(const Function& f, size_t points, uint64_t seed) {
  Measurement result(f);
  Random random(seed);
  for (double a : kSpecials) {
    for (double b : kSpecials) {
      result.add(a, b);
      if (f.operands == 1) break;
    }
  }
  for (double center : f.hard) {
    for (int64_t k = -40; k <= 40; ++k) {
      const double a = std::bit_cast<double>(std::bit_cast<uint64_t>(center) + static_cast<uint64_t>(k));
      double b = 0, unused = 0;
      if (f.operands == 2) f.domain(random, unused, b);
      result.add(a, b);
      result.add(-a, b);
      result.add(a * (1 + std::ldexp(1.0, -static_cast<int>(random() % 53))), b);
    }
  }
  for (size_t i = 0; i < points; ++i) {
    double a = 0, b = 0;
    if (i % 5 == 0) {
      a = std::bit_cast<double>(random());
      b = std::bit_cast<double>(random());
    } else {
      f.domain(random, a, b);
    }
    result.add(a, b);
  }
  result.report();
}

}  // namespace

int run(int argc, char** argv) {
  size_t points = 1000000;
  std::set<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--points") && i + 1 < argc)
      points = std::strtoull(argv[++i], nullptr, 10);
    else
      wanted.insert(argv[i]);
  }
  const bool all = wanted.empty();
  for (const Function& f : functions()) {
    if (wanted.erase(f.name) || all) measure(f, points, 1);
  }
  for (const std::string& name : wanted) std::fprintf(stderr, "[%s] isn't measured\n", name.c_str());
  return wanted.empty() ? 0 : 2;
}

}  // namespace nxv::ulp

int main(int argc, char** argv) { return nxv::ulp::run(argc, argv); }
