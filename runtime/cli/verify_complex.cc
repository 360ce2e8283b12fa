// How functions of complex numbers are judged: by the distance of the result, in ULP of its magnitude.

#include <algorithm>
#include <cmath>
#include <complex>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/cli/verify_check.h"

namespace nxv::cli {

namespace {

constexpr double kPast = HUGE_VAL;

class ComplexJudge final : public Judge {
 public:
  ComplexJudge(const SignatureInfo& signature, std::vector<Codec> numbers, Codec out, bool device_flushes)
      : Judge(signature, std::move(numbers), std::move(out), 2), may_flush_(device_flushes && may_flush(signature)) {}

  bool slow() const override { return true; }

  void judge(const uint64_t* in, const uint64_t* got, Tally& tally) const override {
    double arguments[kMostNumbers]{};
    for (size_t k = 0; k < numbers_.size(); ++k) arguments[k] = numbers_[k].decode(in[k]).real;
    const double result[2] = {out_.decode(got[0]).real, out_.decode(got[1]).real};
    const ComplexValue value = complex_value(signature_.op, {arguments, numbers_.size()}, result);
    uint64_t want[2];
    const double* rounded = out_.info().bits == 64 ? value.nearest : value.odd;
    for (size_t k = 0; k < 2; ++k) want[k] = out_.encode({.floating = true, .real = rounded[k]});
    ++tally.results;
    // C leaves open what powers of infinities and NaN are.
    if (signature_.op == "pow" && !std::ranges::all_of(arguments, [](double x) { return std::isfinite(x); })) {
      ++tally.undecided;
      return;
    }
    const bool right = out_.same(got[0], want[0]) && out_.same(got[1], want[1]);
    if (right) ++tally.right;
    double error = error_of(result, want, value) / condition_of(arguments);
    if (right) error = std::min(error, 1.0);
    if (error > bound_ && !right) {
      if (flushed(result, value)) {
        ++tally.flushed;
        return;
      }
      ++tally.beyond;
    }
    if (error <= tally.worst) return;
    tally.worst = error;
    std::copy_n(in, numbers_.size(), tally.worst_in);
    std::copy_n(got, 2, tally.worst_got);
    std::copy_n(want, 2, tally.worst_want);
  }

 private:
  // How much larger than a step the error of a power may be: exp multiplies that of its argument.
  double condition_of(const double* in) const {
    const std::complex<double> base{in[0], in[1]}, exponent{in[2], in[3]};
    if (signature_.op != "pow" || base == 0.0 || exponent == 0.0) return 1;
    return 1 + std::abs(exponent) * std::abs(std::log(base));
  }

  double error_of(const double* got, const uint64_t* want, const ComplexValue& value) const {
    const double parts[2] = {out_.decode(want[0]).real, out_.decode(want[1]).real};
    if (std::isinf(parts[0]) || std::isinf(parts[1])) return infinite_error(got, parts);
    if (std::isnan(parts[0]) || std::isnan(parts[1])) return std::isnan(got[0]) || std::isnan(got[1]) ? 0 : kPast;
    if (std::isnan(got[0]) || std::isnan(got[1]) || std::isinf(got[0]) || std::isinf(got[1])) return kPast;
    return value.distance / out_.ulp(value.magnitude);
  }

  // Infinite parts have their signs; beside NaN any infinity is one, as in Annex G, and for powers, whose direction
  // turns with the error of the exponent.
  double infinite_error(const double* got, const double* want) const {
    const bool any = signature_.op == "pow" || std::isnan(want[0]) || std::isnan(want[1]);
    if (any) return std::isinf(got[0]) || std::isinf(got[1]) ? 0 : kPast;
    // Some steps below what overflows.
    const double large = out_.info().bits == 32 ? 0x1.fffff0p127 : 0x1.ffffffffffff0p1023;
    double error = 0;
    for (const size_t k : {0, 1}) {
      if (!std::isinf(want[k]) || got[k] == want[k]) continue;
      const bool near = std::fabs(got[k]) >= large && std::signbit(got[k]) == std::signbit(want[k]);
      error = std::max(error, near ? 1 : kPast);
    }
    return error;
  }

  // A result that a device without subnormals gives as zero.
  bool flushed(const double* got, const ComplexValue& value) const {
    return may_flush_ && out_.flushable(value.magnitude) && got[0] == 0 && got[1] == 0;
  }

  bool may_flush_;
};

}  // namespace

std::unique_ptr<const Judge> find_complex_judge(const SignatureInfo& signature, bool device_flushes,
                                                std::string& reason) {
  if (!has_complex(signature.op)) {
    reason = has_complex("exp") ? "no reference for " + std::string(signature.op) + " of complex numbers"
                                : "no reference for complex numbers: built without MPC";
    return nullptr;
  }
  const auto kinds = element_kinds(signature.inputs);
  const Type type = element_kind(signature.out)->type;
  for (const ElementKind& kind : *kinds) {
    if (kind.bits_only || kind.type != type || kinds->size() > kMostNumbers / 2) {
      reason = "no reference for " + std::string(signature.op) + " of mixed types";
      return nullptr;
    }
  }
  const ElementKind part{parse_type(type_info(type).bits == 64 ? "f32" : "f64"), false};
  return std::make_unique<ComplexJudge>(signature, std::vector<Codec>(2 * kinds->size(), Codec(part)), Codec(part),
                                        device_flushes);
}

}  // namespace nxv::cli
