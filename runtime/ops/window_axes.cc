#include "runtime/ops/window_axes.h"

#include <algorithm>
#include <optional>

namespace nxv {
namespace {

constexpr size_t kMostAxes = 32;  // the mask has as many bits

// Turns of all loops that one dispatch may take: llvmpipe of Mesa 22.3 leaves them after 65,535 together; a GPU must
// not seem to hang.
constexpr int64_t kTurnsCpu = 1 << 15, kTurnsGpu = 1 << 22;

std::vector<int64_t> numbers(const PlanBuilder& plan, AttrReader& attrs, std::string_view name, size_t count,
                             int64_t absent, int64_t least) {
  const std::optional<std::vector<int64_t>> given = attrs.list(name);
  if (!given) return std::vector<int64_t>(count, absent);
  const std::string what(name);
  if (given->size() != count) {
    plan.fail(what + " has " + std::to_string(given->size()) + " numbers, not " + std::to_string(count));
  }
  for (int64_t number : *given) {
    if (number < least) plan.fail(what + " has " + std::to_string(number));
  }
  return *given;
}

bool joins(const WindowAxis& outer, const WindowAxis& inner) {
  if (outer.elements != inner.elements * inner.extent) return false;
  return (outer.is_plain() && inner.is_plain()) || (outer.is_covered() && inner.is_covered());
}

}  // namespace

std::vector<WindowAxis> read_window_axes(const PlanBuilder& plan, AttrReader& attrs, const Dims& dims) {
  const size_t rank = dims.size();
  const std::vector<int64_t> window = numbers(plan, attrs, "window", rank, 1, 1);
  const std::vector<int64_t> strides = numbers(plan, attrs, "strides", rank, 1, 1);
  const std::vector<int64_t> padding = numbers(plan, attrs, "padding", 2 * rank, 0, INT64_MIN);
  const std::vector<int64_t> dilations = numbers(plan, attrs, "window_dilations", rank, 1, 1);
  std::vector<WindowAxis> axes(rank);
  int64_t elements = 1;
  for (size_t d = rank; d-- > 0;) {
    const int64_t padded = dims[d] + padding[2 * d] + padding[2 * d + 1];
    const int64_t covered = (window[d] - 1) * dilations[d] + 1;
    if (covered > padded) {
      plan.fail("a window over " + std::to_string(covered) + " elements does not fit into " + std::to_string(padded) +
                " along axis " + std::to_string(d));
    }
    axes[d] = {.out = (padded - covered) / strides[d] + 1,
               .extent = dims[d],
               .window = window[d],
               .stride = strides[d],
               .dilation = dilations[d],
               .low = padding[2 * d],
               .elements = elements};
    elements *= dims[d];
  }
  return axes;
}

Dims window_positions(const std::vector<WindowAxis>& axes) {
  Dims dims;
  for (const WindowAxis& axis : axes) dims.push_back(axis.out);
  return dims;
}

std::vector<WindowAxis> collapse_windows(const std::vector<WindowAxis>& axes) {
  std::vector<WindowAxis> result;
  for (WindowAxis axis : axes) {
    if (axis.window == 1) axis.dilation = 1;
    if (axis.out == 1) axis.stride = 1;
    if (axis.is_plain() && axis.extent == 1) continue;
    axis.has_window = !axis.is_plain();
    if (!result.empty() && joins(result.back(), axis)) {
      WindowAxis& outer = result.back();
      outer.out *= axis.out;
      outer.extent *= axis.extent;
      outer.window *= axis.window;
      outer.elements = axis.elements;
    } else {
      result.push_back(axis);
    }
  }
  if (std::ranges::none_of(result, &WindowAxis::has_window)) result.insert(result.begin(), {.has_window = true});
  return result;
}

uint32_t window_mask(const std::vector<WindowAxis>& axes) {
  uint32_t mask = 0;
  for (size_t d = 0; d < axes.size(); ++d) {
    if (axes[axes.size() - 1 - d].has_window) mask |= 1u << d;
  }
  return mask;
}

size_t innermost_window(const std::vector<WindowAxis>& axes) {
  for (size_t d = axes.size(); d-- > 0;) {
    if (axes[d].has_window) return d;
  }
  return 0;
}

int64_t window_rows(const std::vector<WindowAxis>& axes) {
  int64_t rows = 1;
  const size_t last = innermost_window(axes);
  for (size_t d = 0; d < last; ++d) rows *= axes[d].has_window ? axes[d].window : 1;
  return rows;
}

std::vector<WindowShare> window_shares(const std::vector<WindowAxis>& axes, bool cpu) {
  const int64_t rows = window_rows(axes), k = axes[innermost_window(axes)].window, turns = cpu ? kTurnsCpu : kTurnsGpu;
  const int64_t overhead = static_cast<int64_t>(axes.size()) + 1;  // turns of a row besides its elements
  const int64_t most_rows = std::max<int64_t>(turns / (k + overhead), 1), most_k = std::min(k, turns);
  std::vector<WindowShare> shares;
  for (int64_t row = 0; row < rows; row += most_rows) {
    for (int64_t begin = 0; begin < k; begin += most_k) {
      shares.push_back({row, std::min(rows, row + most_rows), begin, std::min(k, begin + most_k)});
    }
  }
  return shares;
}

int64_t most_covering_windows(bool cpu, size_t axes) {
  return (cpu ? kTurnsCpu : kTurnsGpu) / (static_cast<int64_t>(axes) + 1);
}

void check_window_range(const PlanBuilder& plan, const std::vector<WindowAxis>& axes) {
  constexpr int64_t most = INT32_MAX;
  if (axes.size() > kMostAxes) {
    plan.unsupported(std::to_string(axes.size()) + " axes that do not join; " + std::to_string(kMostAxes) + " at most");
  }
  bool fits = window_rows(axes) <= most;
  for (const WindowAxis& axis : axes) {
    const int64_t reach = (axis.out - 1) * axis.stride + (axis.window - 1) * axis.dilation + axis.dilation;
    fits = fits && std::max({axis.out, axis.extent, axis.window, axis.stride, axis.dilation}) <= most;
    fits = fits && std::max({reach, axis.low, reach - axis.low, axis.extent + axis.low + axis.dilation}) <= most &&
           axis.low >= -most;
  }
  if (!fits) plan.unsupported("a window that reaches over more than 2^31 elements along an axis");
}

void put_window_axes(StepWriter& step, const std::vector<WindowAxis>& axes) {
  const auto put = [&](int64_t value) { step.param(static_cast<uint32_t>(value)); };
  const auto put_divisor = [&](int64_t value) {
    const Division division = division_by(static_cast<uint32_t>(value));
    put(value);
    step.param(division.magic).param(division.shift);
  };
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    put_divisor(axis->out);
    put(axis->stride);
    put(axis->stride * axis->elements);
    put(axis->low);
    put(axis->extent);
    put(axis->elements);
    put_divisor(axis->window);
    put_divisor(axis->dilation);
    put(axis->dilation * axis->elements);
    for (int64_t divisor : {axis->extent, axis->stride}) {
      const Division division = division_by(static_cast<uint32_t>(divisor));
      step.param(division.magic).param(division.shift);
    }
  }
}

}  // namespace nxv
