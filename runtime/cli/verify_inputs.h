#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/cli/codec.h"

namespace nxv::cli {

// The arguments an op is tried with, by number, the same on every host: all of them where they are few, else special
// ones, all pairs of those, and numbers spread over all bit patterns and over ordinary sizes. Thread-safe.
class VerifyInputs {
 public:
  // `samples`: how many where not all are taken; `most_bits`: all are taken of operands of up to so many bits together;
  // `pairs`: how many combinations of special arguments at most, where all of them are more.
  VerifyInputs(std::string_view op, std::vector<const Codec*> operands, uint64_t samples, uint32_t most_bits,
               uint64_t pairs = 1 << 16);

  bool exhaustive() const { return exhaustive_; }
  uint64_t count() const { return count_; }
  // The first ones of a sample are those of the table of hard points.
  uint64_t hard_count() const { return hard_.size(); }
  // The bits of every operand of tuple `index`.
  void at(uint64_t index, uint64_t* bits) const;

 private:
  uint64_t special(size_t operand, uint64_t index) const;
  uint64_t moderate(const Codec& codec, uint64_t random) const;

  std::vector<const Codec*> operands_;
  std::vector<std::vector<uint64_t>> specials_;
  std::vector<uint64_t> hard_;  // arguments known to be so
  bool exhaustive_ = false;
  uint64_t count_ = 0, special_count_ = 0, spread_ = 1;
};

}  // namespace nxv::cli
