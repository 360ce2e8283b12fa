#pragma once

#include <cstdint>
#include <vector>

#include "runtime/cli/launch.h"

namespace nxv::cli {

// The bits of an element of up to 64 bits as a number and back: element.h's rules, made fast. Immutable, thread-safe.
class Codec {
 public:
  // Throws unsupported for types that element.h cannot read, for complex ones, and for more than 64 bits.
  explicit Codec(ElementKind kind);

  Type type() const { return kind_.type; }
  const TypeInfo& info() const { return type_info(kind_.type); }
  bool floating() const { return floating_; }
  uint64_t bytes() const { return kind_.bytes(); }
  uint64_t mask() const { return mask_; }

  uint64_t load(const std::byte* element) const;
  void store(uint64_t bits, std::byte* element) const;

  Number decode(uint64_t bits) const;
  // Floats are rounded to nearest even, once; integers keep their low bits.
  uint64_t encode(const Number& number) const;

  // The distance of the two neighbours that `value` lies between (floats only).
  double ulp(double value) const;
  // What comes after the largest finite number, as if the exponents went on.
  double overflow() const { return overflow_; }
  // Equal bits, or both NaN.
  bool same(uint64_t a, uint64_t b) const;

  // Subnormals that a device without denormal preservation may flush.
  bool flushable(double value) const;
  uint64_t flushed(uint64_t bits) const;

  // "0.1 (0x3dcccccd)"
  std::string text(uint64_t bits) const;

 private:
  ElementKind kind_;
  bool floating_ = false, f32_exponents_ = false;
  uint64_t mask_ = ~0ull;
  double overflow_ = 0;
  std::vector<double> values_;  // by bits, where there are few
};

}  // namespace nxv::cli
