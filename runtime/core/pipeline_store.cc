#include "runtime/core/pipeline_store.h"

#include <fcntl.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace nxv {
namespace {

constexpr uint64_t kMostBytes = 256ull << 20;

struct Header {
  std::array<char, 8> magic{'N', 'X', 'V', 'P', 'I', 'P', 'E', '1'};
  PipelineIdentity identity;
  uint64_t bytes = 0;     // that follow
  uint64_t checksum = 0;  // XXH3-64 of them
};
static_assert(sizeof(Header) == 72 && std::is_trivially_copyable_v<Header>);

std::string hex(const std::array<uint8_t, 16>& uuid) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (uint8_t byte : uuid) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// Owns a file that goes away unless it is renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& final_path) : final_path_(final_path) {
    static std::atomic<uint32_t> number{0};
    path_ = final_path + "." + std::to_string(getpid()) + "." + std::to_string(number.fetch_add(1)) + ".tmp";
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool write(const void* data, size_t bytes) {
    auto* next = static_cast<const char*>(data);
    while (descriptor_ >= 0 && bytes > 0) {
      ssize_t written = ::write(descriptor_, next, bytes);
      if (written <= 0) return false;
      next += written;
      bytes -= static_cast<size_t>(written);
    }
    return descriptor_ >= 0;
  }
  void rename() { renamed_ = ::rename(path_.c_str(), final_path_.c_str()) == 0; }

 private:
  const std::string final_path_;
  std::string path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

PipelineStore::PipelineStore(std::string directory, const PipelineIdentity& identity)
    : directory_(std::move(directory)), identity_(identity) {
  if (!directory_.empty()) {
    path_ = directory_ + "/pipelines-" + hex(identity.device) + "-" + hex(identity.driver) + ".bin";
  }
}

std::vector<std::byte> PipelineStore::load() const noexcept {
  if (path_.empty()) return {};
  try {
    std::ifstream file(path_, std::ios::binary);
    Header header;
    const Header expected;
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return {};
    if (header.magic != expected.magic || header.identity != identity_ || header.bytes > kMostBytes) return {};
    // The size is not trusted before the file has shown to be as long.
    if (std::filesystem::file_size(path_) != sizeof header + header.bytes) return {};
    std::vector<std::byte> data(header.bytes);
    if (!file.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()))) return {};
    if (XXH3_64bits(data.data(), data.size()) != header.checksum) return {};
    return data;
  } catch (...) {
    return {};
  }
}

void PipelineStore::save(std::span<const std::byte> data) const noexcept {
  if (path_.empty() || data.size() > kMostBytes) return;
  try {
    std::filesystem::create_directories(directory_);
    Header header;
    header.identity = identity_;
    header.bytes = data.size();
    header.checksum = XXH3_64bits(data.data(), data.size());
    TemporaryFile file(path_);
    if (file.write(&header, sizeof header) && file.write(data.data(), data.size())) file.rename();
  } catch (...) {
    // The next run makes its pipelines anew.
  }
}

}  // namespace nxv
