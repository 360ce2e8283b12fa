#include "runtime/ops/dot_block.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace nxv {
namespace {

constexpr std::array kShapes = std::to_array<BlockShape>({
    {256, 128, 8, 16, 8, 8, 1.0},
    {128, 128, 16, 8, 8, 8, 1.0},
    {128, 64, 16, 8, 8, 8, 0.9},
    {64, 128, 16, 8, 8, 8, 0.9},
    {64, 64, 16, 8, 4, 8, 0.75},
    {32, 128, 16, 8, 4, 4, 0.7},
    {128, 32, 16, 4, 8, 8, 0.7},
    {32, 32, 16, 4, 4, 8, 0.45},
    {16, 16, 16, 4, 4, 4, 0.2},
});
constexpr std::array kWideShapes = std::to_array<BlockShape>({
    {128, 128, 8, 8, 8, 8, 1.0},
    {128, 64, 8, 8, 8, 8, 1.0},
    {64, 64, 8, 8, 4, 8, 0.9},
    {32, 32, 8, 4, 4, 8, 0.6},
    {16, 16, 8, 4, 4, 4, 0.3},
});

// What one dispatch and one byte of a partial sum, written and read, cost in products of one workgroup at full speed.
constexpr double kDispatch = 5e5;
constexpr double kByte = 6;

int64_t tiles(int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; }

}  // namespace

BlockChoice choose_block(const BlockWork& work, uint64_t element, const Traits& traits) {
  BlockChoice best;
  double least = std::numeric_limits<double>::infinity();
  const auto units = static_cast<double>(traits.compute_units);
  for (const BlockShape& shape : element <= 4 ? std::span<const BlockShape>(kShapes) : kWideShapes) {
    if (shape.shared_bytes(element) > traits.max_shared_bytes || shape.threads() > traits.max_workgroup_size) continue;
    const int64_t whole = work.batches * tiles(work.m, shape.m) * tiles(work.n, shape.n);
    const int64_t most = std::min<int64_t>(tiles(work.k, 4 * int64_t{shape.k}), tiles(4 * traits.compute_units, whole));
    for (int64_t splits = 1; splits <= std::max<int64_t>(most, 1); ++splits) {
      const int64_t waves = tiles(whole * splits, traits.compute_units), each = tiles(work.k, splits);
      double cost = static_cast<double>(waves * shape.m * shape.n) * static_cast<double>(each) / shape.speed;
      if (splits > 1) {
        const auto results = static_cast<double>(work.batches * work.m * work.n);
        cost += kDispatch + kByte * static_cast<double>(2 * splits * element) * results / units;
      }
      if (cost < least) {
        least = cost;
        best = {shape, splits};
      }
    }
  }
  return best;
}

}  // namespace nxv
