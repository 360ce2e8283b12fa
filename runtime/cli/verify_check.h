#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/cli/reference.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

// Numbers that the operands of one result have together: two complex ones, or three real ones.
constexpr size_t kMostNumbers = 4;

// What is known of many results of one op and types.
struct Tally {
  uint64_t results = 0;
  uint64_t right = 0;      // correctly rounded, or exact
  uint64_t flushed = 0;    // differ only as a device may that flushes subnormals
  uint64_t undecided = 0;  // whether correctly rounded or not
  uint64_t beyond = 0;     // past the bound
  double worst = 0;        // ULP; infinite for NaN, signs of zero and the like
  uint64_t worst_in[kMostNumbers]{}, worst_got[2]{}, worst_want[2]{};

  void merge(const Tally& other);
};

// One op for one `types`, and how its results are judged. Complex elements are two numbers, the real part first.
// Immutable, thread-safe.
class Judge {
 public:
  // Null with a reason where nothing is known to compare with.
  static std::unique_ptr<const Judge> find(const SignatureInfo& signature, bool device_flushes, std::string& reason);
  virtual ~Judge() = default;

  // Of the numbers of all operands, one after the other, and of a number of the result.
  const std::vector<Codec>& numbers() const { return numbers_; }
  const Codec& out() const { return out_; }
  // Numbers an element, of operands as of results.
  size_t parts() const { return parts_; }
  size_t operands() const { return numbers_.size() / parts_; }
  double bound() const { return bound_; }
  // Whether each value takes arithmetic of many digits: as slow as that is.
  virtual bool slow() const = 0;
  // Only arguments of the table of hard points can be judged.
  virtual bool only_hard_points() const { return false; }

  virtual void judge(const uint64_t* in, const uint64_t* got, Tally& tally) const = 0;
  // "exp(1 (0x3f800000)) is …, not …"
  std::string describe(const Tally& tally) const;

 protected:
  Judge(const SignatureInfo& signature, std::vector<Codec> numbers, Codec out, size_t parts)
      : signature_(signature),
        numbers_(std::move(numbers)),
        out_(std::move(out)),
        parts_(parts),
        bound_(signature.ulp) {}
  std::string text(std::span<const Codec> codecs, const uint64_t* bits) const;

  const SignatureInfo& signature_;
  std::vector<Codec> numbers_;
  Codec out_;
  size_t parts_;
  double bound_ = 0;
};

// Null with a reason where no function of complex numbers is known by the op's name, or the build has no MPC.
std::unique_ptr<const Judge> find_complex_judge(const SignatureInfo& signature, bool device_flushes,
                                                std::string& reason);

}  // namespace nxv::cli
