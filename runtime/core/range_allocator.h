#pragma once

#include <array>
#include <cstdint>
#include <deque>

namespace nxv {

class MemoryBlock;
struct OwnerFigures;

inline constexpr uint32_t kMaxStreams = 4;

// Which steps touch a range: steps of a stream are numbered from 1, 0 means none. Guarded by the streams' append lock;
// once the last reference to a buffer is gone, by nothing: nobody else can reach it.
struct UseState {
  std::array<uint64_t, kMaxStreams> reads{};  // newest step of each stream that reads it
  uint64_t written = 0;                       // newest step that writes it,
  uint32_t writer = 0;                        // of this stream
};

// A range of a block, in use or free.
struct Chunk {
  uint64_t offset = 0, bytes = 0;
  MemoryBlock* block = nullptr;
  Chunk *before = nullptr, *after = nullptr;          // neighbours in the block
  Chunk *bin_before = nullptr, *bin_after = nullptr;  // in the free list
  bool free = false;

  UseState use;
  uint64_t allocation = 0;  // a number for each time the range is handed out
  OwnerFigures* owner = nullptr;
  Chunk* next_retired = nullptr;
};

// Finds ranges in blocks: segregated free lists with a bitmap, the best fit of a list's first entries, neighbours
// merged at once. Constant time. Touches no memory but its own. Not thread-safe.
class RangeAllocator {
 public:
  static constexpr uint64_t kGranule = 256;  // bytes; every offset and size is a multiple

  // Bytes that a request takes.
  static uint64_t rounded(uint64_t bytes) { return bytes ? (bytes + kGranule - 1) / kGranule * kGranule : kGranule; }

  // A free range over all of a new block. `bytes` must be a multiple of the granule.
  Chunk* add_block(MemoryBlock* block, uint64_t bytes);

  // Null where no free range is large enough. `bytes` is a rounded size.
  Chunk* allocate(uint64_t bytes);

  // Gives the range back; returns the free range it has become part of.
  Chunk* release(Chunk* chunk);

  // Forgets a block whose only range is the free one given.
  void remove_block(Chunk* whole);

  static bool is_whole_block(const Chunk* chunk) { return chunk->free && !chunk->before && !chunk->after; }
  uint64_t largest_free() const;

 private:
  static constexpr uint32_t kBins = 512;
  static constexpr int kProbes = 16;

  static uint32_t bin_of(uint64_t bytes);
  uint32_t next_bin(uint32_t from) const;  // kBins: none
  Chunk* find(uint64_t bytes) const;
  void insert_free(Chunk* chunk);
  void remove_free(Chunk* chunk);
  Chunk* take_node();
  void give_node(Chunk* chunk);

  std::array<Chunk*, kBins> bins_{};
  std::array<uint64_t, kBins / 64> bitmap_{};
  std::deque<Chunk> nodes_;  // addresses stay
  Chunk* spare_ = nullptr;   // linked by bin_after
};

}  // namespace nxv
