#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>

#include "runtime/core/device.h"

namespace nxv {

// Copies between the caller's memory and buffers. Mapped buffers are copied directly; others through pinned staging: up
// to kSmallTransfer bytes in one piece on the compute stream, more in chunks that several threads fill or empty while
// the device copies.
inline constexpr uint64_t kSmallTransfer = 1 << 20;
inline constexpr uint64_t kTransferChunk = 4 << 20;

void upload_to(DeviceParts& parts, const Buffer& to, std::span<const std::byte> bytes, Waiting waiting);

// Waits for the step that wrote the buffer, then for the copy; throws timeout.
void read_from(DeviceParts& parts, const BufferView& view, std::span<std::byte> out,
               std::chrono::steady_clock::time_point deadline);

// memcpy by several threads where that pays.
void copy_parallel(Workers& workers, std::byte* to, const std::byte* from, uint64_t bytes);

// The newest step that writes the buffer.
struct WrittenBy {
  Stream* stream = nullptr;  // null: nobody so far
  uint64_t step = 0;
};
WrittenBy written_by(DeviceParts& parts, const Buffer& buffer);

}  // namespace nxv
