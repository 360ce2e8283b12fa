#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace nxv {

// One kernel of the pack. Views live as long as the pack.
struct PackEntry {
  std::string_view key;             // "map2.add.f32.dense"
  std::string_view shard;           // the file it lies in: pack/SHARD.spv.zst
  uint64_t offset = 0;              // bytes from the start of the unpacked shard
  uint64_t bytes = 0;               // of SPIR-V
  uint32_t caps = 0;                // bits of Cap (traits.h)
  std::string_view interface;       // how buffers reach it: "address"
  uint32_t push_bytes = 0;          // push constants it reads
  std::array<uint32_t, 3> local{};  // workgroup size; all 0 where specialization constants give it
  std::string_view source_hash;     // 32 hex digits
  uint64_t spirv_hash = 0;          // XXH3-64 of the SPIR-V bytes
};

struct PackShard {
  std::string_view name;      // "map2"
  uint64_t bytes = 0;         // unpacked
  uint64_t packed_bytes = 0;  // as stored
};

// The SPIR-V of every kernel, with its manifest. Immutable from outside, thread-safe: a shard is unpacked when the
// first of its kernels is asked for, a module is verified when it is first read.
class Pack {
 public:
  // The folder that NXV_PACK names (laid out as generated/), else the pack embedded in the program. Throws
  // invalid_argument with one sentence where the manifest cannot be used.
  static std::shared_ptr<const Pack> open();
  static std::shared_ptr<const Pack> open_folder(const std::string& path);
  static std::shared_ptr<const Pack> open_embedded();

  ~Pack();
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  // All entries, sorted by key.
  std::span<const PackEntry> entries() const;
  std::span<const PackShard> shards() const;

  // Throws unsupported, "[key] not in the pack".
  const PackEntry& entry(std::string_view key) const;
  const PackEntry* find(std::string_view key) const;

  // The entry's SPIR-V, valid as long as the pack. Throws invalid_argument where the shard or the module is damaged.
  std::span<const uint32_t> spirv(const PackEntry& entry) const;

  std::string_view digest() const;     // 32 hex digits, XXH3-128 over the manifest, which holds a hash of each module
  std::string_view toolchain() const;  // what it was compiled with
  std::string_view origin() const;     // "embedded" or the folder

 private:
  struct State;
  explicit Pack(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nxv
