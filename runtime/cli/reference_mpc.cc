// Functions of complex numbers to many bits.

#include "runtime/cli/reference.h"

#ifdef NXV_MPC
#include <mpc.h>

#include <cmath>
#include <utility>
#endif

namespace nxv::cli {

#ifdef NXV_MPC

namespace {

constexpr mpfr_prec_t kBits = 160;
// Sums with numbers as small as the least double lose nothing.
constexpr mpfr_prec_t kWideBits = 2300;

class Complex {
 public:
  explicit Complex(mpfr_prec_t bits) { mpc_init2(value_, bits); }
  ~Complex() { mpc_clear(value_); }
  Complex(const Complex&) = delete;
  Complex& operator=(const Complex&) = delete;
  operator mpc_ptr() { return value_; }

 private:
  mpc_t value_;
};

using Evaluate = void (*)(mpc_ptr y, mpc_srcptr a, mpc_srcptr b);

void expm1(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  Complex wide(kWideBits);
  mpc_exp(wide, a, MPC_RNDNN);
  mpfr_sub_ui(mpc_realref(static_cast<mpc_ptr>(wide)), mpc_realref(static_cast<mpc_ptr>(wide)), 1, MPFR_RNDN);
  mpc_set(y, wide, MPC_RNDNN);
}

// ½ log1p(x (2 + x) + y²) and the angle: MPC's logarithm takes minutes beside 1.
void log1p(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  Complex wide(kWideBits);
  const mpc_ptr sum = wide;
  mpc_add_ui(sum, a, 1, MPC_RNDNN);
  mpfr_atan2(mpc_imagref(y), mpc_imagref(sum), mpc_realref(sum), MPFR_RNDN);
  mpfr_add_ui(mpc_realref(sum), mpc_realref(sum), 1, MPFR_RNDN);
  mpfr_mul(mpc_realref(sum), mpc_realref(sum), mpc_realref(a), MPFR_RNDN);
  mpfr_sqr(mpc_imagref(sum), mpc_imagref(sum), MPFR_RNDN);
  mpfr_add(mpc_realref(sum), mpc_realref(sum), mpc_imagref(sum), MPFR_RNDN);
  mpfr_log1p(mpc_realref(y), mpc_realref(sum), MPFR_RNDN);
  mpfr_div_ui(mpc_realref(y), mpc_realref(y), 2, MPFR_RNDN);
  // An infinity beside NaN.
  if (mpfr_inf_p(mpc_realref(a)) || mpfr_inf_p(mpc_imagref(a))) mpfr_set_inf(mpc_realref(y), 1);
}

void sigmoid(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  // MPC takes minutes for quotients of numbers so far apart.
  if (!mpfr_nan_p(mpc_realref(a)) && mpfr_cmpabs_ui(mpc_realref(a), 5000) > 0) {
    const bool known = mpfr_inf_p(mpc_realref(a)) || mpfr_number_p(mpc_imagref(a));
    known ? static_cast<void>(mpc_set_ui(y, mpfr_sgn(mpc_realref(a)) > 0 ? 1 : 0, MPC_RNDNN)) : mpc_set_nan(y);
    return;
  }
  Complex wide(kWideBits);
  mpc_neg(wide, a, MPC_RNDNN);
  mpc_exp(wide, wide, MPC_RNDNN);
  mpc_add_ui(wide, wide, 1, MPC_RNDNN);
  mpc_ui_div(y, 1, wide, MPC_RNDNN);
}

void reciprocal_root(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  Complex wide(2 * kBits);
  mpc_sqrt(wide, a, MPC_RNDNN);
  mpc_ui_div(y, 1, wide, MPC_RNDNN);
}

void cube_root(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  if (mpfr_zero_p(mpc_realref(a)) && mpfr_zero_p(mpc_imagref(a))) {
    mpc_set_ui(y, 0, MPC_RNDNN);
    return;
  }
  Complex wide(2 * kBits);
  mpc_log(wide, a, MPC_RNDNN);
  mpc_div_ui(wide, wide, 3, MPC_RNDNN);
  mpc_exp(y, wide, MPC_RNDNN);
}

// (sinh x cosh x + sin y cos y · i) / (sinh² x + cos² y): MPC's tangents take minutes and gigabytes far from 0.
void tanh(mpc_ptr y, mpc_srcptr a, mpc_srcptr) {
  const mpfr_srcptr re = mpc_realref(a), im = mpc_imagref(a);
  if (!mpfr_number_p(re) || !mpfr_number_p(im) || mpfr_cmpabs_ui(re, 1000) > 0) {
    // Of the real part alone where the other one is below the least double.
    if (mpfr_number_p(im) && !mpfr_nan_p(re)) {
      mpfr_set_si(mpc_realref(y), mpfr_sgn(re), MPFR_RNDN);
      mpfr_set_zero(mpc_imagref(y), 1);
    } else {
      mpc_tanh(y, a, MPC_RNDNN);
    }
    return;
  }
  Complex hyperbolic(kBits), circular(kBits), squares(kBits);
  const mpc_ptr h = hyperbolic, c = circular, q = squares;
  mpfr_sinh_cosh(mpc_realref(h), mpc_imagref(h), re, MPFR_RNDN);
  mpfr_sin_cos(mpc_realref(c), mpc_imagref(c), im, MPFR_RNDN);
  mpfr_sqr(mpc_realref(q), mpc_realref(h), MPFR_RNDN);
  mpfr_sqr(mpc_imagref(q), mpc_imagref(c), MPFR_RNDN);
  mpfr_add(mpc_realref(q), mpc_realref(q), mpc_imagref(q), MPFR_RNDN);
  mpfr_mul(mpc_realref(y), mpc_realref(h), mpc_imagref(h), MPFR_RNDN);
  mpfr_mul(mpc_imagref(y), mpc_realref(c), mpc_imagref(c), MPFR_RNDN);
  mpc_div_fr(y, y, mpc_realref(q), MPC_RNDNN);
}

void tan(mpc_ptr y, mpc_srcptr a, mpc_srcptr b) {
  Complex turned(53);
  mpc_mul_i(turned, a, 1, MPC_RNDNN);
  tanh(y, turned, b);
  mpc_mul_i(y, y, -1, MPC_RNDNN);
}

void power(mpc_ptr y, mpc_srcptr a, mpc_srcptr b) { mpc_pow(y, a, b, MPC_RNDNN); }

#define NXV_BY(name) [](mpc_ptr y, mpc_srcptr a, mpc_srcptr) { mpc_##name(y, a, MPC_RNDNN); }
#define NXV_BY2(name) [](mpc_ptr y, mpc_srcptr a, mpc_srcptr b) { mpc_##name(y, a, b, MPC_RNDNN); }

constexpr std::pair<std::string_view, Evaluate> kEvaluate[] = {
    {"acos", NXV_BY(acos)},   {"acosh", NXV_BY(acosh)},   {"add", NXV_BY2(add)},      {"asin", NXV_BY(asin)},
    {"asinh", NXV_BY(asinh)}, {"atan", NXV_BY(atan)},     {"atanh", NXV_BY(atanh)},   {"cbrt", cube_root},
    {"cos", NXV_BY(cos)},     {"cosh", NXV_BY(cosh)},     {"divide", NXV_BY2(div)},   {"exp", NXV_BY(exp)},
    {"expm1", expm1},         {"log", NXV_BY(log)},       {"log1p", log1p},           {"multiply", NXV_BY2(mul)},
    {"pow", power},           {"rsqrt", reciprocal_root}, {"sigmoid", sigmoid},       {"sin", NXV_BY(sin)},
    {"sinh", NXV_BY(sinh)},   {"sqrt", NXV_BY(sqrt)},     {"subtract", NXV_BY2(sub)}, {"tan", tan},
    {"tanh", tanh},
};

Evaluate find_evaluate(std::string_view op) {
  for (const auto& [name, evaluate] : kEvaluate) {
    if (name == op) return evaluate;
  }
  return nullptr;
}

}  // namespace

bool has_complex(std::string_view op) { return find_evaluate(op) != nullptr; }

ComplexValue complex_value(std::string_view op, std::span<const double> in, std::span<const double, 2> got) {
  Complex a(53), b(53), y(kBits);
  mpc_set_d_d(a, in[0], in[1], MPC_RNDNN);
  if (in.size() > 2) mpc_set_d_d(b, in[2], in[3], MPC_RNDNN);
  find_evaluate(op)(y, a, b);
  const mpc_ptr exact = y;
  ComplexValue value;
  const mpfr_srcptr parts[2] = {mpc_realref(exact), mpc_imagref(exact)};
  for (const size_t k : {0, 1}) {
    value.nearest[k] = mpfr_get_d(parts[k], MPFR_RNDN);
    const int above = mpfr_cmp_d(parts[k], value.nearest[k]);
    value.odd[k] = rounded_to_odd({value.nearest[k], static_cast<double>((above > 0) - (above < 0))});
  }
  mpfr_t size;
  mpfr_init2(size, kBits);
  mpc_abs(size, exact, MPFR_RNDN);
  value.magnitude = mpfr_get_d(size, MPFR_RNDN);
  if (std::isfinite(got[0]) && std::isfinite(got[1])) {
    Complex apart(kBits);
    mpc_set_d_d(apart, got[0], got[1], MPC_RNDNN);
    mpc_sub(apart, exact, apart, MPC_RNDNN);
    mpc_abs(size, apart, MPFR_RNDN);
    value.distance = mpfr_get_d(size, MPFR_RNDN);
  }
  mpfr_clear(size);
  return value;
}

#else

bool has_complex(std::string_view) { return false; }
ComplexValue complex_value(std::string_view, std::span<const double>, std::span<const double, 2>) { return {}; }

#endif

}  // namespace nxv::cli
