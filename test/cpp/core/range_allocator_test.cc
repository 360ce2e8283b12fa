#include "runtime/core/range_allocator.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace nxv::test {
namespace {

constexpr uint64_t kUnit = RangeAllocator::kGranule;

TEST(RangeAllocator, RoundsToItsGranule) {
  EXPECT_EQ(RangeAllocator::rounded(0), kUnit);
  EXPECT_EQ(RangeAllocator::rounded(1), kUnit);
  EXPECT_EQ(RangeAllocator::rounded(kUnit), kUnit);
  EXPECT_EQ(RangeAllocator::rounded(kUnit + 1), 2 * kUnit);
}

TEST(RangeAllocator, RangesNeverOverlapAndAllOfABlockComesBack) {
  RangeAllocator ranges;
  constexpr uint64_t kBlock = 4096 * kUnit;
  Chunk* whole = ranges.add_block(nullptr, kBlock);
  std::mt19937 random(1);
  std::map<uint64_t, Chunk*> live;  // by offset
  for (int round = 0; round < 20'000; ++round) {
    if (live.empty() || random() % 5 < 3) {
      uint64_t bytes = kUnit * (1 + (random() % 8 ? random() % 20 : random() % 400));
      Chunk* chunk = ranges.allocate(bytes);
      if (!chunk) continue;
      ASSERT_EQ(chunk->bytes, bytes);
      ASSERT_LE(chunk->offset + bytes, kBlock);
      auto after = live.lower_bound(chunk->offset);
      if (after != live.end()) {
        ASSERT_LE(chunk->offset + bytes, after->first);
      }
      if (after != live.begin()) {
        Chunk* before = std::prev(after)->second;
        ASSERT_LE(before->offset + before->bytes, chunk->offset);
      }
      live.emplace(chunk->offset, chunk);
    } else {
      auto victim = std::next(live.begin(), static_cast<long>(random() % live.size()));
      ranges.release(victim->second);
      live.erase(victim);
    }
  }
  for (auto& [offset, chunk] : live) ranges.release(chunk);
  EXPECT_TRUE(RangeAllocator::is_whole_block(whole));
  EXPECT_EQ(whole->bytes, kBlock);
  EXPECT_EQ(ranges.largest_free(), kBlock);
}

TEST(RangeAllocator, TakesTheBestFit) {
  RangeAllocator ranges;
  ranges.add_block(nullptr, 1000 * kUnit);
  Chunk* large = ranges.allocate(100 * kUnit);
  ranges.allocate(kUnit);
  Chunk* small = ranges.allocate(10 * kUnit);
  ranges.allocate(kUnit);
  uint64_t offset = small->offset;
  ranges.release(large);
  ranges.release(small);
  EXPECT_EQ(ranges.allocate(10 * kUnit)->offset, offset);
}

TEST(RangeAllocator, FindsARangeThatExistsWhateverItsList) {
  RangeAllocator ranges;
  ranges.add_block(nullptr, 1023 * kUnit);
  // The whole block and the request share a list of sizes: it must be searched to its end.
  EXPECT_EQ(ranges.allocate(1024 * kUnit), nullptr);
  EXPECT_NE(ranges.allocate(1023 * kUnit), nullptr);
  EXPECT_EQ(ranges.allocate(kUnit), nullptr);
}

TEST(RangeAllocator, ForgetsABlock) {
  RangeAllocator ranges;
  Chunk* whole = ranges.add_block(nullptr, 10 * kUnit);
  ranges.remove_block(whole);
  EXPECT_EQ(ranges.allocate(kUnit), nullptr);
  EXPECT_EQ(ranges.largest_free(), 0u);
}

}  // namespace
}  // namespace nxv::test
