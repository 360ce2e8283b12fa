#include "runtime/core/manifest.h"

#include <algorithm>
#include <charconv>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/core/caps.h"
#include "runtime/core/error.h"

namespace nxv {
namespace {

constexpr std::string_view kFormat = "1";
constexpr size_t kShardFields = 4, kEntryFields = 10;
constexpr uint64_t kMaxShardBytes = 1ull << 30;  // far more than a pack holds: a stray number must not allocate

class Reader {
 public:
  Reader(std::string_view text, std::string_view origin) : rest_(text), origin_(origin) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(Code::invalid_argument,
                "[pack] " + std::string(origin_) + ": manifest.tsv line " + std::to_string(line_) + ": " + what);
  }

  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  // The tab-separated fields of the next line.
  std::vector<std::string_view> next() {
    ++line_;
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos) fail("cut short");
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    std::vector<std::string_view> fields;
    for (;;) {
      const size_t tab = line.find('\t');
      fields.push_back(line.substr(0, tab));
      if (tab == std::string_view::npos) return fields;
      line.remove_prefix(tab + 1);
    }
  }

  std::string_view header(std::string_view name) {
    const auto fields = next();
    if (fields.size() != 2 || fields[0] != name) fail("expected " + std::string(name));
    return fields[1];
  }

  uint64_t number(std::string_view text, int base = 10) const {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) fail("not a number: " + std::string(text));
    return value;
  }

 private:
  std::string_view rest_, origin_;
  size_t line_ = 0;
};

std::array<uint32_t, 3> parse_local(const Reader& reader, std::string_view text) {
  std::array<uint32_t, 3> local{};
  if (text == "-") return local;
  for (uint32_t& size : local) {
    const size_t end = text.find('x');
    const uint64_t value = reader.number(text.substr(0, end));
    if (value == 0 || value > 65535) reader.fail("not a workgroup size");
    size = static_cast<uint32_t>(value);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return local;
}

PackShard parse_shard(const Reader& reader, const std::vector<std::string_view>& fields) {
  PackShard shard{.name = fields[1], .bytes = reader.number(fields[2]), .packed_bytes = reader.number(fields[3])};
  if (shard.bytes > kMaxShardBytes || shard.packed_bytes > kMaxShardBytes) reader.fail("shard is too large");
  return shard;
}

PackEntry parse_entry(const Reader& reader, const std::vector<std::string_view>& fields,
                      const std::vector<PackShard>& shards) {
  if (fields.size() != kEntryFields) reader.fail("expected " + std::to_string(kEntryFields) + " fields");
  const auto caps = parse_caps(fields[4]);
  if (!caps) reader.fail("unknown capability in " + std::string(fields[4]));
  PackEntry entry{.key = fields[0],
                  .shard = fields[1],
                  .offset = reader.number(fields[2]),
                  .bytes = reader.number(fields[3]),
                  .caps = *caps,
                  .interface = fields[5],
                  .push_bytes = static_cast<uint32_t>(std::min<uint64_t>(reader.number(fields[6]), UINT32_MAX)),
                  .local = parse_local(reader, fields[7]),
                  .source_hash = fields[8],
                  .spirv_hash = reader.number(fields[9], 16)};
  const auto shard = std::ranges::find(shards, entry.shard, &PackShard::name);
  if (shard == shards.end()) reader.fail("no shard " + std::string(entry.shard));
  const bool inside = entry.offset <= shard->bytes && entry.bytes <= shard->bytes - entry.offset;
  if (!inside || entry.offset % 4 || entry.bytes % 4 || entry.bytes == 0) reader.fail("module lies outside its shard");
  return entry;
}

std::string digest_of(std::string_view body) {
  const XXH128_hash_t hash = XXH3_128bits(body.data(), body.size());
  std::string text;
  for (const uint64_t half : {hash.high64, hash.low64}) {
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
  }
  return text;
}

}  // namespace

Manifest parse_manifest(std::string_view text, std::string_view origin) {
  Reader reader(text, origin);
  Manifest manifest;
  if (const auto format = reader.header("nx_vulkan-pack"); format != kFormat) {
    reader.fail("format " + std::string(format) + ", this program reads " + std::string(kFormat));
  }
  manifest.toolchain = reader.header("toolchain");
  manifest.digest = reader.header("digest");
  if (digest_of(reader.rest()) != manifest.digest) reader.fail("what follows does not have this digest: damaged");
  while (!reader.done()) {
    const auto fields = reader.next();
    if (fields[0] == "shard" && fields.size() == kShardFields) {
      manifest.shards.push_back(parse_shard(reader, fields));
      continue;
    }
    PackEntry entry = parse_entry(reader, fields, manifest.shards);
    if (!manifest.entries.empty() && manifest.entries.back().key >= entry.key) reader.fail("keys are not sorted");
    manifest.entries.push_back(entry);
  }
  return manifest;
}

}  // namespace nxv
