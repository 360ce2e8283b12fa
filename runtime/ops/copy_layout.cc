#include "runtime/ops/copy_layout.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace nxv {
namespace {

void merge_axes(std::vector<CopyAxis>& axes) {
  std::vector<CopyAxis> merged;
  for (const CopyAxis& axis : axes) {
    if (axis.extent == 1) continue;
    if (!merged.empty() && merged.back().from == axis.from * axis.extent && merged.back().to == axis.to * axis.extent) {
      merged.back() = {merged.back().extent * axis.extent, axis.from, axis.to};
    } else {
      merged.push_back(axis);
    }
  }
  axes = std::move(merged);
}

}  // namespace

int64_t CopyLayout::count() const {
  int64_t count = 1;
  for (const CopyAxis& axis : axes) count *= axis.extent;
  return count;
}

int64_t CopyLayout::lowest_from() const {
  int64_t at = from_origin;
  for (const CopyAxis& axis : axes) at += std::min<int64_t>(axis.from, 0) * (axis.extent - 1);
  return at;
}

int64_t CopyLayout::highest_from() const {
  int64_t at = from_origin;
  for (const CopyAxis& axis : axes) at += std::max<int64_t>(axis.from, 0) * (axis.extent - 1);
  return at;
}

int64_t CopyLayout::highest_to() const {
  int64_t at = to_origin;
  for (const CopyAxis& axis : axes) at += axis.to * (axis.extent - 1);
  return at;
}

CopyLayout simplify(const StridedCopy& copy) {
  CopyLayout layout;
  layout.width = type_info(copy.to.spec.type).bits;
  layout.from_origin = copy.from_origin;
  layout.to_origin = copy.to_origin;
  for (CopyAxis axis : copy.axes) {
    if (axis.extent == 1) continue;
    if (axis.to < 0) {
      layout.from_origin += axis.from * (axis.extent - 1);
      layout.to_origin += axis.to * (axis.extent - 1);
      axis.from = -axis.from;
      axis.to = -axis.to;
    }
    layout.axes.push_back(axis);
  }
  std::ranges::stable_sort(layout.axes, std::ranges::greater{}, &CopyAxis::to);
  merge_axes(layout.axes);
  return layout;
}

uint64_t alignment_at(uint64_t base, int64_t origin, uint32_t width) {
  const uint64_t bits = base | (static_cast<uint64_t>(std::abs(origin)) * (width / 8));
  return bits & (~bits + 1);
}

CopyLayout widen(CopyLayout layout, const CopyAlignment& alignment) {
  if (layout.axes.empty() || layout.axes.back().from != 1 || layout.axes.back().to != 1) return layout;
  const auto allows = [&](int64_t factor) {
    const uint64_t bytes = layout.width / 8 * static_cast<uint64_t>(factor);
    if (bytes > 16 || alignment.from % bytes != 0 || alignment.to % bytes != 0) return false;
    if (layout.axes.back().extent % factor != 0) return false;
    if (layout.from_origin % factor != 0 || layout.to_origin % factor != 0) return false;
    for (size_t a = 0; a + 1 < layout.axes.size(); ++a) {
      if (layout.axes[a].from % factor != 0 || layout.axes[a].to % factor != 0) return false;
    }
    return std::ranges::all_of(alignment.start_strides, [&](int64_t stride) { return stride % factor == 0; });
  };
  int64_t factor = 16;
  while (factor > 1 && !allows(factor)) factor /= 2;
  if (factor == 1) return layout;
  layout.width *= static_cast<uint32_t>(factor);
  layout.from_origin /= factor;
  layout.to_origin /= factor;
  for (size_t a = 0; a + 1 < layout.axes.size(); ++a) {
    layout.axes[a].from /= factor;
    layout.axes[a].to /= factor;
  }
  layout.axes.back().extent /= factor;
  if (layout.axes.back().extent == 1) layout.axes.pop_back();
  return layout;
}

bool find_transposition(const CopyLayout& layout, Transposition& found) {
  if (layout.axes.size() < 2) return false;
  const size_t column = layout.axes.size() - 1;
  if (layout.axes[column].to != 1 || layout.axes[column].from <= 1) return false;
  for (size_t row = 0; row < column; ++row) {
    if (layout.axes[row].from != 1) continue;
    found = {row, column};
    return true;
  }
  return false;
}

std::vector<CopyLayout> halve(const CopyLayout& layout) {
  const auto reach = [](const CopyAxis& axis) {
    return (axis.extent - 1) * std::max({std::abs(axis.from), axis.to, int64_t{1}});
  };
  size_t widest = 0;
  for (size_t a = 1; a < layout.axes.size(); ++a) {
    if (reach(layout.axes[a]) > reach(layout.axes[widest])) widest = a;
  }
  CopyLayout first = layout, second = layout;
  const int64_t extent = layout.axes[widest].extent;
  const int64_t cut = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent)) / 2);
  first.axes[widest].extent = cut;
  second.axes[widest].extent = extent - cut;
  second.from_origin += cut * layout.axes[widest].from;
  second.to_origin += cut * layout.axes[widest].to;
  for (CopyLayout* half : {&first, &second}) merge_axes(half->axes);
  return {first, second};
}

}  // namespace nxv
