// Values to as many bits as it takes to know the nearest double.

#include "runtime/cli/reference.h"

#ifdef NXV_MPFR
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <utility>
#endif

namespace nxv::cli {

#ifdef NXV_MPFR

namespace {

class Real {
 public:
  explicit Real(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  Real(mpfr_prec_t bits, double value) : Real(bits) { mpfr_set_d(value_, value, MPFR_RNDN); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

// Each gives y to its own precision and returns 0 where that is exact.
using Evaluate = int (*)(mpfr_ptr y, mpfr_ptr a, mpfr_ptr b);

int sigmoid(mpfr_ptr y, mpfr_ptr a, mpfr_ptr) {
  if (mpfr_nan_p(a)) return mpfr_set(y, a, MPFR_RNDN);
  mpfr_neg(y, a, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  const bool sums = mpfr_inf_p(y) == 0;
  if (sums) mpfr_add_ui(y, y, 1, MPFR_RNDN);
  return mpfr_ui_div(y, 1, y, MPFR_RNDN) | 1;
}

// Of -0 as of 1 / -0.
int reciprocal_root(mpfr_ptr y, mpfr_ptr a, mpfr_ptr) {
  return mpfr_zero_p(a) ? mpfr_ui_div(y, 1, a, MPFR_RNDN) : mpfr_rec_sqrt(y, a, MPFR_RNDN);
}

int log_gamma(mpfr_ptr y, mpfr_ptr a, mpfr_ptr) {
  int sign;
  return mpfr_lgamma(y, &sign, a, MPFR_RNDN);
}

// Newton's method on mpfr_erf: the error squares with each step.
int erf_inv(mpfr_ptr y, mpfr_ptr a, mpfr_ptr) {
  const double x = mpfr_get_d(a, MPFR_RNDN), near = find_real("erf_inv")->near({&x, 1});
  if (!std::isfinite(near) || x == 0) return mpfr_set_d(y, near, MPFR_RNDN);
  const mpfr_prec_t bits = mpfr_get_prec(y) + 80;
  Real root(bits, near), error(bits), slope(bits), pi(bits);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_sqrt(pi, pi, MPFR_RNDN);
  for (mpfr_prec_t good = 40; good < 2 * bits; good *= 2) {
    mpfr_erf(error, root, MPFR_RNDN);
    mpfr_sub(error, error, a, MPFR_RNDN);
    mpfr_sqr(slope, root, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_mul(slope, slope, pi, MPFR_RNDN);
    mpfr_div_ui(slope, slope, 2, MPFR_RNDN);
    mpfr_mul(error, error, slope, MPFR_RNDN);
    mpfr_sub(root, root, error, MPFR_RNDN);
  }
  return mpfr_set(y, root, MPFR_RNDN) | 1;
}

#define NXV_BY(name) [](mpfr_ptr y, mpfr_ptr a, mpfr_ptr) { return mpfr_##name(y, a, MPFR_RNDN); }
#define NXV_BY2(name) [](mpfr_ptr y, mpfr_ptr a, mpfr_ptr b) { return mpfr_##name(y, a, b, MPFR_RNDN); }

constexpr std::pair<std::string_view, Evaluate> kEvaluate[] = {
    {"acos", NXV_BY(acos)}, {"acosh", NXV_BY(acosh)},   {"asin", NXV_BY(asin)},   {"asinh", NXV_BY(asinh)},
    {"atan", NXV_BY(atan)}, {"atan2", NXV_BY2(atan2)},  {"atanh", NXV_BY(atanh)}, {"cbrt", NXV_BY(cbrt)},
    {"cos", NXV_BY(cos)},   {"cosh", NXV_BY(cosh)},     {"erf", NXV_BY(erf)},     {"digamma", NXV_BY(digamma)},
    {"erf_inv", erf_inv},   {"erfc", NXV_BY(erfc)},     {"exp", NXV_BY(exp)},     {"expm1", NXV_BY(expm1)},
    {"lgamma", log_gamma},  {"log", NXV_BY(log)},       {"log1p", NXV_BY(log1p)}, {"logistic", sigmoid},
    {"pow", NXV_BY2(pow)},  {"rsqrt", reciprocal_root}, {"sigmoid", sigmoid},     {"sin", NXV_BY(sin)},
    {"sinh", NXV_BY(sinh)}, {"tan", NXV_BY(tan)},       {"tanh", NXV_BY(tanh)},
};

Evaluate find_evaluate(std::string_view op) {
  for (const auto& [name, evaluate] : kEvaluate) {
    if (name == op) return evaluate;
  }
  return nullptr;
}

// (y - nearest) in ULP of the nearest double, and whether y's last bits could turn the rounding.
struct Rest {
  double ulp = 0;
  bool unsure = false;
};
Rest rest_of(mpfr_ptr y, double nearest) {
  if (!std::isfinite(nearest)) return {};
  const int exponent = nearest == 0 ? -1022 : std::max(std::ilogb(nearest), -1022);
  const mpfr_prec_t bits = mpfr_get_prec(y);
  Real rest(bits);
  mpfr_sub_d(rest, y, nearest, MPFR_RNDN);
  mpfr_mul_2si(rest, rest, 52 - exponent, MPFR_RNDN);
  const double ulp = mpfr_get_d(rest, MPFR_RNDN);
  mpfr_abs(rest, rest, MPFR_RNDN);
  mpfr_sub_d(rest, rest, 0.5, MPFR_RNDN);
  return {ulp, mpfr_zero_p(rest) != 0 || mpfr_get_exp(rest) < 70 - bits};
}

}  // namespace

bool has_precise(std::string_view op) { return find_evaluate(op) != nullptr; }

std::optional<PreciseValue> precise_value(std::string_view op, std::span<const double> in) {
  Evaluate evaluate = find_evaluate(op);
  if (!evaluate) return std::nullopt;
  Real a(53, in[0]), b(53, in.size() > 1 ? in[1] : 0);
  for (mpfr_prec_t bits : {128, 1200, 5000}) {
    Real y(bits);
    const int inexact = evaluate(y, a, b);
    const double nearest = mpfr_get_d(y, MPFR_RNDN);
    const Rest rest = rest_of(y, nearest);
    if (inexact == 0 || !rest.unsure) return PreciseValue{nearest, rest.ulp};
  }
  return std::nullopt;
}

void forget_precise_caches() { mpfr_free_cache(); }

#else

bool has_precise(std::string_view) { return false; }
std::optional<PreciseValue> precise_value(std::string_view, std::span<const double>) { return std::nullopt; }
void forget_precise_caches() {}

#endif

}  // namespace nxv::cli
