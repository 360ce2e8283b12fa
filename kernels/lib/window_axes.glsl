#pragma once
// The axes of a sliding window, innermost first, as a block of words in memory.
#include "index.glsl"

layout(constant_id = 1) const uint kAxes = 1;
layout(constant_id = 2) const uint kWindows = 1;  // bit d: axis d has a window; one bit at least

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Words { uint v[]; };

// Where the words of an axis are.
const uint kOut = 0, kOutMagic = 1, kOutShift = 2;  // positions of the window
const uint kStride = 3;                             // elements along the axis from one position to the next
const uint kStep = 4;                               // the same in memory
const uint kLow = 5;                                // elements of padding before the first; may be negative
const uint kExtent = 6;                             // elements along the axis
const uint kElements = 7;                           // from one to the next in memory
const uint kWindow = 8, kWindowMagic = 9, kWindowShift = 10;
const uint kDilation = 11, kDilationMagic = 12, kDilationShift = 13;
const uint kReach = 14;  // dilation in memory
const uint kExtentMagic = 15, kExtentShift = 16, kStrideMagic = 17, kStrideShift = 18;
const uint kWords = 19;

bool has_window(uint d) { return (kWindows >> d & 1u) != 0u; }
uint innermost_window() { return uint(findLSB(kWindows)); }

// Takes the index along axis d off a flat index.
uint next_index(Words axes, uint d, inout uint flat_index) {
  uint w = d * kWords, q = divide_by(flat_index, axes.v[w + kOutMagic], axes.v[w + kOutShift]);
  uint index = flat_index - q * axes.v[w + kOut];
  flat_index = q;
  return index;
}

uint next_of_window(Words axes, uint d, inout uint flat_index) {
  uint w = d * kWords, q = divide_by(flat_index, axes.v[w + kWindowMagic], axes.v[w + kWindowShift]);
  uint index = flat_index - q * axes.v[w + kWindow];
  flat_index = q;
  return index;
}

// ⌈x / dilation⌉
uint dilations(Words axes, uint d, uint x) {
  uint w = d * kWords;
  return divide_by(x + axes.v[w + kDilation] - 1, axes.v[w + kDilationMagic], axes.v[w + kDilationShift]);
}

// The first k of axis d, and the one past the last, that lie on elements where the window begins at `origin`.
uvec2 inside_of(Words axes, uint d, int origin) {
  int extent = int(axes.v[d * kWords + kExtent]);
  uint begin = origin < 0 ? dilations(axes, d, uint(-origin)) : 0u;
  uint end = origin < extent ? dilations(axes, d, uint(extent - origin)) : 0u;
  return uvec2(begin, min(end, axes.v[d * kWords + kWindow]));
}
