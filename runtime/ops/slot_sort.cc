#include "runtime/ops/slot_sort.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace nxv {
namespace {

constexpr int64_t kDigits = 256;
constexpr int kDigitBits = 8;

// Invocations that go through tiles or counters alone: llvmpipe leaves the loops of an invocation after 65,535 rounds
// in all, nested ones counted together.
constexpr int64_t kSerialTile = 1024, kMostSerialTiles = 32'768;

int64_t tile_of(int64_t count, bool by_group) {
  if (by_group) return 4096;
  int64_t tile = kSerialTile;
  while (tile * kMostSerialTiles < count) tile *= 2;
  return tile;
}

class SlotSort {
 public:
  SlotSort(PlanBuilder& plan, const Operand& slots)
      : plan_(plan),
        count_(element_count(slots.spec.dims)),
        by_group_(!plan.traits().cpu && plan.traits().max_workgroup_size >= 256),
        tile_(tile_of(count_, by_group_)),
        tiles_((count_ + tile_ - 1) / tile_),
        counters_(plan.temp({Type::u32, {kDigits, tiles_}})),
        bases_(plan.temp({Type::u32, {kDigits}})),
        all_(plan.temp({Type::u32, {1}})),
        now_{slots, {}} {}

  SortedSlots sort(int passes) {
    for (int pass = 0; pass < passes; ++pass) {
      if (pass < 2) spare_[pass] = {numbers(), numbers()};
      const SortedSlots to{spare_[pass % 2].slots, spare_[pass % 2].order};
      digit("index_tally", pass, to);
      scan(counters_, kDigits, tiles_, bases_);
      scan(bases_, 1, kDigits, all_);
      digit("index_rank", pass, to);
      now_ = to;
    }
    return now_;
  }

 private:
  Operand numbers() { return plan_.temp({Type::u32, {count_}}); }

  StepWriter writer(std::string_view op) const {
    StepWriter step(require_variant("indexed", op, "b32", by_group_ ? "group" : "serial", plan_.traits()).key);
    step.constant(0, threads());
    return step;
  }

  // Alone on its core, a group of invocations without barriers is as fast as any.
  uint32_t threads() const { return by_group_ ? 256 : 8; }

  // How many tiles or rows a dispatch reaches.
  int64_t reach() const {
    return static_cast<int64_t>(most_groups(plan_.traits())) * (by_group_ ? 1 : static_cast<int64_t>(threads()));
  }

  std::array<uint32_t, 3> groups(int64_t items) const {
    const int64_t each = by_group_ ? 1 : static_cast<int64_t>(threads());
    return fold_groups(static_cast<uint64_t>((items + each - 1) / each), plan_.traits());
  }

  void digit(std::string_view op, int pass, const SortedSlots& to) {
    const bool ranks = op == "index_rank";
    const uint64_t bytes = static_cast<uint64_t>(count_) * 4;
    for_runs(tiles_, reach(), [&](int64_t first, int64_t some) {
      StepWriter step = writer(op);
      step.constant(1, static_cast<uint32_t>(tile_)).constant(2, pass == 0 ? 1 : 0);
      if (ranks) {
        step.push_update(counters_.ref, byte_size(counters_.spec)).push_read(bases_.ref, byte_size(bases_.spec));
      } else {
        step.push_update(counters_.ref, byte_size(counters_.spec)).push(uint64_t{0});
      }
      step.push_read(now_.slots.ref, bytes);
      if (ranks && pass > 0) {
        step.push_read(now_.order.ref, bytes);
      } else {
        step.push(uint64_t{0});
      }
      if (ranks) {
        step.push_write(to.slots.ref, bytes).push_write(to.order.ref, bytes);
      } else {
        step.push(uint64_t{0}).push(uint64_t{0});
      }
      step.push(static_cast<uint32_t>(count_)).push(static_cast<uint32_t>(pass * kDigitBits));
      step.push(static_cast<uint32_t>(tiles_)).push(static_cast<uint32_t>(first));
      step.push(static_cast<uint32_t>(first + some));
      plan_.add(step.finish(groups(some)));
    });
  }

  // Rows of counters to their running sums, and the sum of each row to `sums`.
  void scan(const Operand& counters, int64_t rows, int64_t each, const Operand& sums) {
    for_runs(rows, reach(), [&](int64_t first, int64_t some) {
      Ref at = counters.ref, sum = sums.ref;
      at.byte_offset += static_cast<uint64_t>(first * each) * 4;
      sum.byte_offset += static_cast<uint64_t>(first) * 4;
      StepWriter step = writer("index_scan");
      step.push_update(at, static_cast<uint64_t>(some * each) * 4);
      step.push_write(sum, static_cast<uint64_t>(some) * 4);
      step.push(static_cast<uint32_t>(some)).push(static_cast<uint32_t>(each));
      plan_.add(step.finish(groups(some)));
    });
  }

  PlanBuilder& plan_;
  const int64_t count_;
  const bool by_group_;
  const int64_t tile_, tiles_;
  const Operand counters_, bases_, all_;
  SortedSlots now_, spare_[2];
};

}  // namespace

SortedSlots append_slot_sort(PlanBuilder& plan, const Operand& slots, int64_t limit) {
  const int bits = std::bit_width(static_cast<uint64_t>(limit - 1));
  if (bits == 0) return {slots, {}, true};
  return SlotSort(plan, slots).sort((bits + kDigitBits - 1) / kDigitBits);
}

}  // namespace nxv
