#include "runtime/core/transfer.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "runtime/core/failure.h"

namespace nxv {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

constexpr Owner kNobody = 0;                    // staging has no owner of its own
constexpr uint64_t kParallelCopy = 8ull << 20;  // bytes from which more threads pay
constexpr uint64_t kCopyPiece = 1ull << 20;

// Runs `body` on the calling thread and on workers that are free, and returns when all of them are through. A worker
// that comes late does nothing. The first exception is thrown.
class Crew {
 public:
  template <typename Body>
  static void run(Workers& workers, size_t helpers, const Body& body) {
    auto crew = std::make_shared<Crew>();
    auto work = [crew, &body] {
      try {
        body();
      } catch (...) {
        std::lock_guard lock(crew->mutex_);
        if (!crew->error_) crew->error_ = caught("transfer");
      }
    };
    for (size_t i = 0; i < helpers; ++i) {
      bool posted = workers.post([crew, work] {
        if (!crew->enter()) return;
        work();
        crew->leave();
      });
      if (!posted) break;
    }
    work();
    crew->finish();
  }

 private:
  bool enter() {
    std::lock_guard lock(mutex_);
    if (over_) return false;
    ++active_;
    return true;
  }
  void leave() {
    std::lock_guard lock(mutex_);
    if (--active_ == 0) changed_.notify_all();
  }
  void finish() {
    std::unique_lock lock(mutex_);
    over_ = true;
    changed_.wait(lock, [this] { return active_ == 0; });
    if (error_) error_->raise();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  size_t active_ = 0;
  bool over_ = false;
  std::optional<Failure> error_;
};

// Hands out the pieces of a range to several threads.
class Pieces {
 public:
  struct Piece {
    uint64_t offset = 0, bytes = 0;
  };
  Pieces(uint64_t bytes, uint64_t piece) : bytes_(bytes), piece_(piece) {}

  bool next(Piece& piece) {
    uint64_t offset = next_.fetch_add(piece_, std::memory_order_relaxed);
    if (offset >= bytes_ || cancelled_.load(std::memory_order_relaxed)) return false;
    piece = {offset, std::min(piece_, bytes_ - offset)};
    return true;
  }
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  uint64_t count() const { return (bytes_ + piece_ - 1) / piece_; }

 private:
  const uint64_t bytes_, piece_;
  std::atomic<uint64_t> next_{0};
  std::atomic<bool> cancelled_{false};
};

// A staging buffer of a large transfer and the copy that uses it.
struct Lane {
  BufferPtr staging;
  uint64_t step = 0;
  Pieces::Piece piece;
  bool busy = false;
};

void upload_pieces(DeviceParts& parts, const Buffer& to, const std::byte* from, Pieces& pieces) {
  Stream& stream = parts.transfers();
  std::array<Lane, 2> lanes;
  Pieces::Piece piece;
  for (size_t turn = 0; pieces.next(piece); ++turn) {
    Lane& lane = lanes[turn % lanes.size()];
    if (!lane.staging) {
      lane.staging = parts.staging->allocate(kTransferChunk, kNobody, Waiting::allow);
    } else {
      stream.wait(lane.step, TimePoint::max(), "upload");
    }
    std::memcpy(lane.staging->mapped(), from + piece.offset, piece.bytes);
    lane.step = stream.append(Copy{lane.staging.get(), 0, &to, piece.offset, piece.bytes}, Waiting::allow);
  }
}

void read_pieces(DeviceParts& parts, const BufferView& view, std::byte* out, Pieces& pieces, TimePoint deadline) {
  Stream& stream = parts.transfers();
  std::array<Lane, 2> lanes;
  auto start = [&](Lane& lane) {
    lane.busy = pieces.next(lane.piece);
    if (!lane.busy) return;
    if (!lane.staging) lane.staging = parts.staging->allocate(kTransferChunk, kNobody, Waiting::allow);
    lane.step =
        stream.append(Copy{view.buffer.get(), view.offset + lane.piece.offset, lane.staging.get(), 0, lane.piece.bytes},
                      Waiting::allow);
  };
  for (Lane& lane : lanes) start(lane);
  for (size_t turn = 0; lanes[turn % lanes.size()].busy; ++turn) {
    Lane& lane = lanes[turn % lanes.size()];
    stream.wait(lane.step, deadline, "read");
    std::memcpy(out + lane.piece.offset, lane.staging->mapped(), lane.piece.bytes);
    start(lane);
  }
}

// Runs `body(pieces)` on enough threads; a failure stops the others.
template <typename Body>
void share_out(Workers& workers, uint64_t bytes, uint64_t piece_bytes, const Body& body) {
  Pieces pieces(bytes, piece_bytes);
  size_t helpers = std::min<uint64_t>(workers.most(), pieces.count() - 1);
  Crew::run(workers, helpers, [&] {
    try {
      body(pieces);
    } catch (...) {
      pieces.cancel();
      throw;
    }
  });
}

}  // namespace

void copy_parallel(Workers& workers, std::byte* to, const std::byte* from, uint64_t bytes) {
  if (bytes < kParallelCopy) {
    std::memcpy(to, from, bytes);
    return;
  }
  share_out(workers, bytes, kCopyPiece, [&](Pieces& pieces) {
    Pieces::Piece piece;
    while (pieces.next(piece)) std::memcpy(to + piece.offset, from + piece.offset, piece.bytes);
  });
}

WrittenBy written_by(DeviceParts& parts, const Buffer& buffer) {
  std::lock_guard lock(parts.streams.append);
  const UseState& use = buffer.chunk()->use;
  if (use.written == 0) return {};
  return {parts.streams.streams[use.writer], use.written};
}

void upload_to(DeviceParts& parts, const Buffer& to, std::span<const std::byte> bytes, Waiting waiting) {
  if (bytes.empty()) return;
  if (to.mapped()) {
    copy_parallel(parts.copiers, to.mapped(), bytes.data(), bytes.size());
  } else if (bytes.size() <= kSmallTransfer) {
    BufferPtr staging = parts.staging->allocate(bytes.size(), kNobody, waiting);
    std::memcpy(staging->mapped(), bytes.data(), bytes.size());
    parts.compute->append(Copy{staging.get(), 0, &to, 0, bytes.size()}, waiting);
  } else {
    share_out(parts.copiers, bytes.size(), kTransferChunk,
              [&](Pieces& pieces) { upload_pieces(parts, to, bytes.data(), pieces); });
  }
}

void read_from(DeviceParts& parts, const BufferView& view, std::span<std::byte> out, TimePoint deadline) {
  if (out.empty()) return;
  const Buffer& buffer = *view.buffer;
  if (buffer.mapped()) {
    if (WrittenBy written = written_by(parts, buffer); written.stream)
      written.stream->wait(written.step, deadline, "read");
    copy_parallel(parts.copiers, out.data(), buffer.mapped() + view.offset, out.size());
  } else if (out.size() <= kSmallTransfer) {
    BufferPtr staging = parts.staging->allocate(out.size(), kNobody, Waiting::allow);
    uint64_t step = parts.compute->append(Copy{&buffer, view.offset, staging.get(), 0, out.size()}, Waiting::allow);
    parts.compute->wait(step, deadline, "read");
    std::memcpy(out.data(), staging->mapped(), out.size());
  } else {
    share_out(parts.copiers, out.size(), kTransferChunk,
              [&](Pieces& pieces) { read_pieces(parts, view, out.data(), pieces, deadline); });
  }
}

}  // namespace nxv
