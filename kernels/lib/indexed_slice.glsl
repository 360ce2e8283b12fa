#pragma once
// Elements of slices: which update, and how far from the start of its slice.
#include "index.glsl"
#include "index_values.glsl"

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Numbers { uint v[]; };

// Innermost first: size, magic, shift, stride in the target.
const uint kSliceWords = 12;

struct Slice {
  Words block;
  uint pushed[kSliceWords];
};

struct SliceElement {
  uint slice;   // in the order of slices
  uint inside;  // its number in the slice
  uint offset;  // in the target
};

#define SLICE_WORD(w) (kInMemory != 0u ? slice.block.v[w] : slice.pushed[w])

SliceElement slice_element(Slice slice, uint i, uint inner) {
  SliceElement e;
  uint rest = i;
  e.offset = 0;
  for (uint d = 0, w = 0; d < kRank; d++, w += 4) {
    const uint q = divide_by(rest, SLICE_WORD(w + 1), SLICE_WORD(w + 2));
    e.offset += (rest - q * SLICE_WORD(w)) * SLICE_WORD(w + 3);
    rest = q;
  }
  e.slice = rest;
  e.inside = i - rest * inner;
  return e;
}
