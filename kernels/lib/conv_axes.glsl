#pragma once
// Where a convolution's elements are. The spatial axes lie innermost first behind the strides in a block of words.
#include "index.glsl"

layout(constant_id = 1) const uint kAxes = 1;     // spatial
layout(constant_id = 2) const uint kDilated = 0;  // 1: zeros lie between the elements of the input

layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Words { uint v[]; };

const uint kInBatch = 0, kInChannel = 1, kInGroup = 2;
const uint kKernelOut = 3, kKernelIn = 4, kKernelGroup = 5;
const uint kOutBatch = 6, kOutChannel = 7, kOutGroup = 8, kOutSplit = 9;
const uint kChannels = 10, kChannelsMagic = 11, kChannelsShift = 12;
const uint kHeader = 13;

const uint kOut = 0, kOutMagic = 1, kOutShift = 2, kOutElements = 3;
const uint kStride = 4, kLow = 5;
const uint kExtent = 6, kElements = 7;
const uint kDilation = 8, kDilationMagic = 9, kDilationShift = 10;  // of the input
const uint kKernel = 11, kKernelMagic = 12, kKernelShift = 13, kKernelElements = 14, kKernelDilation = 15;
const uint kWords = 16;

uint word(Words block, uint d, uint which) { return block.v[kHeader + d * kWords + which]; }

// A batch and an output position: the first element of its input, where the kernel begins along each axis, and its element of the output.
uint in_first, out_first;
int origin[kAxes];

void place(Words block, uint j) {
  uint rest = j;
  out_first = 0;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    uint q = divide_by(rest, word(block, d, kOutMagic), word(block, d, kOutShift));
    uint o = rest - q * word(block, d, kOut);
    rest = q;
    origin[d] = int(o * word(block, d, kStride) - word(block, d, kLow));
    out_first += o * word(block, d, kOutElements);
  }
  in_first = rest * block.v[kInBatch];
  out_first += rest * block.v[kOutBatch];
}

// The element of the input under a kernel position, from in_first on, where there is one.
bool find_input(Words block, uint position, out uint at) {
  bool inside = true;
  at = 0;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    uint q = divide_by(position, word(block, d, kKernelMagic), word(block, d, kKernelShift));
    int x = origin[d] + int((position - q * word(block, d, kKernel)) * word(block, d, kKernelDilation));
    position = q;
    uint e = uint(max(x, 0));
    inside = inside && x >= 0;
    if (kDilated != 0u) {
      uint whole = divide_by(e, word(block, d, kDilationMagic), word(block, d, kDilationShift));
      inside = inside && whole * word(block, d, kDilation) == e;
      e = whole;
    }
    inside = inside && e < word(block, d, kExtent);
    at += e * word(block, d, kElements);
  }
  return inside;
}

uint find_kernel(Words block, uint position) {
  uint at = 0;
  [[unroll]] for (uint d = 0; d < kAxes; d++) {
    uint q = divide_by(position, word(block, d, kKernelMagic), word(block, d, kKernelShift));
    at += (position - q * word(block, d, kKernel)) * word(block, d, kKernelElements);
    position = q;
  }
  return at;
}
