#pragma once

#include <cstdint>
#include <memory>

namespace nxv {

class Device;

// Who asked for memory: figures are kept an owner (the NIF passes a number made of the process identifier).
using Owner = uint64_t;

// A range of device memory. Shared by every tensor that views it; the last reference gives the range back once the GPU
// is done with it. Safe to use and to drop on any thread; dropping never waits.
class Buffer;
using BufferPtr = std::shared_ptr<Buffer>;

// Part of a buffer: what a tensor is made of.
struct BufferView {
  BufferPtr buffer;
  uint64_t offset = 0;  // bytes
  uint64_t bytes = 0;
};

}  // namespace nxv
