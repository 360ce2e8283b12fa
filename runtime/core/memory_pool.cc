#include "runtime/core/memory_pool.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace nxv {
namespace {

constexpr uint64_t kBlockUnit = 64 << 10;  // block sizes are multiples

// The newest step of the stream that touches the range.
uint64_t last_step(const UseState& use, uint32_t stream) {
  return use.writer == stream ? std::max(use.reads[stream], use.written) : use.reads[stream];
}

uint64_t block_rounded(uint64_t bytes) { return (bytes + kBlockUnit - 1) / kBlockUnit * kBlockUnit; }

}  // namespace

std::string bytes_text(uint64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

Buffer::Buffer(std::shared_ptr<MemoryPool> pool, Chunk* chunk, uint64_t bytes, Owner owner)
    : pool_(std::move(pool)),
      chunk_(chunk),
      bytes_(bytes),
      owner_(owner),
      address_(chunk->block->address() + chunk->offset),
      mapped_(chunk->block->mapped() ? chunk->block->mapped() + chunk->offset : nullptr) {}

Buffer::~Buffer() { pool_->retire(chunk_); }

MemoryPool::MemoryPool(const LogicalDevice& device, Progress& progress, Workers& workers, const Options& options)
    : device_(device),
      progress_(progress),
      workers_(workers),
      options_(options),
      heap_(device.physical().memory.memoryTypes[options.type].heapIndex) {}

MemoryPool::~MemoryPool() = default;

void MemoryPool::retire(Chunk* chunk) noexcept {
  Chunk* head = retired_.load(std::memory_order_relaxed);
  do {
    chunk->next_retired = head;
  } while (!retired_.compare_exchange_weak(head, chunk, std::memory_order_release, std::memory_order_relaxed));
}

BufferPtr MemoryPool::allocate(uint64_t bytes, Owner owner, Waiting waiting) {
  device_.health().require("allocate");
  uint64_t most = device_.info().traits.max_allocation;
  if (bytes > most) {
    throw Error(Code::unsupported, "[allocate] a buffer of " + bytes_text(bytes) + " was asked for, " +
                                       device_.info().name + " allows " + bytes_text(most));
  }
  Chunk* chunk = take(RangeAllocator::rounded(bytes), owner, waiting);
  try {
    return std::make_shared<Buffer>(shared_from_this(), chunk, bytes, owner);
  } catch (...) {
    retire(chunk);
    throw;
  }
}

Chunk* MemoryPool::take(uint64_t bytes, Owner owner, Waiting waiting) {
  bool may_grow = true;
  while (true) {
    device_.health().require("allocate");
    std::shared_ptr<Event> growth;  // that this call is to carry out
    PendingPtr pending;
    std::optional<InFlight> in_flight;
    {
      std::lock_guard lock(mutex_);
      if (closed_) throw Error(Code::invalid_argument, "[allocate] the device is closed");
      collect();
      if (Chunk* chunk = try_take(bytes, owner)) return chunk;
      if (growth_error_) std::exchange(growth_error_, std::nullopt)->raise();
      if (refused_ && bytes >= refused_) {
        refused_ = 0;
        may_grow = false;
      }
      if (!may_grow) {
        in_flight = oldest_in_flight();
        if (!in_flight) break;
      } else if (growth_) {
        pending = growth_;
      } else {
        growth = growth_ = std::make_shared<Event>();
      }
    }
    if (in_flight) {
      pending = progress_.when_passed(in_flight->stream, in_flight->step);
      may_grow = true;
    } else if (growth && waiting == Waiting::allow) {
      grow(bytes);
      continue;
    } else if (growth) {
      grow_elsewhere(bytes);
      pending = growth;
    }
    wait_or_refuse(pending, waiting);
  }
  out_of_memory(bytes);
}

Chunk* MemoryPool::try_take(uint64_t bytes, Owner owner) {
  Chunk* chunk = ranges_.allocate(bytes);
  if (!chunk) return nullptr;
  OwnerFigures& figures = owners_[owner];
  figures.owner = owner;
  figures.bytes += bytes;
  chunk->owner = &figures;
  chunk->allocation = ++allocations_;
  ++chunk->block->live_chunks;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return chunk;
}

// Moves retired ranges to the list of a stream that still uses them, in order of retirement, and gives back what the
// streams have passed. A list is looked at from its front only: a range behind one used later waits a little longer.
void MemoryPool::collect() {
  Chunk* newest = retired_.exchange(nullptr, std::memory_order_acquire);
  Chunk* oldest = nullptr;
  while (newest) {
    Chunk* next = newest->next_retired;
    newest->next_retired = oldest;
    oldest = newest;
    newest = next;
  }
  while (oldest) {
    Chunk* next = oldest->next_retired;
    give_back_or_keep(oldest);
    oldest = next;
  }
  for (uint32_t stream = 0; stream < kMaxStreams; ++stream) {
    PendingList& list = pending_[stream];
    while (list.first && progress_.passed(stream, last_step(list.first->use, stream))) {
      Chunk* chunk = list.first;
      list.first = chunk->next_retired;
      if (!list.first) list.last = nullptr;
      give_back_or_keep(chunk);
    }
  }
}

void MemoryPool::give_back_or_keep(Chunk* chunk) {
  chunk->next_retired = nullptr;
  for (uint32_t stream = 0; stream < kMaxStreams; ++stream) {
    uint64_t step = last_step(chunk->use, stream);
    if (step == 0 || progress_.passed(stream, step)) continue;
    PendingList& list = pending_[stream];
    (list.last ? list.last->next_retired : list.first) = chunk;
    list.last = chunk;
    return;
  }
  give_back(chunk);
}

void MemoryPool::give_back(Chunk* chunk) {
  used_ -= chunk->bytes;
  chunk->owner->bytes -= chunk->bytes;
  if (chunk->owner->bytes == 0) owners_.erase(chunk->owner->owner);
  MemoryBlock* block = chunk->block;
  ranges_.release(chunk);
  if (--block->live_chunks == 0) block->idle_since = Clock::now();
}

std::optional<MemoryPool::InFlight> MemoryPool::oldest_in_flight() const {
  for (uint32_t stream = 0; stream < kMaxStreams; ++stream) {
    if (pending_[stream].first) return InFlight{stream, last_step(pending_[stream].first->use, stream)};
  }
  return std::nullopt;
}

MemoryPool::Blocks MemoryPool::remove_idle_blocks(uint64_t keep_bytes, Clock::time_point idle_before) {
  Blocks removed;
  uint64_t kept = 0;
  // Small blocks come first, so that the reserve keeps those.
  std::sort(blocks_.begin(), blocks_.end(), [](const auto& a, const auto& b) { return a->bytes() < b->bytes(); });
  for (auto& block : blocks_) {
    if (block->live_chunks) continue;
    if (kept + block->bytes() <= keep_bytes) {
      kept += block->bytes();
    } else if (block->idle_since <= idle_before) {
      removed.push_back(std::move(block));
    }
  }
  std::erase(blocks_, nullptr);
  for (const auto& block : removed) {
    reserved_ -= block->bytes();
    ranges_.remove_block(block->whole);
  }
  return removed;
}

void MemoryPool::grow_elsewhere(uint64_t bytes) {
  bool posted = false;
  try {
    posted = workers_.post([self = shared_from_this(), bytes] { self->grow(bytes); });
  } catch (...) {
  }
  if (!posted) grow(bytes);
}

// Runs on one thread at a time, the one that has set growth_.
void MemoryPool::grow(uint64_t bytes) noexcept {
  std::unique_ptr<MemoryBlock> block;
  std::optional<Failure> error;
  try {
    block = new_block(bytes);
  } catch (...) {
    error = caught("allocate");
  }
  std::shared_ptr<Event> growth;
  {
    std::lock_guard lock(mutex_);
    if (block && !closed_) {
      try {
        block->idle_since = Clock::now();
        blocks_.push_back(nullptr);
        block->whole = ranges_.add_block(block.get(), block->bytes());
        blocks_.back() = std::move(block);
        reserved_ += blocks_.back()->bytes();
      } catch (...) {
        std::erase(blocks_, nullptr);
        error = caught("allocate");
      }
    } else if (!error) {
      refused_ = bytes;
    }
    growth_error_ = error;
    growth = std::move(growth_);
  }
  growth->set();
}

// A block that holds `bytes`, larger where there is room; null where limit, budget or driver refuse.
std::unique_ptr<MemoryBlock> MemoryPool::new_block(uint64_t bytes) {
  auto try_block = [this](uint64_t size) -> std::unique_ptr<MemoryBlock> {
    if (size > headroom()) return nullptr;
    try {
      return std::make_unique<MemoryBlock>(device_, options_.type, size, options_.mapping);
    } catch (const Error& error) {
      if (error.code() != Code::out_of_memory) throw;
      return nullptr;
    }
  };
  uint64_t exact = block_rounded(bytes);
  uint64_t preferred = preferred_block(exact);
  if (preferred > exact) {
    if (auto block = try_block(preferred)) return block;
  }
  if (auto block = try_block(exact)) return block;
  Blocks idle;
  {
    std::lock_guard lock(mutex_);
    idle = remove_idle_blocks(0, Clock::time_point::max());
  }
  if (idle.empty()) return nullptr;
  idle.clear();
  return try_block(exact);
}

uint64_t MemoryPool::preferred_block(uint64_t bytes) {
  size_t blocks;
  {
    std::lock_guard lock(mutex_);
    blocks = blocks_.size();
  }
  uint64_t usual = options_.growth[std::min(blocks, options_.growth.size() - 1)];
  // A large buffer gets a block of its own, so that it can go back as soon as it is idle.
  return bytes > usual / 2 ? bytes : std::min(usual, device_.info().traits.max_allocation / kBlockUnit * kBlockUnit);
}

uint64_t MemoryPool::headroom() {
  Budget budget = this->budget();
  uint64_t room = budget.bytes > budget.used ? budget.bytes - budget.used : 0;
  if (!options_.limit) return room;
  std::lock_guard lock(mutex_);
  return std::min(room, options_.limit > reserved_ ? options_.limit - reserved_ : 0);
}

MemoryPool::Budget MemoryPool::budget() const {
  if (!device_.physical().memory_budget) return {~uint64_t{0}, 0};
  auto budget =
      typed<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  auto memory = typed<VkPhysicalDeviceMemoryProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2);
  memory.pNext = &budget;
  device_.vk().GetPhysicalDeviceMemoryProperties2(device_.physical().handle, &memory);
  if (budget.heapBudget[heap_] == 0) return {~uint64_t{0}, 0};  // the driver does not know
  return {budget.heapBudget[heap_], budget.heapUsage[heap_]};
}

void MemoryPool::out_of_memory(uint64_t bytes) {
  Budget budget = this->budget();
  std::lock_guard lock(mutex_);
  uint64_t heap = device_.physical().memory.memoryHeaps[heap_].size;
  uint64_t most = std::min(budget.bytes, heap);
  const char* kind = budget.bytes < heap ? "the driver's budget" : "all memory";
  if (options_.limit && options_.limit < most) {
    most = options_.limit;
    kind = "the limit";
  }
  uint64_t free = most > used_ ? most - used_ : 0;
  throw Error(Code::out_of_memory, "[allocate] out of memory on " + device_.info().name + ": asked " +
                                       bytes_text(bytes) + ", free " + bytes_text(free) + " (largest piece " +
                                       bytes_text(ranges_.largest_free()) + "), limit " + bytes_text(most) + " (" +
                                       kind + ")");
}

MemoryPool::Clock::time_point MemoryPool::trim(Clock::time_point now) {
  Blocks idle;
  std::lock_guard lock(mutex_);
  if (closed_) return Clock::time_point::max();
  collect();
  uint64_t idle_bytes = 0;
  for (const auto& block : blocks_) idle_bytes += block->live_chunks ? 0 : block->bytes();
  if (idle_bytes <= options_.reserve) return Clock::time_point::max();
  idle = remove_idle_blocks(options_.reserve, now - options_.grace);
  Clock::time_point next = Clock::time_point::max();
  uint64_t kept = 0;
  for (const auto& block : blocks_) {
    if (block->live_chunks) continue;
    kept += block->bytes();
    if (kept > options_.reserve) next = std::min(next, block->idle_since + options_.grace);
  }
  return next;
}

void MemoryPool::close() {
  Blocks blocks;
  std::lock_guard lock(mutex_);
  closed_ = true;
  blocks.swap(blocks_);
}

void MemoryPool::abandon() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  for (auto& block : blocks_) block.release();
  blocks_.clear();
}

MemoryInfo MemoryPool::info() {
  Budget budget = this->budget();
  std::lock_guard lock(mutex_);
  collect();
  MemoryInfo info;
  info.used_bytes = used_;
  info.reserved_bytes = reserved_;
  info.peak_bytes = peak_;
  info.limit_bytes = options_.limit;
  info.budget_bytes = std::min(budget.bytes, device_.physical().memory.memoryHeaps[heap_].size);
  for (const auto& [owner, figures] : owners_) info.owners.emplace_back(owner, figures.bytes);
  std::sort(info.owners.begin(), info.owners.end());
  return info;
}

}  // namespace nxv
