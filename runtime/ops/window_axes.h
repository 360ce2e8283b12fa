#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/builder.h"

namespace nxv {

// A window sliding along one axis: element `o · stride + k · dilation − low` for position o and offset k.
struct WindowAxis {
  int64_t out = 1;     // positions
  int64_t extent = 1;  // elements
  int64_t window = 1;
  int64_t stride = 1, dilation = 1;
  int64_t low = 0;       // padding before the first element; negative: elements left out
  int64_t elements = 1;  // from one element to the next in memory
  bool has_window = false;

  // Each position is its own element.
  bool is_plain() const { return window == 1 && stride == 1 && low == 0 && out == extent; }
  // The only position covers all elements.
  bool is_covered() const { return out == 1 && window == extent && dilation == 1 && low == 0; }
  bool operator==(const WindowAxis&) const = default;
};

// Reads the attributes window, strides, padding (low and high an axis) and window_dilations of an operand of these
// dimensions; absent, they are 1, 1, 0 and 1. Throws what PlanBuilder::fail does.
std::vector<WindowAxis> read_window_axes(const PlanBuilder& plan, AttrReader& attrs, const Dims& dims);

// The positions along each axis.
Dims window_positions(const std::vector<WindowAxis>& axes);

// The fewest axes that do the same, outermost first. Those that aren't plain have windows; one does in any case.
std::vector<WindowAxis> collapse_windows(const std::vector<WindowAxis>& axes);

// Which axes have windows: bit d for axis d, counted from the innermost.
uint32_t window_mask(const std::vector<WindowAxis>& axes);
size_t innermost_window(const std::vector<WindowAxis>& axes);

// Elements under a window without those along its innermost axis.
int64_t window_rows(const std::vector<WindowAxis>& axes);

// A part of every window that one dispatch takes: rows and, where it is one row, elements of it. In row-major order.
struct WindowShare {
  int64_t row_begin = 0, row_end = 1, k_begin = 0, k_end = 1;
};
std::vector<WindowShare> window_shares(const std::vector<WindowAxis>& axes, bool cpu);

// Windows over one element that one dispatch looks at.
int64_t most_covering_windows(bool cpu, size_t axes);

// Throws unsupported where the numbers of an axis pass 31 bits.
void check_window_range(const PlanBuilder& plan, const std::vector<WindowAxis>& axes);

// The block that window_axes.glsl reads.
void put_window_axes(StepWriter& step, const std::vector<WindowAxis>& axes);

}  // namespace nxv
