#include "runtime/ops/gather_steps.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

namespace nxv {
namespace {

constexpr size_t kPushedWords = 23;
constexpr uint32_t kManyElements = 1 << 20;

// A part of the output, brought to its fewest axes and widest elements.
struct Piece {
  uint32_t width = 32;          // bits of an element
  std::vector<Axis> axes = {};  // outermost first; strides of `from`, of the indices
  std::vector<IndexedAxis> indexed = {};
  int64_t from = 0, index = 0, to = 0;  // its first elements

  int64_t count() const {
    int64_t count = 1;
    for (const Axis& axis : axes) count *= axis.extent;
    return count;
  }
  // How far it reaches from its first element, plus one.
  int64_t index_span() const {
    auto span = static_cast<int64_t>(indexed.size());
    for (const Axis& axis : axes) span += (axis.extent - 1) * axis.strides[1];
    return span;
  }
  int64_t from_span() const {
    int64_t span = 1;
    for (const Axis& axis : axes) span += (axis.extent - 1) * axis.strides[0];
    for (const IndexedAxis& axis : indexed) span += (axis.size - 1) * axis.stride;
    return span;
  }
};

Piece whole(const Gather& gather) {
  const std::array strides{gather.from_strides, gather.index_strides};
  return {type_info(gather.to.spec.type).bits, collapse(gather.dims, strides), gather.indexed};
}

// Runs of consecutive elements move as fewer wide ones.
void widen(Piece& piece, const Gather& gather) {
  Axis& run = piece.axes.back();
  if (run.strides[0] != 1 || run.strides[1] != 0) return;
  int64_t common = std::gcd(run.extent, int64_t{16});
  for (size_t d = 0; d + 1 < piece.axes.size(); ++d) common = std::gcd(common, piece.axes[d].strides[0]);
  for (const IndexedAxis& axis : piece.indexed) common = std::gcd(common, axis.stride);
  const uint64_t alignment = std::min<uint64_t>({gather.from.alignment, gather.to.alignment, 16});
  const auto most = static_cast<int64_t>(alignment * 8 / piece.width);
  while (common > most) common /= 2;
  if (common <= 1) return;
  piece.width *= static_cast<uint32_t>(common);
  run.extent /= common;
  for (size_t d = 0; d + 1 < piece.axes.size(); ++d) piece.axes[d].strides[0] /= common;
  for (IndexedAxis& axis : piece.indexed) axis.stride /= common;
  if (run.extent == 1 && piece.axes.size() > 1) piece.axes.pop_back();
}

class GatherPlanner {
 public:
  GatherPlanner(PlanBuilder& plan, const Gather& gather)
      : plan_(plan), gather_(gather), threads_(std::min(256u, plan.traits().max_workgroup_size)) {}

  void append() {
    Piece piece = whole(gather_);
    widen(piece, gather_);
    append(piece);
  }

 private:
  // One dispatch where 32-bit indices and the grid allow it, else two halves.
  void append(const Piece& piece) {
    const auto limit = static_cast<int64_t>(plan_.traits().index32_limit);
    if (piece.count() <= limit && piece.index_span() <= limit && groups(piece) <= most_groups(plan_.traits())) {
      return plan_.add(step(piece));
    }
    // The output is row-major: halves of the outermost axis are whole pieces of it.
    Piece low = piece;
    while (low.axes.size() > 1 && low.axes[0].extent == 1) low.axes.erase(low.axes.begin());
    const Axis axis = low.axes[0];
    if (axis.extent == 1) plan_.unsupported("has more indices an element than 32 bits count");
    Piece high = low;
    const int64_t half = axis.extent / 2;
    low.axes[0].extent = half;
    high.axes[0].extent -= half;
    high.from += half * axis.strides[0];
    high.index += half * axis.strides[1];
    high.to += half * (piece.count() / axis.extent);
    append(low);
    append(high);
  }

  uint32_t elements_each(const Piece& piece) const {
    return plan_.traits().cpu || piece.count() < kManyElements ? 1 : 4;
  }

  uint64_t groups(const Piece& piece) const {
    const uint64_t per_group = uint64_t{threads_} * elements_each(piece);
    return (static_cast<uint64_t>(piece.count()) + per_group - 1) / per_group;
  }

  std::vector<uint32_t> words(const Piece& piece, bool wide) const {
    std::vector<uint32_t> words;
    const auto put = [&](int64_t value) {
      words.push_back(static_cast<uint32_t>(value));
      if (wide) words.push_back(static_cast<uint32_t>(value >> 32));
    };
    for (auto axis = piece.axes.rbegin(); axis != piece.axes.rend(); ++axis) {
      const auto extent = static_cast<uint32_t>(axis->extent);
      const Division division = division_by(extent);
      words.insert(words.end(), {extent, division.magic, division.shift, static_cast<uint32_t>(axis->strides[1])});
      put(axis->strides[0]);
    }
    for (const IndexedAxis& axis : piece.indexed) {
      put(axis.size - 1);
      put(axis.stride);
    }
    return words;
  }

  Step step(const Piece& piece) const {
    const Traits& traits = plan_.traits();
    const uint64_t bytes = piece.width / 8, index_bytes = type_bytes(gather_.indices.spec.type);
    const bool wide = piece.from_span() > static_cast<int64_t>(traits.index32_limit);
    std::vector<uint32_t> words = this->words(piece, wide);
    const bool in_memory = words.size() > kPushedWords;
    StepWriter step(require_variant("indexed", "gather", "b" + std::to_string(piece.width), "strided", traits).key);
    step.constant(0, threads_).constant(1, elements_each(piece));
    step.constant(2, static_cast<uint32_t>(piece.axes.size())).constant(3, static_cast<uint32_t>(piece.indexed.size()));
    step.constant(4, index_code(gather_.indices.spec.type)).constant(5, wide ? 1 : 0).constant(6, in_memory ? 1 : 0);
    Ref from = gather_.from.ref, to = gather_.to.ref, indices = gather_.indices.ref;
    from.byte_offset += static_cast<uint64_t>(piece.from) * bytes;
    to.byte_offset += static_cast<uint64_t>(piece.to) * bytes;
    indices.byte_offset += static_cast<uint64_t>(piece.index) * index_bytes;
    step.push_read(from, static_cast<uint64_t>(piece.from_span()) * bytes);
    step.push_write(to, static_cast<uint64_t>(piece.count()) * bytes);
    step.push_read(indices, static_cast<uint64_t>(piece.index_span()) * index_bytes);
    if (in_memory) {
      step.push_params();
      for (uint32_t word : words) step.param(word);
      words.clear();
    } else {
      step.push(uint64_t{0});
    }
    step.push(static_cast<uint32_t>(piece.count()));
    words.resize(kPushedWords);
    for (uint32_t word : words) step.push(word);
    return step.finish(fold_groups(groups(piece), traits));
  }

  PlanBuilder& plan_;
  const Gather& gather_;
  const uint32_t threads_;
};

}  // namespace

uint32_t index_code(Type type) {
  return static_cast<uint32_t>(type_bytes(type)) + (type_info(type).kind == Kind::sint ? 16u : 0u);
}

void append_gather(PlanBuilder& plan, const Gather& gather) { GatherPlanner(plan, gather).append(); }

}  // namespace nxv
