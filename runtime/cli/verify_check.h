#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/cli/reference.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

// What is known of many results of one op and types.
struct Tally {
  uint64_t results = 0;
  uint64_t right = 0;      // correctly rounded, or exact
  uint64_t flushed = 0;    // differ only as a device may that flushes subnormals
  uint64_t undecided = 0;  // whether correctly rounded or not
  uint64_t beyond = 0;     // past the bound
  double worst = 0;        // ULP; infinite for NaN, signs of zero and the like
  uint64_t worst_in[3]{}, worst_got = 0, worst_want = 0;

  void merge(const Tally& other);
};

// One op for one `types`, and how its results are judged. Immutable, thread-safe.
class Judge {
 public:
  // Null with a reason where nothing is known to compare with.
  static std::unique_ptr<const Judge> find(const SignatureInfo& signature, bool device_flushes, std::string& reason);

  const std::vector<Codec>& operands() const { return operands_; }
  const Codec& out() const { return out_; }
  double bound() const { return bound_; }
  // Whether MPFR has every value: as slow as it is.
  bool slow() const { return real_ && out_.info().bits == 64; }
  // Only arguments of the table of hard points can be judged.
  bool only_hard_points() const { return slow() && !has_precise(real_->op); }

  void judge(const uint64_t* in, uint64_t got, Tally& tally) const;
  // "exp(1 (0x3f800000)) is …, not …"
  std::string describe(const Tally& tally) const;

 private:
  // The right result, and how far off `got` is.
  struct Verdict {
    uint64_t want = 0;
    bool right = false, undecided = false;
    double error = 0, value = 0;
  };

  Judge(const SignatureInfo& signature, std::vector<Codec> operands, Codec out, bool device_flushes);
  Verdict verdict(const uint64_t* in, uint64_t got) const;
  Verdict exact_verdict(const uint64_t* in, uint64_t got) const;
  Verdict real_verdict(const uint64_t* in, uint64_t got) const;
  Verdict wide_verdict(const uint64_t* in, std::span<const double> numbers, uint64_t got) const;
  double error_of(uint64_t got, double value) const;
  bool within(const Verdict& verdict) const;
  bool excused(const uint64_t* in, uint64_t got, const Verdict& verdict) const;

  const SignatureInfo& signature_;
  std::vector<Codec> operands_;
  Codec out_;
  ExactFunction exact_ = nullptr;
  const RealFunction* real_ = nullptr;
  double bound_ = 0;
  bool may_flush_ = false;
};

}  // namespace nxv::cli
