#include "runtime/core/submitter.h"

#include <algorithm>
#include <vector>

#include "runtime/core/workers.h"

namespace nxv {
namespace {

constexpr int kAttempts = 5;  // to submit when the driver is out of memory
constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kAll = kWrites | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

}  // namespace

Submitter::Submitter(const LogicalDevice& device, Timeline& timeline, Source& source, Options options)
    : device_(device),
      timeline_(timeline),
      source_(source),
      options_(options),
      slots_(device, options.queue.family, options.profiler ? 2 * options.batch : 0) {
  subscription_ = device_.health().subscribe([this] { doorbell_.ring(); });
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    device_.health().unsubscribe(subscription_);
    throw;
  }
}

Submitter::~Submitter() { close(Clock::time_point::max()); }

void Submitter::flush(uint64_t step) {
  uint64_t known = flush_.load();
  while (known < step && !flush_.compare_exchange_weak(known, step)) {
  }
  if (known < step) doorbell_.ring();
}

bool Submitter::close(Clock::time_point deadline) {
  if (!thread_.joinable()) return true;
  stopping_.store(true);
  doorbell_.ring();
  closer_.sleep_until(deadline, [this] { return ended_.load(); });
  if (!ended_.load()) {
    thread_.detach();
    return false;
  }
  thread_.join();
  device_.health().unsubscribe(subscription_);
  return true;
}

void Submitter::run() {
  enter_runtime_thread("nxv-submit");
  try {
    RecordList records;
    while (wait_for_work()) {
      records.clear();
      taken_ = source_.take(records);
      for (size_t offset = 0; offset < records.size() && !halted();) offset = submit_batch(records, offset);
    }
  } catch (const Error& error) {
    device_.health().poison(error.code(), error.what());
  } catch (const std::exception& error) {
    device_.health().poison(Code::internal, error.what());
  }
  ended_.store(true);
  closer_.ring();
}

bool Submitter::wait_for_work() {
  Clock::time_point spin_until = Clock::now() + options_.spin;
  while (!halted()) {
    if (due()) return true;
    if (options_.spin.count() > 0 && Clock::now() < spin_until) {
      relax();
    } else {
      doorbell_.sleep_until(Clock::time_point::max(), [this] { return halted() || due(); });
    }
  }
  return false;
}

bool Submitter::due() {
  uint64_t queued = source_.appended() - taken_;
  if (queued == 0) {
    in_flight();
    return false;
  }
  return queued >= options_.batch || flush_.load() > taken_ || in_flight() < options_.most_in_flight;
}

uint32_t Submitter::in_flight() {
  retire_slots();
  return newest_slot_ - oldest_slot_;
}

void Submitter::retire_slots() {
  std::unique_lock lock(slots_mutex_, std::defer_lock);
  if (options_.profiler) lock.lock();
  while (oldest_slot_ != newest_slot_ && slots_.at(oldest_slot_).last_step <= timeline_.passed()) {
    if (options_.profiler) read_timestamps(slots_.at(oldest_slot_));
    ++oldest_slot_;
  }
}

void Submitter::collect_timestamps() {
  if (options_.profiler) retire_slots();
}

void Submitter::read_timestamps(CommandSlot& slot) {
  if (slot.timed.empty()) return;
  uint32_t count = static_cast<uint32_t>(slot.timed.size()) * 2;
  std::vector<uint64_t> times(count);
  // Not through Health: poisoning under the slots' lock could wait for a thread that wants it.
  check(device_.vk().GetQueryPoolResults(device_.handle(), slot.queries, 0, count, count * sizeof(uint64_t),
                                         times.data(), sizeof(uint64_t), VK_QUERY_RESULT_64_BIT),
        "vkGetQueryPoolResults");
  uint32_t bits = options_.queue.timestamp_bits;
  uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  for (size_t i = 0; i < slot.timed.size(); ++i) {
    uint64_t ticks = (times[2 * i + 1] - times[2 * i]) & mask;
    options_.profiler->add(*slot.timed[i], static_cast<double>(ticks) * device_.physical().timestamp_period);
  }
  slot.timed.clear();
}

// Until at most `most` submits are in flight; false where the stream ends instead.
bool Submitter::wait_in_flight(uint32_t most) {
  while (!halted()) {
    if (in_flight() <= most) return true;
    doorbell_.sleep_until(Clock::time_point::max(), [&] { return halted() || in_flight() <= most; });
  }
  return false;
}

size_t Submitter::submit_batch(const RecordList& records, size_t offset) {
  for (int attempt = 1;; ++attempt) {
    if (!wait_in_flight(CommandSlots::kCount - 1)) return records.size();
    CommandSlot& slot = slots_.at(newest_slot_);
    uint64_t step = submitted_;
    try {
      size_t end = record(slot, records, offset, step);
      submit(slot, records.at(offset), step);
      source_.submitted();
      return end;
    } catch (const Error& error) {
      if (error.code() != Code::out_of_memory || attempt == kAttempts) throw;
    }
    // The driver may have room again once the device has nothing to do.
    if (!wait_in_flight(0)) return records.size();
    std::this_thread::sleep_for(std::chrono::milliseconds(1 << attempt));
  }
}

size_t Submitter::record(CommandSlot& slot, const RecordList& records, size_t offset, uint64_t& step) {
  const Vk& vk = device_.vk();
  Health& health = device_.health();
  health.check(vk.ResetCommandPool(device_.handle(), slot.pool, 0), "vkResetCommandPool");
  auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  health.check(vk.BeginCommandBuffer(slot.buffer, &begin), "vkBeginCommandBuffer");
  slot.timed.clear();
  if (slot.queries) vk.CmdResetQueryPool(slot.buffer, slot.queries, 0, 2 * options_.batch);

  uint32_t most = in_flight() == 0 ? std::min(options_.first_batch, options_.batch) : options_.batch;
  VkPipeline bound = VK_NULL_HANDLE;
  bool host_reads = options_.host_reads_all;
  uint32_t count = 0;
  while (offset < records.size() && count < most) {
    const Record& record = records.at(offset);
    if (record.waits && count > 0) break;
    if (record.barrier || options_.profiler) barrier(slot.buffer, kAll, kStages);
    if (record.kind == Record::Kind::dispatch) {
      record_dispatch(slot, record, bound);
    } else {
      VkBufferCopy region{record.copy.from_offset, record.copy.to_offset, record.copy.bytes};
      vk.CmdCopyBuffer(slot.buffer, record.copy.from, record.copy.to, 1, &region);
    }
    host_reads |= record.host_reads;
    offset = RecordList::next(offset, record);
    ++count;
  }
  if (host_reads) barrier(slot.buffer, VK_ACCESS_HOST_READ_BIT, VK_PIPELINE_STAGE_HOST_BIT);
  health.check(vk.EndCommandBuffer(slot.buffer), "vkEndCommandBuffer");
  step += count;
  return offset;
}

void Submitter::record_dispatch(CommandSlot& slot, const Record& record, VkPipeline& bound) {
  const Vk& vk = device_.vk();
  if (record.dispatch.pipeline->handle != bound) {
    bound = record.dispatch.pipeline->handle;
    vk.CmdBindPipeline(slot.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, bound);
  }
  if (record.push_bytes) {
    vk.CmdPushConstants(slot.buffer, options_.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, record.push_bytes, record.push());
  }
  // Both at the bottom: the first is written when what comes before has ended.
  uint32_t query = static_cast<uint32_t>(slot.timed.size()) * 2;
  if (slot.queries) {
    vk.CmdWriteTimestamp(slot.buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.queries, query);
  }
  vk.CmdDispatch(slot.buffer, record.dispatch.groups[0], record.dispatch.groups[1], record.dispatch.groups[2]);
  if (slot.queries) {
    vk.CmdWriteTimestamp(slot.buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, slot.queries, query + 1);
    slot.timed.push_back(&record.dispatch.pipeline->key);
  }
}

void Submitter::barrier(VkCommandBuffer buffer, VkAccessFlags to, VkPipelineStageFlags stages) {
  auto memory = typed<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  memory.srcAccessMask = kWrites;
  memory.dstAccessMask = to;
  device_.vk().CmdPipelineBarrier(buffer, kStages, stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void Submitter::submit(CommandSlot& slot, const Record& first, uint64_t step) {
  std::array<VkSemaphore, kMaxStreams> semaphores;
  std::array<uint64_t, kMaxStreams> values;
  std::array<VkPipelineStageFlags, kMaxStreams> stages;
  uint32_t waits = 0;
  for (uint32_t stream = 0; first.waits && stream < kMaxStreams; ++stream) {
    if (!first.wait_steps[stream]) continue;
    semaphores[waits] = options_.semaphores[stream];
    values[waits] = first.wait_steps[stream];
    stages[waits++] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
  VkSemaphore signal = timeline_.semaphore();
  auto timeline = typed<VkTimelineSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  timeline.waitSemaphoreValueCount = waits;
  timeline.pWaitSemaphoreValues = values.data();
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &step;
  auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.pNext = &timeline;
  info.waitSemaphoreCount = waits;
  info.pWaitSemaphores = semaphores.data();
  info.pWaitDstStageMask = stages.data();
  info.commandBufferCount = 1;
  info.pCommandBuffers = &slot.buffer;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &signal;
  // The slot counts before the device can be done with it.
  mark_in_flight(slot, step);
  timeline_.announce(step);
  VkResult result = device_.vk().QueueSubmit(options_.queue.handle, 1, &info, VK_NULL_HANDLE);
  if (result < VK_SUCCESS) mark_free();
  device_.health().check(result, "vkQueueSubmit");
  timeline_.confirm(step);
  submitted_ = step;
}

void Submitter::mark_in_flight(CommandSlot& slot, uint64_t step) {
  std::unique_lock lock(slots_mutex_, std::defer_lock);
  if (options_.profiler) lock.lock();
  slot.last_step = step;
  ++newest_slot_;
}

void Submitter::mark_free() {
  std::unique_lock lock(slots_mutex_, std::defer_lock);
  if (options_.profiler) lock.lock();
  --newest_slot_;
}

}  // namespace nxv
