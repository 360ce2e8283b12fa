#include "runtime/core/range_allocator.h"

#include <algorithm>
#include <bit>

namespace nxv {

// Sizes up to 31 granules have a list each, larger ones 16 lists an octave.
uint32_t RangeAllocator::bin_of(uint64_t bytes) {
  uint64_t granules = bytes / kGranule;
  if (granules < 32) return static_cast<uint32_t>(granules);
  uint32_t octave = static_cast<uint32_t>(std::bit_width(granules)) - 1;
  uint32_t step = static_cast<uint32_t>(granules >> (octave - 4)) & 15u;
  return std::min(32 + (octave - 5) * 16 + step, kBins - 1);
}

uint32_t RangeAllocator::next_bin(uint32_t from) const {
  for (uint32_t word = from / 64; word < bitmap_.size(); ++word) {
    uint64_t bits = bitmap_[word];
    if (word == from / 64) bits &= ~uint64_t{0} << (from % 64);
    if (bits) return word * 64 + static_cast<uint32_t>(std::countr_zero(bits));
  }
  return kBins;
}

Chunk* RangeAllocator::find(uint64_t bytes) const {
  uint32_t bin = bin_of(bytes);
  // A list holds sizes on both sides of the request, the ones above hold only larger sizes.
  Chunk* best = nullptr;
  int probes = 0;
  for (Chunk* chunk = bins_[bin]; chunk && probes < kProbes; chunk = chunk->bin_after, ++probes) {
    if (chunk->bytes < bytes || (best && chunk->bytes >= best->bytes)) continue;
    best = chunk;
    if (best->bytes == bytes) break;
  }
  if (best) return best;
  if (uint32_t above = next_bin(bin + 1); bin + 1 < kBins && above < kBins) return bins_[above];
  // The rest of the own list, before giving up.
  for (Chunk* chunk = bins_[bin]; chunk; chunk = chunk->bin_after) {
    if (chunk->bytes >= bytes) return chunk;
  }
  return nullptr;
}

void RangeAllocator::insert_free(Chunk* chunk) {
  uint32_t bin = bin_of(chunk->bytes);
  chunk->free = true;
  chunk->bin_before = nullptr;
  chunk->bin_after = bins_[bin];
  if (bins_[bin]) bins_[bin]->bin_before = chunk;
  bins_[bin] = chunk;
  bitmap_[bin / 64] |= uint64_t{1} << (bin % 64);
}

void RangeAllocator::remove_free(Chunk* chunk) {
  uint32_t bin = bin_of(chunk->bytes);
  if (chunk->bin_before) {
    chunk->bin_before->bin_after = chunk->bin_after;
  } else {
    bins_[bin] = chunk->bin_after;
    if (!bins_[bin]) bitmap_[bin / 64] &= ~(uint64_t{1} << (bin % 64));
  }
  if (chunk->bin_after) chunk->bin_after->bin_before = chunk->bin_before;
  chunk->bin_before = chunk->bin_after = nullptr;
  chunk->free = false;
}

Chunk* RangeAllocator::take_node() {
  if (!spare_) return &nodes_.emplace_back();
  Chunk* chunk = spare_;
  spare_ = chunk->bin_after;
  *chunk = Chunk{};
  return chunk;
}

void RangeAllocator::give_node(Chunk* chunk) {
  *chunk = Chunk{};
  chunk->bin_after = spare_;
  spare_ = chunk;
}

Chunk* RangeAllocator::add_block(MemoryBlock* block, uint64_t bytes) {
  Chunk* chunk = take_node();
  chunk->bytes = bytes;
  chunk->block = block;
  insert_free(chunk);
  return chunk;
}

Chunk* RangeAllocator::allocate(uint64_t bytes) {
  Chunk* chunk = find(bytes);
  if (!chunk) return nullptr;
  Chunk* rest = chunk->bytes > bytes ? take_node() : nullptr;
  remove_free(chunk);
  if (rest) {
    rest->offset = chunk->offset + bytes;
    rest->bytes = chunk->bytes - bytes;
    rest->block = chunk->block;
    rest->before = chunk;
    rest->after = chunk->after;
    if (rest->after) rest->after->before = rest;
    chunk->after = rest;
    chunk->bytes = bytes;
    insert_free(rest);
  }
  return chunk;
}

Chunk* RangeAllocator::release(Chunk* chunk) {
  chunk->use = {};
  chunk->owner = nullptr;
  chunk->next_retired = nullptr;
  if (Chunk* after = chunk->after; after && after->free) {
    remove_free(after);
    chunk->bytes += after->bytes;
    chunk->after = after->after;
    if (chunk->after) chunk->after->before = chunk;
    give_node(after);
  }
  if (Chunk* before = chunk->before; before && before->free) {
    remove_free(before);
    before->bytes += chunk->bytes;
    before->after = chunk->after;
    if (before->after) before->after->before = before;
    give_node(chunk);
    chunk = before;
  }
  insert_free(chunk);
  return chunk;
}

void RangeAllocator::remove_block(Chunk* whole) {
  remove_free(whole);
  give_node(whole);
}

uint64_t RangeAllocator::largest_free() const {
  uint64_t largest = 0;
  for (uint32_t bin = next_bin(0); bin < kBins; bin = bin + 1 < kBins ? next_bin(bin + 1) : kBins) {
    for (Chunk* chunk = bins_[bin]; chunk; chunk = chunk->bin_after) largest = std::max(largest, chunk->bytes);
  }
  return largest;
}

}  // namespace nxv
