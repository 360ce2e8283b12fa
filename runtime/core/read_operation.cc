#include <algorithm>
#include <cstring>
#include <mutex>

#include "runtime/core/failure.h"
#include "runtime/core/transfer.h"

namespace nxv {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

// A read under way. Steps that would wait are taken up again when what they wait for is ready; the callbacks keep the
// object.
class ReadState : public std::enable_shared_from_this<ReadState> {
 public:
  ReadState(DeviceParts& parts, BufferView view, uint64_t bytes, std::function<void()> done)
      : parts_(parts), view_(std::move(view)), bytes_(bytes), done_(std::move(done)) {}

  // Goes as far as it can without waiting.
  void advance() {
    try {
      if (staged()) {
        stage();
      } else {
        await(written_by(parts_, *view_.buffer));
      }
    } catch (const NotReady& not_ready) {
      not_ready.pending->on_ready([self = shared_from_this()] { self->advance_elsewhere(); });
    } catch (...) {
      fail(caught("read"));
    }
  }

  void cancel() {
    std::function<void()> done;
    std::lock_guard lock(mutex_);
    done.swap(done_);
  }

  void finish(std::span<std::byte> out) {
    if (out.size() != bytes_) throw Error(Code::invalid_argument, "[read] the read was started with another size");
    ready_->wait();
    {
      std::lock_guard lock(mutex_);
      if (error_) error_->raise();
    }
    parts_.logical.health().require("read");
    if (staged()) {
      std::memcpy(out.data(), staging_->mapped(), bytes_);
    } else {
      read_from(parts_, view_, out, TimePoint::max());
    }
  }

 private:
  // Small reads of unmapped memory lie in staging when they are done; others are copied by finish().
  bool staged() const { return !view_.buffer->mapped() && bytes_ <= kSmallTransfer; }

  void stage() {
    if (!staging_) staging_ = parts_.staging->allocate(std::max<uint64_t>(bytes_, 1), 0, Waiting::refuse);
    uint64_t step =
        parts_.compute->append(Copy{view_.buffer.get(), view_.offset, staging_.get(), 0, bytes_}, Waiting::refuse);
    await({parts_.compute.get(), step});
  }

  void await(WrittenBy written) {
    if (!written.stream) return complete();
    written.stream->on_passed(written.step, [self = shared_from_this()] { self->complete(); });
  }

  // Whoever is ready may hold up others by what comes next: driver calls are not for its thread.
  void advance_elsewhere() {
    if (!parts_.helpers.post([self = shared_from_this()] { self->advance(); })) {
      fail({Code::invalid_argument, "[read] the device is closed"});
    }
  }

  void fail(Failure error) {
    {
      std::lock_guard lock(mutex_);
      error_ = std::move(error);
    }
    complete();
  }

  void complete() {
    ready_->set();
    std::function<void()> done;
    {
      std::lock_guard lock(mutex_);
      done.swap(done_);
    }
    if (done) done();
  }

  DeviceParts& parts_;
  const BufferView view_;
  const uint64_t bytes_;
  BufferPtr staging_;
  const std::shared_ptr<Event> ready_ = std::make_shared<Event>();
  std::mutex mutex_;
  std::optional<Failure> error_;
  std::function<void()> done_;
};

class ReadOperation final : public PendingRead {
 public:
  ReadOperation(DevicePtr device, std::shared_ptr<ReadState> state)
      : device_(std::move(device)), state_(std::move(state)) {}
  ~ReadOperation() override { state_->cancel(); }
  void finish(std::span<std::byte> out) override { state_->finish(out); }

 private:
  const DevicePtr device_;
  const std::shared_ptr<ReadState> state_;
};

}  // namespace
std::unique_ptr<PendingRead> start_read(Device& device, const BufferView& view, uint64_t bytes,
                                        std::function<void()> done) {
  DeviceParts& parts = device.use("read");
  check_view(parts, view, bytes, "read");
  auto state = std::make_shared<ReadState>(parts, view, bytes, std::move(done));
  auto operation = std::make_unique<ReadOperation>(device.shared_from_this(), state);
  state->advance();
  return operation;
}

}  // namespace nxv
