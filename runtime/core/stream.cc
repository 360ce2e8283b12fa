#include "runtime/core/stream.h"

#include <algorithm>
#include <utility>

namespace nxv {

bool StreamGroup::passed(uint32_t stream, uint64_t step) const { return streams[stream]->timeline().passed() >= step; }

PendingPtr StreamGroup::when_passed(uint32_t stream, uint64_t step) {
  auto event = std::make_shared<Event>();
  streams[stream]->on_passed(step, [event] { event->set(); });
  return event;
}

Stream::Stream(const LogicalDevice& device, StreamGroup& group, Options options)
    : device_(device),
      group_(group),
      options_(std::move(options)),
      timeline_(device, timeline_options()),
      hazards_(options_.id) {
  group_.streams[options_.id] = this;
}

Timeline::Options Stream::timeline_options() {
  Timeline::Options timeline = options_.timeline;
  timeline.housekeeping = [this, other = options_.timeline.housekeeping] {
    if (submitter_) submitter_->ring();
    return other ? other() : Clock::time_point::max();
  };
  return timeline;
}

Stream::~Stream() { close(Clock::time_point::max()); }

void Stream::start() {
  for (uint32_t i = 0; i < kMaxStreams; ++i) {
    if (group_.streams[i]) options_.submitter.semaphores[i] = group_.streams[i]->timeline_.semaphore();
  }
  Submitter::Source& source = *this;
  submitter_ = std::make_unique<Submitter>(device_, timeline_, source, options_.submitter);
  subscription_ = device_.health().subscribe([this] { submitted(); });
}

uint64_t Stream::append(std::span<const Dispatch> steps, Waiting waiting) {
  auto lock = lock_with_room("execute", waiting);
  uint64_t step_before = step_;
  size_t size_before = open_.size();
  std::array<uint64_t, kMaxStreams> waits{};
  try {
    for (const Dispatch& dispatch : steps) {
      Record record;
      record.kind = Record::Kind::dispatch;
      record.push_bytes = static_cast<uint32_t>(dispatch.push.size());
      record.dispatch.pipeline = dispatch.pipeline;
      std::copy(dispatch.groups.begin(), dispatch.groups.end(), record.dispatch.groups);
      Ordering ordering = order(record, dispatch.uses, dispatch.pipeline->key);
      for (uint32_t i = 0; i < kMaxStreams; ++i) waits[i] = std::max(waits[i], ordering.waits[i]);
      open_.add(record, dispatch.push);
    }
  } catch (...) {
    step_ = step_before;
    hazards_.forget();
    open_.truncate(size_before);
    throw;
  }
  uint64_t newest = step_;
  appended_.store(newest);
  lock.unlock();
  publish(waits);
  return newest;
}

uint64_t Stream::append(const Copy& copy, Waiting waiting) {
  static const std::string kKey = "copy";
  auto lock = lock_with_room("copy", waiting);
  uint64_t from = copy.from->address() + copy.from_offset, to = copy.to->address() + copy.to_offset;
  const std::array<Use, 2> uses{Use{copy.from->chunk(), from, from + copy.bytes, false},
                                Use{copy.to->chunk(), to, to + copy.bytes, true}};
  Record record;
  record.kind = Record::Kind::copy;
  record.host_reads = copy.to->mapped() != nullptr;
  record.copy = {copy.from->handle(), copy.to->handle(), copy.from->offset() + copy.from_offset,
                 copy.to->offset() + copy.to_offset, copy.bytes};
  uint64_t step_before = step_;
  Ordering ordering;
  try {
    ordering = order(record, uses, kKey);
    open_.add(record);
  } catch (...) {
    step_ = step_before;
    hazards_.forget();
    throw;
  }
  uint64_t newest = step_;
  appended_.store(newest);
  lock.unlock();
  publish(ordering.waits);
  return newest;
}

// Numbers the step and finds what it must wait for. Under the append lock.
Ordering Stream::order(Record& record, std::span<const Use> uses, const std::string& key) {
  uint64_t step = ++step_;
  HazardTracker::Passed passed{};
  for (uint32_t i = 0; i < kMaxStreams; ++i) {
    if (group_.streams[i]) passed[i] = group_.streams[i]->timeline_.passed();
  }
  Ordering ordering = hazards_.order(step, uses, passed);
  if (options_.serialize && !ordering.barrier) {
    ordering.barrier = true;
    hazards_.barrier_before(step);
  }
  record.barrier = ordering.barrier;
  record.wait_steps = ordering.waits;
  record.waits = std::any_of(ordering.waits.begin(), ordering.waits.end(), [](uint64_t wait) { return wait != 0; });
  if (group_.log) {
    HazardEvent event{
        .stream = options_.id, .step = step, .key = key, .ordering = ordering, .seen = passed, .touches = {}};
    for (const Use& use : uses) event.touches.push_back({use.begin, use.end, use.chunk->allocation, use.write});
    group_.log->add(std::move(event));
  }
  return ordering;
}

// Outside the lock: tells the submitters.
void Stream::publish(const std::array<uint64_t, kMaxStreams>& waits) {
  for (uint32_t i = 0; i < kMaxStreams; ++i) {
    if (waits[i]) group_.streams[i]->flush(waits[i]);
  }
  submitter_->ring();
}

std::unique_lock<std::mutex> Stream::lock_with_room(std::string_view function, Waiting waiting) {
  while (true) {
    device_.health().require(function);
    std::unique_lock lock(group_.append);
    if (step_ - timeline_.submitted() < options_.most_queued) return lock;
    if (!room_) room_ = std::make_shared<Event>();
    PendingPtr room = room_;
    room_wanted_.store(true);
    // Whoever makes room after this check sees the flag.
    if (step_ - timeline_.submitted() < options_.most_queued) return lock;
    lock.unlock();
    submitter_->ring();
    wait_or_refuse(room, waiting);
  }
}

uint64_t Stream::take(RecordList& records) {
  std::lock_guard lock(group_.append);
  records.swap(open_);
  return step_;
}

void Stream::submitted() {
  if (!room_wanted_.load()) return;
  std::shared_ptr<Event> room;
  {
    std::lock_guard lock(group_.append);
    room_wanted_.store(false);
    room = std::move(room_);
  }
  if (room) room->set();
}

void Stream::wait(uint64_t step, Clock::time_point deadline, std::string_view function) {
  flush(step);
  timeline_.wait(step, deadline, function);
}

void Stream::on_passed(uint64_t step, std::function<void()> done) {
  flush(step);
  timeline_.on_passed(step, std::move(done));
}

bool Stream::close(Clock::time_point deadline) {
  if (submitter_) {
    if (!submitter_->close(deadline)) return false;
    device_.health().unsubscribe(std::exchange(subscription_, -1));
    submitted();
  }
  return timeline_.close(deadline);
}

}  // namespace nxv
