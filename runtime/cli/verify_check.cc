#include "runtime/cli/verify_check.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

constexpr double kNear = 0x1p-45;  // of RealFunction::near, relative
constexpr double kPast = HUGE_VAL;

// How many floats, or integers, lie between two results.
double steps(const Codec& codec, uint64_t a, uint64_t b) {
  const Number x = codec.decode(a), y = codec.decode(b);
  if (!x.floating) return std::fabs(static_cast<double>(x.integer - y.integer));
  if (x.is_nan() || y.is_nan() || (x.real == 0 && y.real == 0)) return kPast;
  const uint64_t sign = 1ull << (codec.info().bits - 1);
  const auto place = [&](uint64_t bits) {
    const auto size = static_cast<__int128>(bits & ~sign);
    return bits & sign ? -size : size;
  };
  const __int128 apart = place(a) - place(b);
  return static_cast<double>(apart < 0 ? -apart : apart);
}

// Results that are one number.
class RealJudge final : public Judge {
 public:
  RealJudge(const SignatureInfo& signature, std::vector<Codec> operands, Codec out, bool device_flushes)
      : Judge(signature, std::move(operands), std::move(out), 1) {
    exact_ = signature.op == "pow" && out_.floating() ? nullptr : find_exact(signature.op);
    if (!exact_) real_ = find_real(signature.op);
    may_flush_ = device_flushes && may_flush(signature);
  }

  bool slow() const override { return real_ && out_.info().bits == 64; }
  bool only_hard_points() const override { return slow() && !has_precise(real_->op); }
  void judge(const uint64_t* in, const uint64_t* got, Tally& tally) const override;

 private:
  // The right result, and how far off `got` is.
  struct Verdict {
    uint64_t want = 0;
    bool right = false, undecided = false;
    double error = 0, value = 0;
  };

  Verdict verdict(const uint64_t* in, uint64_t got) const;
  Verdict exact_verdict(const uint64_t* in, uint64_t got) const;
  Verdict real_verdict(const uint64_t* in, uint64_t got) const;
  Verdict wide_verdict(const uint64_t* in, std::span<const double> numbers, uint64_t got) const;
  double error_of(uint64_t got, double value) const;
  double step_of_terms(std::span<const double> numbers, double value) const;
  bool within(const Verdict& verdict) const;
  bool excused(const uint64_t* in, uint64_t got, const Verdict& verdict) const;

  ExactFunction exact_ = nullptr;
  const RealFunction* real_ = nullptr;
  bool may_flush_ = false;
};

RealJudge::Verdict RealJudge::exact_verdict(const uint64_t* in, uint64_t got) const {
  Number numbers[3];
  for (size_t k = 0; k < numbers_.size(); ++k) numbers[k] = numbers_[k].decode(in[k]);
  const Number value = exact_({numbers, numbers_.size()}, numbers_[0], out_);
  Verdict verdict{.want = out_.encode(value), .value = value.floating ? value.real : 0};
  verdict.right = out_.same(got, verdict.want);
  if (!verdict.right) verdict.error = steps(out_, got, verdict.want);
  return verdict;
}

double RealJudge::error_of(uint64_t got, double value) const {
  const double number = out_.decode(got).real;
  if (std::isnan(value) || std::isnan(number)) return std::isnan(value) && std::isnan(number) ? 0 : kPast;
  if (std::isinf(value)) return number == value ? 0 : kPast;
  if (value == 0 && number == 0) return std::signbit(value) == std::signbit(number) ? 0 : kPast;
  const double stands = std::isinf(number) ? std::copysign(out_.overflow(), number) : number;
  return std::fabs(stands - value) / out_.ulp(value);
}

// Left of 0 these are differences that vanish between poles: the bound is in steps of the larger term (the catalog).
// The step of the result in those.
double RealJudge::step_of_terms(std::span<const double> numbers, double value) const {
  const bool difference = real_->op == "lgamma" || real_->op == "digamma";
  if (!difference || !(numbers[0] < 0) || !std::isfinite(value) || value == 0) return 1;
  const double opposite = -numbers[0], term = std::fabs(real_->near({&opposite, 1}));
  return std::isfinite(term) ? out_.ulp(value) / out_.ulp(std::max(term, std::fabs(value))) : 1;
}

// f64 against MPFR, or against the table of hard points.
RealJudge::Verdict RealJudge::wide_verdict(const uint64_t* in, std::span<const double> numbers, uint64_t got) const {
  Verdict verdict;
  std::optional<PreciseValue> precise = precise_value(real_->op, numbers);
  if (!precise && !has_precise(real_->op)) {
    for (const HardPoint& point : hard_points()) {
      if (point.op == real_->op && point.argument == in[0]) precise = {std::bit_cast<double>(point.value), 0};
    }
  }
  if (!precise) {
    verdict.undecided = true;
    return verdict;
  }
  verdict.value = precise->nearest;
  verdict.want = out_.encode({.floating = true, .real = precise->nearest});
  verdict.right = out_.same(got, verdict.want);
  const double number = out_.decode(got).real;
  const bool finite = std::isfinite(number) && std::isfinite(precise->nearest);
  if (verdict.right) {
    verdict.error = std::isfinite(precise->nearest) ? std::fabs(precise->rest) : 0;
  } else if (finite && !(number == 0 && precise->nearest == 0)) {
    verdict.error = std::fabs((number - precise->nearest) / out_.ulp(precise->nearest) - precise->rest);
  } else {
    // The largest finite number and infinity are neighbours.
    const bool neighbours = !std::isnan(number) && !std::isnan(precise->nearest) && steps(out_, got, verdict.want) <= 1;
    verdict.error = neighbours ? 1 : kPast;
  }
  verdict.error *= step_of_terms(numbers, precise->nearest);
  return verdict;
}

RealJudge::Verdict RealJudge::real_verdict(const uint64_t* in, uint64_t got) const {
  double numbers[3];
  for (size_t k = 0; k < numbers_.size(); ++k) numbers[k] = numbers_[k].decode(in[k]).real;
  const std::span<const double> arguments(numbers, numbers_.size());
  if (out_.info().bits == 64) return wide_verdict(in, arguments, got);
  Verdict verdict{.value = real_->near(arguments)};
  const auto rounded = [&](double value) { return out_.encode({.floating = true, .real = value}); };
  verdict.want = rounded(verdict.value);
  if (std::isfinite(verdict.value) && verdict.value != 0) {
    const double slack = std::max(std::fabs(verdict.value) * kNear, real_->absolute);
    const bool near_middle = rounded(verdict.value - slack) != rounded(verdict.value + slack);
    if (near_middle || slack > out_.ulp(verdict.value) * 0x1p-12) {
      if (auto precise = precise_value(real_->op, arguments)) {
        verdict.value = rounded_to_odd(*precise);
        verdict.want = rounded(verdict.value);
      } else {
        verdict.undecided = near_middle;
      }
    }
  }
  verdict.right = out_.same(got, verdict.want);
  verdict.error = error_of(got, verdict.value) * step_of_terms(arguments, verdict.value);
  // What is rounded to infinity, or saturates, is as right as can be.
  if (verdict.right) verdict.error = std::min(verdict.error, 0.5);
  return verdict;
}

RealJudge::Verdict RealJudge::verdict(const uint64_t* in, uint64_t got) const {
  return exact_ ? exact_verdict(in, got) : real_verdict(in, got);
}

bool RealJudge::within(const Verdict& verdict) const {
  if (verdict.right) return true;
  return bound_ > 0.5 ? verdict.error <= bound_ : verdict.undecided && verdict.error <= 0.5 + 0x1p-10;
}

// Right for operands whose subnormals count as zeros, or but for a subnormal result that does.
bool RealJudge::excused(const uint64_t* in, uint64_t got, const Verdict& verdict) const {
  if (!may_flush_) return false;
  const auto vanishes = [&](const Verdict& one) {
    const bool small = out_.flushable(one.value) || out_.flushable(out_.decode(one.want).real);
    return out_.floating() && small && out_.decode(got).real == 0;
  };
  if (vanishes(verdict)) return true;
  uint64_t flushed[3];
  bool changed = false;
  for (size_t k = 0; k < numbers_.size(); ++k) {
    flushed[k] = numbers_[k].flushed(in[k]);
    changed = changed || flushed[k] != in[k];
  }
  if (!changed) return false;
  const Verdict other = this->verdict(flushed, got);
  return within(other) || vanishes(other);
}

void RealJudge::judge(const uint64_t* in, const uint64_t* result, Tally& tally) const {
  const uint64_t got = result[0];
  const Verdict found = verdict(in, got);
  ++tally.results;
  if (found.undecided) {
    ++tally.undecided;
  } else if (found.right) {
    ++tally.right;
  }
  const bool good = within(found) || (real_ && out_.info().bits == 64 && found.undecided);
  if (!good && excused(in, got, found)) {
    ++tally.flushed;
    return;
  }
  if (!good) ++tally.beyond;
  if (found.error <= tally.worst) return;
  tally.worst = found.error, tally.worst_got[0] = got, tally.worst_want[0] = found.want;
  std::copy_n(in, numbers_.size(), tally.worst_in);
}

}  // namespace

void Tally::merge(const Tally& other) {
  results += other.results, right += other.right, flushed += other.flushed;
  undecided += other.undecided, beyond += other.beyond;
  if (other.worst <= worst) return;
  worst = other.worst;
  std::ranges::copy(other.worst_in, worst_in);
  std::ranges::copy(other.worst_got, worst_got);
  std::ranges::copy(other.worst_want, worst_want);
}

std::unique_ptr<const Judge> Judge::find(const SignatureInfo& signature, bool device_flushes, std::string& reason) {
  auto kinds = element_kinds(signature.inputs);
  auto out = element_kind(signature.out);
  if (!kinds || !out || kinds->empty() || kinds->size() > 3) {
    reason = "no codec for the elements of " + std::string(signature.types);
    return nullptr;
  }
  if (!out->bits_only && parts_of(out->type) == 2) return find_complex_judge(signature, device_flushes, reason);
  const bool real_pow = signature.op == "pow" && is_float(out->type) && !out->bits_only;
  if ((!find_exact(signature.op) || real_pow) && !find_real(signature.op)) {
    reason = "no reference for " + std::string(signature.op);
    return nullptr;
  }
  try {
    std::vector<Codec> operands;
    for (const ElementKind& kind : *kinds) operands.emplace_back(kind);
    return std::make_unique<RealJudge>(signature, std::move(operands), Codec(*out), device_flushes);
  } catch (const Error& error) {
    reason = std::string("no reference: ") + error.what();
    return nullptr;
  }
}

std::string Judge::text(std::span<const Codec> codecs, const uint64_t* bits) const {
  std::string text;
  for (size_t k = 0; k < codecs.size(); ++k) {
    if (k > 0) text += parts_ == 2 && k % 2 == 1 ? " + i · " : ", ";
    text += codecs[k].text(bits[k]);
  }
  return text;
}

std::string Judge::describe(const Tally& tally) const {
  const std::vector<Codec> result(parts_, out_);
  return std::string(signature_.op) + "(" + text(numbers_, tally.worst_in) + ") is " + text(result, tally.worst_want) +
         ", not " + text(result, tally.worst_got);
}

}  // namespace nxv::cli
