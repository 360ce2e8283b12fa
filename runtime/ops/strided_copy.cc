#include "runtime/ops/strided_copy.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/copy_layout.h"

namespace nxv {
namespace {

constexpr size_t kStridedAxes = 5, kTileBatchAxes = 2;
constexpr int64_t kLeastTransposed = 8;  // a shorter side isn't worth a tile
constexpr uint32_t kPatchEdge = 4;

struct Kernel {
  std::string_view access;
  int64_t per_group = 1;  // elements, or tiles
};

// One simplified copy and the tensors it works on.
class CopyPlanner {
 public:
  CopyPlanner(PlanBuilder& plan, const StridedCopy& copy)
      : plan_(plan), copy_(copy), threads_(std::min(256u, plan.traits().max_workgroup_size)) {}

  void append() {
    CopyAlignment alignment{copy_.from.alignment, copy_.to.alignment, {}};
    for (const CopyStart& start : copy_.starts) alignment.start_strides.push_back(start.stride);
    append(widen(simplify(copy_), alignment));
  }

 private:
  void append(const CopyLayout& layout) {
    if (!copy_.starts.empty()) return append_fitting(layout, layout.count(), &CopyPlanner::block);
    if (is_dense(layout)) return append_fitting(layout, vectors(layout), &CopyPlanner::dense);
    Transposition axes;
    if (find_transposition(layout, axes) && layout.axes.size() <= 2 + kTileBatchAxes &&
        std::min(layout.axes[axes.row].extent, layout.axes[axes.column].extent) >= kLeastTransposed) {
      return append_fitting(layout, tiles(layout, axes) * threads_per_tile(), &CopyPlanner::tile);
    }
    append_fitting(layout, layout.count(),
                   layout.axes.size() <= kStridedAxes ? &CopyPlanner::strided : &CopyPlanner::block);
  }

  // One dispatch where 32-bit indices and the grid allow it, else two halves.
  void append_fitting(const CopyLayout& layout, int64_t invocations, Step (CopyPlanner::*step)(const CopyLayout&)) {
    const Traits& traits = plan_.traits();
    const auto limit = static_cast<int64_t>(traits.index32_limit);
    const int64_t span = std::max(
        {layout.count(), layout.highest_from() - layout.lowest_from() + 1, layout.highest_to() - layout.to_origin + 1});
    const auto groups = static_cast<uint64_t>((invocations + threads_ - 1) / threads_);
    if (span <= limit && groups <= most_groups(traits)) return plan_.add((this->*step)(layout));
    for (const CopyLayout& half : halve(layout)) append(half);
  }

  bool is_dense(const CopyLayout& layout) const {
    return layout.axes.size() == 1 && layout.axes[0].from == 1 && layout.axes[0].to == 1 &&
           alignment_at(copy_.from.alignment, layout.from_origin, layout.width) >= 16 &&
           alignment_at(copy_.to.alignment, layout.to_origin, layout.width) >= 16;
  }

  static int64_t vectors(const CopyLayout& layout) {
    const int64_t per_vector = 128 / layout.width;
    return (layout.count() + per_vector - 1) / per_vector;
  }

  const VariantInfo& variant(const CopyLayout& layout, std::string_view access) const {
    return require_variant("copy", "move", "b" + std::to_string(layout.width), access, plan_.traits());
  }

  StepWriter writer(const CopyLayout& layout, std::string_view access) const {
    StepWriter writer(variant(layout, access).key);
    writer.constant(0, threads_);
    return writer;
  }

  // The addresses of the lowest element that is read and of the first that is written. Moving starts may reach
  // anywhere.
  void push_addresses(StepWriter& writer, const CopyLayout& layout) const {
    const uint64_t bytes = layout.width / 8;
    Ref from = copy_.from.ref, to = copy_.to.ref;
    const auto lowest = static_cast<uint64_t>(layout.lowest_from());
    uint64_t read = (static_cast<uint64_t>(layout.highest_from()) - lowest + 1) * bytes;
    uint64_t written = static_cast<uint64_t>(layout.highest_to() - layout.to_origin + 1) * bytes;
    from.byte_offset += lowest * bytes;
    to.byte_offset += static_cast<uint64_t>(layout.to_origin) * bytes;
    if (!copy_.starts.empty()) {
      uint64_t reach = 0;
      for (const CopyStart& start : copy_.starts) reach += start.limit * static_cast<uint64_t>(start.stride);
      (copy_.starts_move_to ? written : read) += reach * type_bytes(copy_.to.spec.type);
    }
    writer.push_read(from, read).push_write(to, written);
  }

  std::array<uint32_t, 3> groups_for(int64_t invocations) const {
    return fold_groups(static_cast<uint64_t>((invocations + threads_ - 1) / threads_), plan_.traits());
  }

  Step dense(const CopyLayout& layout) {
    const uint32_t vectors_each = plan_.traits().cpu || layout.count() < (1 << 20) ? 1 : 4;
    StepWriter step = writer(layout, "dense");
    step.constant(1, vectors_each);
    push_addresses(step, layout);
    step.push(static_cast<uint32_t>(layout.count()));
    const int64_t per_invocation = vectors_each;
    return step.finish(groups_for((vectors(layout) + per_invocation - 1) / per_invocation));
  }

  // extent, magic, shift, strides of one axis.
  template <typename Put>
  static void put_axis(const CopyAxis& axis, Put put) {
    const Division division = division_by(static_cast<uint32_t>(axis.extent));
    put(static_cast<uint32_t>(axis.extent));
    put(division.magic);
    put(division.shift);
    put(static_cast<uint32_t>(axis.from));
    put(static_cast<uint32_t>(axis.to));
  }

  Step strided(const CopyLayout& layout) {
    StepWriter step = writer(layout, "strided");
    std::vector<CopyAxis> axes(layout.axes.rbegin(), layout.axes.rend());
    if (axes.empty()) axes.push_back({});
    step.constant(1, static_cast<uint32_t>(axes.size()));
    push_addresses(step, layout);
    step.push(static_cast<uint32_t>(layout.count()));
    step.push(static_cast<uint32_t>(layout.from_origin - layout.lowest_from()));
    axes.resize(kStridedAxes);
    for (const CopyAxis& axis : axes) put_axis(axis, [&](uint32_t word) { step.push(word); });
    return step.finish(groups_for(layout.count()));
  }

  Step block(const CopyLayout& layout) {
    StepWriter step = writer(layout, "block");
    push_addresses(step, layout);
    step.push_params();
    step.push(static_cast<uint32_t>(layout.count()));
    step.push(static_cast<uint32_t>(layout.from_origin - layout.lowest_from()));
    step.push(static_cast<uint32_t>(layout.axes.size()));
    step.push(static_cast<uint32_t>(copy_.starts.size()));
    step.push(copy_.starts_move_to ? 1u : 0u);
    for (auto axis = layout.axes.rbegin(); axis != layout.axes.rend(); ++axis) {
      put_axis(*axis, [&](uint32_t word) { step.param(word); });
    }
    for (const CopyStart& start : copy_.starts) {
      const TypeInfo& type = type_info(start.index.spec.type);
      step.param_read(start.index.ref, type.bits / 8);
      step.param(type.bits / 8 + (type.kind == Kind::sint ? 16u : 0u));
      step.param(static_cast<uint32_t>(start.limit)).param(static_cast<uint32_t>(start.limit >> 32));
      const uint64_t bytes = static_cast<uint64_t>(start.stride) * type_bytes(copy_.to.spec.type);
      step.param(static_cast<uint32_t>(bytes)).param(static_cast<uint32_t>(bytes >> 32));
      step.param(0u);
    }
    return step.finish(groups_for(layout.count()));
  }

  uint32_t edge(const CopyLayout& layout) const {
    if (plan_.traits().cpu) return kPatchEdge;
    return layout.width < 32 ? 64 : 32;
  }

  int64_t threads_per_tile() const { return plan_.traits().cpu ? 1 : threads_; }

  int64_t tiles(const CopyLayout& layout, const Transposition& axes) const {
    const int64_t e = edge(layout);
    const int64_t rows = layout.axes[axes.row].extent, columns = layout.axes[axes.column].extent;
    return layout.count() / rows / columns * ((rows + e - 1) / e) * ((columns + e - 1) / e);
  }

  // Elements that a vector access can move: all lines of both sides must begin at a multiple.
  uint32_t tile_vector(const CopyLayout& layout, const Transposition& axes) const {
    const uint32_t elements = layout.width >= 128 ? 1 : layout.width == 64 ? 2 : 4;
    const uint64_t bytes = layout.width / 8 * elements;
    bool fits = alignment_at(copy_.from.alignment, layout.from_origin, layout.width) >= bytes &&
                alignment_at(copy_.to.alignment, layout.to_origin, layout.width) >= bytes;
    for (size_t a = 0; a < layout.axes.size(); ++a) {
      const CopyAxis& axis = layout.axes[a];
      if (a == axes.row || a == axes.column) fits = fits && axis.extent % elements == 0;
      if (a != axes.row) fits = fits && axis.from % elements == 0;
      if (a != axes.column) fits = fits && axis.to % elements == 0;
    }
    return fits ? elements : 1;
  }

  Step tile(const CopyLayout& layout) {
    Transposition axes;
    find_transposition(layout, axes);
    const bool cpu = plan_.traits().cpu;
    const uint32_t e = edge(layout);
    const CopyAxis &row = layout.axes[axes.row], &column = layout.axes[axes.column];
    std::vector<CopyAxis> batch;
    for (size_t a = layout.axes.size(); a-- > 0;) {
      if (a != axes.row && a != axes.column) batch.push_back(layout.axes[a]);
    }
    StepWriter step = writer(layout, cpu ? "patch" : "tile");
    if (!cpu) step.constant(1, e).constant(2, tile_vector(layout, axes));
    step.constant(3, static_cast<uint32_t>(batch.size()));
    push_addresses(step, layout);
    const auto rows = static_cast<uint32_t>(row.extent), columns = static_cast<uint32_t>(column.extent);
    const uint32_t tiles_r = (rows + e - 1) / e, tiles_c = (columns + e - 1) / e;
    const int64_t count = tiles(layout, axes);
    step.push(rows).push(columns);
    step.push(static_cast<uint32_t>(column.from)).push(static_cast<uint32_t>(row.to));
    step.push(tiles_r).push(tiles_c);
    for (uint32_t divisor : {tiles_r, tiles_c}) step.push(division_by(divisor).magic).push(division_by(divisor).shift);
    step.push(static_cast<uint32_t>(count));
    batch.resize(kTileBatchAxes);
    for (const CopyAxis& axis : batch) put_axis(axis, [&](uint32_t word) { step.push(word); });
    return step.finish(cpu ? groups_for(count) : fold_groups(static_cast<uint64_t>(count), plan_.traits()));
  }

  PlanBuilder& plan_;
  const StridedCopy& copy_;
  const uint32_t threads_;
};

}  // namespace

void append_copy(PlanBuilder& plan, const StridedCopy& copy) { CopyPlanner(plan, copy).append(); }

void append_dense_copy(PlanBuilder& plan, const Operand& from, const Operand& to, int64_t to_origin) {
  append_copy(plan, {.from = from, .to = to, .to_origin = to_origin, .axes = {{element_count(from.spec.dims), 1, 1}}});
}

}  // namespace nxv
