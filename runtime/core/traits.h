#pragma once

#include <array>
#include <cstdint>

namespace nxv {

// Optional device features that gate pack entries. The names in the manifest's `caps` column are these.
enum Cap : uint32_t {
  kCapFloat64 = 1u << 0,    // float64
  kCapInt64 = 1u << 1,      // int64
  kCapStorage8 = 1u << 2,   // storage8
  kCapStorage16 = 1u << 3,  // storage16
  kCapFloat16 = 1u << 4,    // float16
  kCapInt8 = 1u << 5,       // int8
  kCapInt16 = 1u << 6,      // int16
};

// What planners may know of a device. Plain numbers, so that tests invent them (max_groups = 7, index32_limit = 1000).
struct Traits {
  uint32_t caps = 0;            // bits of Cap
  bool cpu = false;             // VkPhysicalDeviceType CPU: no barriers, no shared memory, contiguous work
  uint32_t subgroup_size = 32;  // never assumed, only a hint
  uint32_t compute_units = 32;  // how many workgroups keep the device busy (132 on an H200, 2 here)
  uint32_t max_workgroup_size = 256;
  uint32_t max_shared_bytes = 16384;
  std::array<uint32_t, 3> max_groups{65535, 65535, 65535};
  uint64_t index32_limit = 1ull << 31;   // element indices in one dispatch stay below this
  uint64_t max_allocation = 1ull << 31;  // bytes of the largest buffer
};

}  // namespace nxv
