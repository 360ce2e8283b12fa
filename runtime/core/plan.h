#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nxv {

// One value of a 32-bit specialization constant.
struct SpecConstant {
  uint32_t id = 0;
  uint32_t value = 0;
  bool operator==(const SpecConstant&) const = default;
};

// A kernel that the linker made of modules of the pack (linker.h).
struct LinkedKernel {
  std::string key;  // names the program it was made of
  std::vector<uint32_t> words;
  uint32_t caps = 0;  // bits of Cap
  uint32_t push_bytes = 0;
};

// A pack entry, or a linked kernel, and the numbers that make a pipeline of it. Constant 0 is always the workgroup size
// in x.
struct KernelRef {
  std::string key;
  std::vector<SpecConstant> constants;
  std::shared_ptr<const LinkedKernel> linked = nullptr;  // has the same key; null for kernels of the pack
};

// A place in one of the buffers a plan works on: the caller's inputs, the outputs it will get, or
// temporaries that live for the plan only.
struct Ref {
  enum class Kind : uint8_t { input, output, temp };
  Kind kind = Kind::input;
  uint32_t index = 0;
  uint64_t byte_offset = 0;  // from the start of the view
};

// Puts the 64-bit device address of `ref` into the push constants.
struct AddressSlot {
  uint32_t push_offset = 0;
  Ref ref;
};

// What a step touches, in bytes from the start of the view. Hazards are tracked a buffer; the range is what debug
// builds check against the allocation.
struct Access {
  Ref::Kind kind = Ref::Kind::input;
  uint32_t index = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
  bool write = false;
};

// One dispatch.
struct Step {
  KernelRef kernel;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::vector<std::byte> push;         // at most 128 bytes; addresses are patched in
  std::vector<AddressSlot> addresses;  // into `push`
  std::vector<std::byte> params;       // a block in device memory, its address goes to params_offset; empty: none
  // Addresses patched into `params` instead of `push` (push_offset is then an offset in params).
  std::vector<AddressSlot> params_addresses;
  uint32_t params_offset = 0;
  std::vector<Access> accesses;
};

// What an operation comes down to. Pure data: planners make it without a device, the eager executor and the graph
// programs bind it to buffers. Steps run in order; the recorder finds the hazards between them.
struct Plan {
  std::vector<uint64_t> output_bytes;
  std::vector<uint64_t> temp_bytes;
  std::vector<Step> steps;
};

}  // namespace nxv
