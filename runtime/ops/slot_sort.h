#pragma once

#include <cstdint>

#include "runtime/ops/builder.h"

namespace nxv {

// Slots in ascending order, and the number of the update that each had; equal ones in the order of their updates.
struct SortedSlots {
  Operand slots, order;
  bool is_sorted_already = false;  // nothing had to move, and there is no `order`
};

// Appends a stable sort of u32 numbers below `limit`. It uses integers only, so the result is the same on every device.
SortedSlots append_slot_sort(PlanBuilder& plan, const Operand& slots, int64_t limit);

// Calls `piece(first, count)` for runs of at most `most`, which cover `total`.
template <typename Piece>
void for_runs(int64_t total, int64_t most, Piece piece) {
  for (int64_t first = 0; first < total; first += most) piece(first, total - first < most ? total - first : most);
}

}  // namespace nxv
