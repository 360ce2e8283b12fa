#include "runtime/cli/verify_inputs.h"

#include <algorithm>
#include <cmath>

#include "runtime/cli/reference.h"

namespace nxv::cli {

namespace {

uint64_t mix(uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

std::vector<uint64_t> integer_specials(const Codec& codec) {
  std::vector<uint64_t> list;
  for (int64_t value = -70; value <= 70; ++value) list.push_back(static_cast<uint64_t>(value) & codec.mask());
  for (uint32_t bit = 0; bit < codec.info().bits; ++bit) {
    for (int64_t near = -1; near <= 1; ++near) {
      const uint64_t power = 1ull << bit;
      for (uint64_t value : {power, ~power + 1}) {
        list.push_back((value + static_cast<uint64_t>(near)) & codec.mask());
      }
    }
  }
  return list;
}

// Where functions turn, overflow, underflow or change sign; powers of two; each with its neighbours and its negative.
std::vector<uint64_t> float_specials(const Codec& codec, bool every_exponent) {
  std::vector<double> values{0,
                             0.1,
                             0.25,
                             0.4375,
                             0.6931471805599453,
                             0.75,
                             0.84375,
                             1.5,
                             2.5,
                             2.8125,
                             1.4616321,
                             2.718281828459045,
                             3,
                             5,
                             6.5,
                             7,
                             9.5,
                             10,
                             17.5,
                             20,
                             27.2,
                             33,
                             87.33655,
                             88.72284,
                             89.41599,
                             103.97208,
                             110,
                             255,
                             255.5,
                             256,
                             709.78,
                             710.4758,
                             744.44,
                             745.1333,
                             65504,
                             65536,
                             8388607.5,
                             8388609,
                             16777217,
                             33554433,
                             1e10,
                             4.0e36,
                             0x1.6p71,
                             1e300,
                             171.6,
                             35.04,
                             40};
  for (int quarter = 1; quarter <= 16; ++quarter) values.push_back(quarter * 0.7853981633974483);
  for (int half = 1; half <= 12; ++half) values.push_back(half / 2.0);
  const bool wide = codec.info().bits == 64;
  const int least = wide ? -1074 : -149, most = wide ? 1023 : 127;
  for (int exponent = least; exponent <= most; ++exponent) {
    const bool edge = exponent == -126 || exponent == -1022 || exponent == most || exponent == least;
    if (every_exponent || edge || std::abs(exponent) <= 1 || exponent % 32 == 31)
      values.push_back(std::ldexp(1.0, exponent));
  }
  std::vector<uint64_t> list;
  const uint64_t sign = 1ull << (codec.info().bits - 1);
  for (double value : values) {
    const uint64_t bits = codec.encode({.floating = true, .real = value});
    for (uint64_t one : {bits, bits + 1, bits == 0 ? 0 : bits - 1}) {
      list.push_back(one & codec.mask());
      list.push_back((one | sign) & codec.mask());
    }
  }
  const uint64_t infinity = codec.encode({.floating = true, .real = HUGE_VAL});
  const uint64_t nan = codec.encode({.floating = true, .real = NAN});
  for (uint64_t one : {infinity, infinity - 1, infinity + 1, nan}) {
    list.push_back(one & codec.mask());
    list.push_back((one | sign) & codec.mask());
  }
  return list;
}

}  // namespace

VerifyInputs::VerifyInputs(std::string_view op, std::vector<const Codec*> operands, uint64_t samples,
                           uint32_t most_bits, uint64_t pairs)
    : operands_(std::move(operands)) {
  uint32_t bits = 0;
  for (const Codec* codec : operands_) bits += codec->info().bits;
  if (bits <= most_bits) {
    exhaustive_ = true;
    count_ = 1ull << bits;
    return;
  }
  special_count_ = 1;
  for (const Codec* codec : operands_) {
    auto list = codec->floating() ? float_specials(*codec, operands_.size() == 1) : integer_specials(*codec);
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
    special_count_ *= list.size();
    specials_.push_back(std::move(list));
  }
  if (operands_.size() == 1 && operands_[0]->info().bits == 64) {
    for (const HardPoint& point : hard_points()) {
      if (point.op == op) hard_.push_back(point.argument);
    }
  }
  special_count_ = std::min<uint64_t>(special_count_, std::max<uint64_t>(pairs, specials_[0].size()));
  count_ = hard_.size() + special_count_ + samples;
  spread_ = std::max<uint64_t>(operands_[0]->mask() / std::max<uint64_t>(samples / 2, 1), 1);
}

// Of several operands' specials, all pairs where that isn't too much, else some.
uint64_t VerifyInputs::special(size_t operand, uint64_t index) const {
  uint64_t all = 1;
  for (const auto& list : specials_) all *= list.size();
  if (all > special_count_) return specials_[operand][mix(index * 4 + operand) % specials_[operand].size()];
  for (size_t k = 0; k < operand; ++k) index /= specials_[k].size();
  return specials_[operand][index % specials_[operand].size()];
}

uint64_t VerifyInputs::moderate(const Codec& codec, uint64_t random) const {
  if (!codec.floating()) return (static_cast<uint64_t>(static_cast<int64_t>(random % 281) - 140)) & codec.mask();
  const double fraction = static_cast<double>(random >> 11) * 0x1p-53, sign = random & 1 ? -1 : 1;
  const uint64_t kind = random >> 1 & 7;
  const double value = kind < 2   ? fraction
                       : kind < 4 ? fraction * 8
                       : kind < 6 ? fraction * 120
                                  : std::ldexp(1 + fraction, static_cast<int>(random >> 4 & 31) - 24);
  return codec.encode({.floating = true, .real = sign * value});
}

void VerifyInputs::at(uint64_t index, uint64_t* bits) const {
  if (exhaustive_) {
    for (size_t k = 0; k < operands_.size(); ++k) {
      bits[k] = index & operands_[k]->mask();
      index = operands_[k]->info().bits == 64 ? 0 : index >> operands_[k]->info().bits;
    }
    return;
  }
  if (index < hard_.size()) {
    bits[0] = hard_[index];
    return;
  }
  index -= hard_.size();
  if (index < special_count_) {
    for (size_t k = 0; k < operands_.size(); ++k) bits[k] = special(k, index);
    return;
  }
  index -= special_count_;
  const uint64_t turn = index % 8;
  for (size_t k = 0; k < operands_.size(); ++k) {
    const Codec& codec = *operands_[k];
    const uint64_t random = mix(index * 4 + k);
    const bool spread =
        operands_.size() == 1 ? turn % 2 == 0 : turn < 2 || (turn == 2 && k == 0) || (turn == 3 && k > 0);
    if (spread && operands_.size() == 1) {
      bits[k] = (index / 2 * spread_ + random % spread_) & codec.mask();
    } else if (spread) {
      bits[k] = random & codec.mask();
    } else if (turn == 4 && k > 0 && operands_[k - 1]->mask() == codec.mask()) {
      // Neighbours of the operand before: where differences cancel and comparisons turn.
      bits[k] = (bits[k - 1] + random % 9 - 4) & codec.mask();
    } else {
      bits[k] = moderate(codec, random);
    }
  }
}

}  // namespace nxv::cli
