#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/core/api.h"
#include "runtime/core/event.h"
#include "runtime/core/failure.h"
#include "runtime/core/memory_block.h"
#include "runtime/core/range_allocator.h"
#include "runtime/core/workers.h"

namespace nxv {

class MemoryPool;

// What a pool must know of the streams that use its ranges.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual bool passed(uint32_t stream, uint64_t step) const = 0;
  // Ready when the step has passed, or never will.
  virtual PendingPtr when_passed(uint32_t stream, uint64_t step) = 0;
};

// See buffer.h. Holds its pool, so that it may outlive the device; its memory does not.
class Buffer {
 public:
  Buffer(std::shared_ptr<MemoryPool> pool, Chunk* chunk, uint64_t bytes, Owner owner);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkDeviceAddress address() const { return address_; }
  std::byte* mapped() const { return mapped_; }  // null where the host cannot reach it
  VkBuffer handle() const { return chunk_->block->buffer(); }
  uint64_t offset() const { return chunk_->offset; }  // in handle()
  uint64_t bytes() const { return bytes_; }           // as asked
  Owner owner() const { return owner_; }
  const MemoryPool* pool() const { return pool_.get(); }
  Chunk* chunk() const { return chunk_; }

 private:
  const std::shared_ptr<MemoryPool> pool_;
  Chunk* const chunk_;
  const uint64_t bytes_;
  const Owner owner_;
  const VkDeviceAddress address_;
  std::byte* const mapped_;
};

struct OwnerFigures {
  Owner owner = 0;
  uint64_t bytes = 0;
};

// Suballocates buffers from blocks of one memory type. Nothing is allocated before it is needed; blocks that stay idle
// go back to the driver; ranges return once the GPU has passed their last use. Thread-safe. The lock is never held over
// a driver call or a wait.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    uint32_t type = 0;
    MemoryBlock::Mapping mapping = MemoryBlock::Mapping::none;
    uint64_t limit = 0;                     // bytes of all blocks, 0: none
    uint64_t reserve = 32ull << 20;         // idle bytes that are kept
    std::chrono::milliseconds grace{1000};  // how long idle blocks above the reserve stay
    std::array<uint64_t, 3> growth{16ull << 20, 64ull << 20,
                                   256ull << 20};  // sizes of the first, second and later blocks
  };

  // `device`, `progress` and `workers` must outlive close(); the pool itself lives until its last buffer.
  MemoryPool(const LogicalDevice& device, Progress& progress, Workers& workers, const Options& options);
  ~MemoryPool();

  // Throws out_of_memory with asked, free and limit in words, after all that is in flight has ended and idle blocks
  // were given back; unsupported above the device's largest allocation.
  BufferPtr allocate(uint64_t bytes, Owner owner, Waiting waiting);

  // Takes back what the GPU is done with and frees blocks that were idle for the grace time. Returns when to call it
  // again; max() when there is nothing to expect.
  Clock::time_point trim(Clock::time_point now);

  // Frees all blocks. Buffers still alive become empty shells.
  void close();
  // The same without touching the driver, when the device is hung.
  void abandon();

  MemoryInfo info();

 private:
  friend class Buffer;
  using Blocks = std::vector<std::unique_ptr<MemoryBlock>>;

  struct PendingList {
    Chunk *first = nullptr, *last = nullptr;
  };

  void retire(Chunk* chunk) noexcept;

  Chunk* take(uint64_t bytes, Owner owner, Waiting waiting);
  Chunk* try_take(uint64_t bytes, Owner owner);
  void collect();
  void give_back_or_keep(Chunk* chunk);
  void give_back(Chunk* chunk);
  struct InFlight {
    uint32_t stream;
    uint64_t step;
  };
  std::optional<InFlight> oldest_in_flight() const;
  Blocks remove_idle_blocks(uint64_t keep_bytes, Clock::time_point idle_before);

  void grow(uint64_t bytes) noexcept;
  void grow_elsewhere(uint64_t bytes);
  std::unique_ptr<MemoryBlock> new_block(uint64_t bytes);
  uint64_t headroom();
  uint64_t preferred_block(uint64_t bytes);
  struct Budget {
    uint64_t bytes, used;
  };
  Budget budget() const;
  [[noreturn]] void out_of_memory(uint64_t bytes);

  const LogicalDevice& device_;
  Progress& progress_;
  Workers& workers_;
  const Options options_;
  const uint32_t heap_;

  std::atomic<Chunk*> retired_{nullptr};

  std::mutex mutex_;
  RangeAllocator ranges_;
  Blocks blocks_;
  std::array<PendingList, kMaxStreams> pending_;  // retired ranges by the stream they wait for
  std::unordered_map<Owner, OwnerFigures> owners_;
  uint64_t used_ = 0, reserved_ = 0, peak_ = 0, allocations_ = 0;
  std::shared_ptr<Event> growth_;  // a block is being allocated; one at a time
  uint64_t refused_ = 0;  // the driver or the limit refused this many bytes; the next that asks for as many consumes it
  std::optional<Failure> growth_error_;
  bool closed_ = false;
};

// "1.5 GiB"
std::string bytes_text(uint64_t bytes);

}  // namespace nxv
