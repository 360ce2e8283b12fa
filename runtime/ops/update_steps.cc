#include "runtime/ops/update_steps.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <string>

#include "runtime/ops/map_steps.h"
#include "runtime/ops/slot_sort.h"

namespace nxv {
namespace {

constexpr size_t kPushedAxes = 6, kPushedSliceAxes = 3;
constexpr int64_t kFewUpdates = 64;  // so few look at each other: no table, no sort

// Entries that a dispatch of a CPU device adds up: llvmpipe leaves the loops of an invocation after 65,535 rounds, of 8
// entries each here. It has no use for vectors of more than 4 elements, which are loops of their own.
constexpr int64_t kMostSerialEntries = 1 << 18;

// A slice in its fewest axes, in elements or in vectors of `vector` elements.
struct Slice {
  int64_t vector = 1;
  std::vector<Axis> axes = {};  // strides: in the target; in the update

  int64_t count() const {
    int64_t count = 1;
    for (const Axis& axis : axes) count *= axis.extent;
    return count;
  }
  int64_t span() const {
    int64_t span = 1;
    for (const Axis& axis : axes) span += (axis.extent - 1) * axis.strides[0];
    return span;
  }
};

class UpdatePlanner {
 public:
  UpdatePlanner(PlanBuilder& plan, const IndexedUpdates& updates)
      : plan_(plan), updates_(updates), threads_(std::min(256u, plan.traits().max_workgroup_size)) {
    int64_t farthest = 0;
    for (const IndexedAxis& axis : updates.indexed) {
      if (__builtin_mul_overflow(slots_, axis.size, &slots_)) too_large();
      if (axis.size > 1) unit_ = std::gcd(unit_, axis.stride);
      farthest += (axis.size - 1) * axis.stride;
    }
    const auto most = (int64_t{1} << 31) - 1;
    if (updates.count > most || slots_ > most || farthest / std::max<int64_t>(unit_, 1) > most) too_large();
    few_ = updates.count <= kFewUpdates;
  }

  void put() {
    const Slice slice = slice_of(16 / bytes());
    const auto width = static_cast<uint32_t>(bytes() * slice.vector * 8);
    const std::optional<Operand> table =
        few_ ? std::nullopt : std::optional(plan_.temp({Type::u32, {std::max<int64_t>(slots_, 1)}}));
    find_slots(table);
    if (table) claim(*table);
    const uint64_t row = static_cast<uint64_t>(slice.count()) * width / 8;
    for_runs(updates_.count, most_slices(slice), [&](int64_t first, int64_t some) {
      StepWriter step(
          require_variant("indexed", "indexed_put", "b" + std::to_string(width), "strided", plan_.traits()).key);
      slice_constants(step, slice);
      step.constant(3, table ? 1 : 0);
      Ref from = updates_.updates.ref;
      from.byte_offset += static_cast<uint64_t>(first) * row;
      step.push_write(updates_.to.ref, byte_size(updates_.to.spec));
      step.push_read(from, static_cast<uint64_t>(some) * row);
      push_numbers(step, numbers_of(slots_at_), numbers_of(places_at_));
      if (table) {
        step.push_read(table->ref, byte_size(table->spec));
      } else {
        step.push(uint64_t{0});
      }
      finish(std::move(step), slice, first, some, updates_.count);
    });
  }

  void add() {
    const TypeInfo& type = type_info(updates_.to.spec.type);
    if (!is_float(updates_.to.spec.type) && type.bits >= 32) return sum();
    const VariantInfo& variant = require_variant("indexed", "indexed_add", type.name, "strided", plan_.traits());
    const bool cpu = plan_.traits().cpu;
    Slice slice = slice_of(variant.elems);
    if (slice.vector < variant.elems || (cpu && variant.elems > 4)) slice = slice_of(1);
    const int64_t most = std::min(most_slices(slice), cpu ? kMostSerialEntries : updates_.count);
    if (updates_.count > most && is_narrow_float(updates_.to.spec.type)) return add_as_f32();
    find_slots(std::nullopt);
    SortedSlots sorted{slots_at_, {}, false};
    if (!few_) sorted = append_slot_sort(plan_, slots_at_, slots_);
    for_runs(updates_.count, most, [&](int64_t first, int64_t some) {
      StepWriter step(variant.key);
      slice_constants(step, slice);
      step.constant(3, few_ ? 0 : sorted.is_sorted_already ? 2 : 1).constant(4, slice.vector > 1 ? 1 : 0);
      step.push_update(updates_.to.ref, byte_size(updates_.to.spec));
      step.push_read(updates_.updates.ref, byte_size(updates_.updates.spec));
      push_numbers(step, numbers_of(sorted.slots), numbers_of(places_at_));
      if (few_ || sorted.is_sorted_already) {
        step.push(uint64_t{0});
      } else {
        step.push_read(sorted.order.ref, byte_size(sorted.order.spec));
      }
      finish(std::move(step), slice, first, some, first + some);
    });
  }

 private:
  // What a dispatch leaves to the next one must not be rounded.
  void add_as_f32() {
    IndexedUpdates wide = updates_;
    wide.to = plan_.temp({Type::f32, updates_.to.spec.dims});
    cast_steps(plan_, updates_.to, wide.to);
    wide.updates = cast_to(plan_, updates_.updates, Type::f32);
    UpdatePlanner(plan_, wide).add();
    cast_steps(plan_, wide.to, updates_.to);
  }

  // Integers by atomics, in any order.
  void sum() {
    const Slice slice = slice_of(1);
    find_slots(std::nullopt);
    const std::string width = "b" + std::to_string(bytes() * 8);
    const uint64_t row = static_cast<uint64_t>(slice.count() * bytes());
    for_runs(updates_.count, most_slices(slice), [&](int64_t first, int64_t some) {
      StepWriter step(require_variant("indexed", "index_sum", width, "strided", plan_.traits()).key);
      slice_constants(step, slice);
      step.push_update(updates_.to.ref, byte_size(updates_.to.spec));
      Ref from = updates_.updates.ref;
      from.byte_offset += static_cast<uint64_t>(first) * row;
      step.push_read(from, static_cast<uint64_t>(some) * row);
      step.push_read(places_at_.ref, byte_size(places_at_.spec));
      finish(std::move(step), slice, first, some, first + some);
    });
  }

  struct Numbers {
    Ref ref;
    uint64_t bytes;
  };
  static Numbers numbers_of(const Operand& operand) { return {operand.ref, byte_size(operand.spec)}; }

  [[noreturn]] void too_large() const { plan_.unsupported("reaches more slices than 31 bits count"); }

  int64_t bytes() const { return static_cast<int64_t>(type_bytes(updates_.to.spec.type)); }

  // With vectors of up to `most` elements, a power of two.
  Slice slice_of(int64_t most) const {
    std::vector<int64_t> dense(updates_.slice.size());
    int64_t stride = 1;
    for (size_t d = dense.size(); d-- > 0; stride *= updates_.slice[d]) dense[d] = stride;
    Slice slice{1, collapse(updates_.slice, std::array{updates_.strides, dense})};
    Axis& run = slice.axes.back();
    if (run.strides[0] != 1) return slice;
    int64_t common = std::gcd(std::gcd(run.extent, most), unit_);
    for (size_t d = 0; d + 1 < slice.axes.size(); ++d) common = std::gcd(common, slice.axes[d].strides[0]);
    const uint64_t alignment = std::min(updates_.to.alignment, updates_.updates.alignment);
    while (static_cast<uint64_t>(common * bytes()) > alignment && common > 1) common /= 2;
    slice.vector = common;
    run.extent /= common;
    for (size_t d = 0; d + 1 < slice.axes.size(); ++d) slice.axes[d].strides[0] /= common;
    return slice;
  }

  uint64_t groups(int64_t invocations) const { return (static_cast<uint64_t>(invocations) + threads_ - 1) / threads_; }

  // How many slices one dispatch can index and reach.
  int64_t most_slices(const Slice& slice) const {
    const Traits& traits = plan_.traits();
    const auto limit = static_cast<int64_t>(std::min(traits.index32_limit, most_groups(traits) * threads_));
    if (slice.count() > limit || slice.span() > static_cast<int64_t>(traits.index32_limit)) {
      plan_.unsupported("has slices of more elements than 32 bits count");
    }
    return limit / slice.count();
  }

  void find_slots(const std::optional<Operand>& table) {
    slots_at_ = plan_.temp({Type::u32, {updates_.count}});
    places_at_ = plan_.temp({Type::u32, {updates_.count}});
    std::vector<uint32_t> words;
    int64_t stride = slots_;
    for (const IndexedAxis& axis : updates_.indexed) {
      stride /= axis.size;
      const int64_t place = axis.size > 1 ? axis.stride / unit_ : 0;
      for (int64_t word : {axis.size - 1, stride, place}) words.push_back(static_cast<uint32_t>(word));
    }
    const bool in_memory = updates_.indexed.size() > kPushedAxes;
    for_runs(updates_.count, reach(), [&](int64_t first, int64_t some) {
      StepWriter step(require_variant("indexed", "index_slots", "b32", "strided", plan_.traits()).key);
      step.constant(0, threads_).constant(1, static_cast<uint32_t>(updates_.indexed.size()));
      step.constant(2, index_code(updates_.indices.spec.type)).constant(3, in_memory ? 1 : 0);
      step.constant(4, table ? 1 : 0);
      step.push_read(updates_.indices.ref, byte_size(updates_.indices.spec));
      step.push_write(slots_at_.ref, byte_size(slots_at_.spec));
      step.push_write(places_at_.ref, byte_size(places_at_.spec));
      if (table) {
        step.push_update(table->ref, byte_size(table->spec));
      } else {
        step.push(uint64_t{0});
      }
      std::vector<uint32_t> pushed(words);
      if (in_memory) {
        step.push_params();
        for (uint32_t word : words) step.param(word);
        pushed.clear();
      } else {
        step.push(uint64_t{0});
      }
      step.push(static_cast<uint32_t>(some)).push(static_cast<uint32_t>(first));
      pushed.resize(3 * kPushedAxes);
      for (uint32_t word : pushed) step.push(word);
      plan_.add(step.finish(fold_groups(groups(some), plan_.traits())));
    });
  }

  void claim(const Operand& table) {
    for_runs(updates_.count, reach(), [&](int64_t first, int64_t some) {
      StepWriter step(require_variant("indexed", "index_claims", "b32", "strided", plan_.traits()).key);
      step.constant(0, threads_);
      step.push_read(slots_at_.ref, byte_size(slots_at_.spec)).push_update(table.ref, byte_size(table.spec));
      step.push(static_cast<uint32_t>(some)).push(static_cast<uint32_t>(first));
      plan_.add(step.finish(fold_groups(groups(some), plan_.traits())));
    });
  }

  int64_t reach() const { return static_cast<int64_t>(most_groups(plan_.traits())) * threads_; }

  void slice_constants(StepWriter& step, const Slice& slice) const {
    step.constant(0, threads_).constant(1, static_cast<uint32_t>(slice.axes.size()));
    step.constant(2, slice.axes.size() > kPushedSliceAxes ? 1 : 0);
  }

  static void push_numbers(StepWriter& step, const Numbers& slots, const Numbers& places) {
    step.push_read(slots.ref, slots.bytes).push_read(places.ref, places.bytes);
  }

  // What the kernels of both operations have last. `end`: behind the last update that is looked at.
  void finish(StepWriter&& step, const Slice& slice, int64_t first, int64_t some, int64_t end) {
    step.push(static_cast<uint64_t>(unit_ * bytes()));
    step.push(static_cast<uint32_t>(some * slice.count())).push(static_cast<uint32_t>(slice.count()));
    step.push(static_cast<uint32_t>(first)).push(static_cast<uint32_t>(end));
    std::vector<uint32_t> words;
    for (auto axis = slice.axes.rbegin(); axis != slice.axes.rend(); ++axis) {
      const auto extent = static_cast<uint32_t>(axis->extent);
      const Division division = division_by(extent);
      words.insert(words.end(), {extent, division.magic, division.shift, static_cast<uint32_t>(axis->strides[0])});
    }
    if (slice.axes.size() > kPushedSliceAxes) {
      step.push_params();
      for (uint32_t word : words) step.param(word);
      words.clear();
    } else {
      step.push(uint64_t{0});
    }
    words.resize(4 * kPushedSliceAxes);
    for (uint32_t word : words) step.push(word);
    plan_.add(step.finish(fold_groups(groups(some * slice.count()), plan_.traits())));
  }

  PlanBuilder& plan_;
  const IndexedUpdates& updates_;
  const uint32_t threads_;
  int64_t slots_ = 1;
  int64_t unit_ = 0;  // elements of a step of places
  bool few_ = false;
  Operand slots_at_, places_at_;
};

}  // namespace

void append_put(PlanBuilder& plan, const IndexedUpdates& updates) { UpdatePlanner(plan, updates).put(); }

void append_add(PlanBuilder& plan, const IndexedUpdates& updates) { UpdatePlanner(plan, updates).add(); }

}  // namespace nxv
