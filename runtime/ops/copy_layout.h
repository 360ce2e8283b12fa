#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ops/strided_copy.h"

namespace nxv {

// A copy brought to its simplest form. Axes are outermost first by where they write; strides of writing are positive.
struct CopyLayout {
  uint32_t width = 32;  // bits of an element
  int64_t from_origin = 0, to_origin = 0;
  std::vector<CopyAxis> axes;  // none has extent 1

  int64_t count() const;
  // The lowest and the highest element that is read, from the start of the tensor.
  int64_t lowest_from() const;
  int64_t highest_from() const;
  int64_t highest_to() const;
};

// What is known of the addresses of both tensors, in bytes, and how far apart their moving starts can be.
struct CopyAlignment {
  uint64_t from = 1, to = 1;
  std::vector<int64_t> start_strides;  // elements
};

CopyLayout simplify(const StridedCopy& copy);

// The same with elements as wide as strides, origins and alignments allow, up to 128 bits.
CopyLayout widen(CopyLayout layout, const CopyAlignment& alignment);

// The largest power of two that divides the address of element `origin`.
uint64_t alignment_at(uint64_t base, int64_t origin, uint32_t width);

// Which axes make a transposition: `column` writes consecutive elements, `row` reads them. False where there is none.
struct Transposition {
  size_t row = 0, column = 0;
};
bool find_transposition(const CopyLayout& layout, Transposition& found);

// Two halves along the axis that reaches furthest.
std::vector<CopyLayout> halve(const CopyLayout& layout);

}  // namespace nxv
