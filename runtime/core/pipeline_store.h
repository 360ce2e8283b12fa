#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nxv {

// What a driver's pipeline data belongs to.
struct PipelineIdentity {
  std::array<uint8_t, 16> device{}, driver{}, cache{};  // UUIDs
  bool operator==(const PipelineIdentity&) const = default;
};

// A file with what a driver knows of pipelines, for the next run. One a device and driver; a header of its own says
// whose it is and holds a checksum; it is replaced by renaming. Nothing that goes wrong with it matters: a file that is
// missing, damaged or another's is as good as none, one that cannot be written is not written. Thread-safe.
class PipelineStore {
 public:
  // An empty directory name: nothing is kept.
  PipelineStore(std::string directory, const PipelineIdentity& identity);

  std::vector<std::byte> load() const noexcept;
  void save(std::span<const std::byte> data) const noexcept;

  const std::string& path() const { return path_; }

 private:
  std::string directory_, path_;
  PipelineIdentity identity_;
};

}  // namespace nxv
