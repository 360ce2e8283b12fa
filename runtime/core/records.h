#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/core/memory_pool.h"
#include "runtime/core/pipeline_cache.h"

namespace nxv {

// A step as it waits for the submitter: a header, then the push constants, one after another in a byte vector.
struct Record {
  enum class Kind : uint8_t { dispatch, copy };

  Kind kind = Kind::dispatch;
  bool barrier = false;     // before it
  bool waits = false;       // for other streams: it opens a submit of its own
  bool host_reads = false;  // the host will read what it writes
  uint32_t push_bytes = 0;  // that follow
  std::array<uint64_t, kMaxStreams> wait_steps{};
  union {
    struct {
      const Pipeline* pipeline;
      uint32_t groups[3];
    } dispatch;
    struct {
      VkBuffer from, to;
      uint64_t from_offset, to_offset, bytes;
    } copy{};
  };

  const std::byte* push() const { return reinterpret_cast<const std::byte*>(this + 1); }
};

// Records one after another; memory is kept for the next round. Not thread-safe.
class RecordList {
 public:
  void add(const Record& record, std::span<const std::byte> push = {}) {
    size_t at = bytes_.size();
    bytes_.resize(at + sizeof(Record) + padded(record.push_bytes));
    std::memcpy(bytes_.data() + at, &record, sizeof record);
    std::copy(push.begin(), push.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at + sizeof record));
  }
  void clear() { bytes_.clear(); }
  void truncate(size_t size) { bytes_.resize(size); }
  void swap(RecordList& other) { bytes_.swap(other.bytes_); }
  size_t size() const { return bytes_.size(); }
  const Record& at(size_t offset) const { return *reinterpret_cast<const Record*>(bytes_.data() + offset); }
  static size_t next(size_t offset, const Record& record) {
    return offset + sizeof(Record) + padded(record.push_bytes);
  }

 private:
  static size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

  std::vector<std::byte> bytes_;
};

}  // namespace nxv
