#include "runtime/core/pack.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "runtime/core/environment.h"
#include "runtime/core/error.h"
#include "runtime/core/manifest.h"
#include "runtime/core/pack_files.h"

namespace nxv {
namespace {

constexpr uint32_t kSpirvMagic = 0x07230203;
constexpr std::string_view kManifestPath = "manifest.tsv";

[[noreturn]] void fail(const std::string& subject, const std::string& what) {
  throw Error(Code::invalid_argument, "[" + subject + "] " + what);
}

std::string shard_path(std::string_view name) { return "pack/" + std::string(name) + ".spv.zst"; }

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) fail("pack", "cannot read " + path);
  std::vector<std::byte> bytes(static_cast<size_t>(size));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), size);
  if (!file) fail("pack", "cannot read " + path);
  return bytes;
}

std::span<const std::byte> embedded_file(std::string_view path) {
  const auto files = embedded_pack();
  const auto found = std::ranges::find(files, path, &PackFile::path);
  if (found == files.end()) fail("pack", "embedded: no file " + std::string(path));
  return found->bytes;
}

std::vector<uint32_t> unpack(std::span<const std::byte> packed, const PackShard& shard, const std::string& where) {
  if (packed.size() != shard.packed_bytes) {
    fail("pack", where + ": " + std::to_string(packed.size()) + " bytes, the manifest says " +
                     std::to_string(shard.packed_bytes) + ": cut short or damaged");
  }
  std::vector<uint32_t> words((shard.bytes + 3) / 4);
  const size_t got = ZSTD_decompress(words.data(), shard.bytes, packed.data(), packed.size());
  if (ZSTD_isError(got)) fail("pack", where + ": damaged (" + ZSTD_getErrorName(got) + ")");
  if (got != shard.bytes) fail("pack", where + ": unpacks to fewer bytes than the manifest says: damaged");
  return words;
}

}  // namespace

// Unpacked when first asked for; `words` is set once, under the mutex, before `ready`.
struct ShardData {
  std::mutex mutex;
  std::atomic<bool> ready{false};
  std::vector<uint32_t> words;
};

struct Pack::State {
  std::string folder;                // empty: embedded
  std::vector<std::byte> own_bytes;  // of the manifest, where it comes from a folder
  Manifest manifest;
  std::vector<ShardData> shards;            // as manifest.shards
  std::vector<std::atomic<bool>> verified;  // as manifest.entries

  std::string origin() const { return folder.empty() ? "embedded" : folder; }

  void load(std::span<const std::byte> bytes) {
    manifest = parse_manifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, origin());
    shards = std::vector<ShardData>(manifest.shards.size());
    verified = std::vector<std::atomic<bool>>(manifest.entries.size());
  }

  const std::vector<uint32_t>& shard_words(size_t index) {
    ShardData& data = shards[index];
    if (data.ready.load(std::memory_order_acquire)) return data.words;
    const std::lock_guard lock(data.mutex);
    if (!data.ready.load(std::memory_order_relaxed)) {
      const PackShard& shard = manifest.shards[index];
      const std::string path = shard_path(shard.name);
      if (folder.empty()) {
        data.words = unpack(embedded_file(path), shard, "embedded " + path);
      } else {
        data.words = unpack(read_file(folder + "/" + path), shard, folder + "/" + path);
      }
      data.ready.store(true, std::memory_order_release);
    }
    return data.words;
  }
};

Pack::Pack(std::unique_ptr<State> state) : state_(std::move(state)) {}
Pack::~Pack() = default;

std::shared_ptr<const Pack> Pack::open() {
  const std::string folder = read_environment().pack;
  return folder.empty() ? open_embedded() : open_folder(folder);
}

std::shared_ptr<const Pack> Pack::open_folder(const std::string& path) {
  auto state = std::make_unique<State>();
  state->folder = path;
  state->own_bytes = read_file(path + "/" + std::string(kManifestPath));
  state->load(state->own_bytes);
  return std::shared_ptr<const Pack>(new Pack(std::move(state)));
}

std::shared_ptr<const Pack> Pack::open_embedded() {
  auto state = std::make_unique<State>();
  state->load(embedded_file(kManifestPath));
  return std::shared_ptr<const Pack>(new Pack(std::move(state)));
}

std::span<const PackEntry> Pack::entries() const { return state_->manifest.entries; }
std::span<const PackShard> Pack::shards() const { return state_->manifest.shards; }
std::string_view Pack::digest() const { return state_->manifest.digest; }
std::string_view Pack::toolchain() const { return state_->manifest.toolchain; }
std::string_view Pack::origin() const { return state_->folder.empty() ? "embedded" : std::string_view(state_->folder); }

const PackEntry* Pack::find(std::string_view key) const {
  const auto& entries = state_->manifest.entries;
  const auto found = std::ranges::lower_bound(entries, key, {}, &PackEntry::key);
  return found != entries.end() && found->key == key ? &*found : nullptr;
}

const PackEntry& Pack::entry(std::string_view key) const {
  const PackEntry* found = find(key);
  if (!found) throw Error(Code::unsupported, "[" + std::string(key) + "] not in the pack");
  return *found;
}

std::span<const uint32_t> Pack::spirv(const PackEntry& entry) const {
  const Manifest& manifest = state_->manifest;
  const auto index = static_cast<size_t>(&entry - manifest.entries.data());
  if (index >= manifest.entries.size()) throw Error(Code::internal, "[pack] an entry of another pack");
  const auto shard = std::ranges::find(manifest.shards, entry.shard, &PackShard::name);
  const auto& words = state_->shard_words(static_cast<size_t>(shard - manifest.shards.begin()));
  const auto module = std::span(words).subspan(entry.offset / 4, entry.bytes / 4);
  if (!state_->verified[index].load(std::memory_order_acquire)) {
    if (module[0] != kSpirvMagic || XXH3_64bits(module.data(), module.size_bytes()) != entry.spirv_hash) {
      fail(std::string(entry.key), "its module in the pack (" + state_->origin() + ") is damaged");
    }
    state_->verified[index].store(true, std::memory_order_release);
  }
  return module;
}

}  // namespace nxv
