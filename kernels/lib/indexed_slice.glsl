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

void add_dimension(inout SliceElement e, Slice slice, uint d) {
  const uint w = d * 4, q = divide_by(e.slice, SLICE_WORD(w + 1), SLICE_WORD(w + 2));
  e.offset += (e.slice - q * SLICE_WORD(w)) * SLICE_WORD(w + 3);
  e.slice = q;
}

// The usual few dimensions are written out: not every driver unrolls loops.
SliceElement slice_element(Slice slice, uint i, uint inner) {
  SliceElement e = SliceElement(i, 0, 0);
  add_dimension(e, slice, 0);
  if (kRank > 1u) add_dimension(e, slice, 1);
  for (uint d = 2; d < kRank; d++) add_dimension(e, slice, d);
  e.inside = i - e.slice * inner;
  return e;
}
