#include "runtime/core/pack.h"

#include <gtest/gtest.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/core/caps.h"
#include "runtime/core/error.h"
#include "runtime/core/manifest.h"
#include "runtime/core/pack_files.h"

namespace nxv {
namespace {

namespace fs = std::filesystem;

// The embedded pack as a folder that a test may damage.
class PackFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "nxv_pack_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directories(folder_ / "pack");
    for (const PackFile& file : embedded_pack()) {
      write(std::string(file.path), {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string read(const std::string& path) const {
    std::ifstream file(folder_ / path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
  }

  void write(const std::string& path, std::string_view bytes) const {
    std::ofstream file(folder_ / path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  // Of the smallest shard, for speed.
  static std::string shard_name() {
    const auto pack = Pack::open_embedded();
    return std::string(std::ranges::min_element(pack->shards(), {}, &PackShard::bytes)->name);
  }
  static std::string shard_path() { return "pack/" + shard_name() + ".spv.zst"; }

  std::shared_ptr<const Pack> open() const { return Pack::open_folder(folder_.string()); }

  fs::path folder_;
};

void expect_error(Code code, const std::string& part, const std::function<void()>& function) {
  try {
    function();
    FAIL() << "no error; expected one with: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    EXPECT_EQ(error.what()[0], '[') << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

// A manifest whose digest is right, whatever its body says.
std::string with_digest(const std::string& body) {
  const XXH128_hash_t hash = XXH3_128bits(body.data(), body.size());
  char digest[33];
  std::snprintf(digest, sizeof digest, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return "nx_vulkan-pack\t1\ntoolchain\tnone\ndigest\t" + std::string(digest) + "\n" + body;
}

TEST(Pack, EmbeddedModulesAreAllReadable) {
  const auto pack = Pack::open_embedded();
  ASSERT_FALSE(pack->entries().empty());
  EXPECT_EQ(pack->origin(), "embedded");
  EXPECT_EQ(pack->digest().size(), 32u);
  EXPECT_NE(pack->toolchain().find("glslang"), std::string_view::npos);
  for (const PackEntry& entry : pack->entries()) {
    EXPECT_EQ(&pack->entry(entry.key), &entry);
    const auto words = pack->spirv(entry);
    EXPECT_EQ(words.size_bytes(), entry.bytes);
    EXPECT_EQ(words[0], 0x07230203u);
    EXPECT_LE(entry.push_bytes, 128u) << entry.key;
    EXPECT_EQ(entry.interface, "address") << entry.key;
  }
}

TEST(Pack, ModulesAreNotCopied) {
  const auto pack = Pack::open_embedded();
  const PackEntry& entry = pack->entries().front();
  EXPECT_EQ(pack->spirv(entry).data(), pack->spirv(entry).data());
}

TEST(Pack, AnUnknownKeyIsUnsupported) {
  const auto pack = Pack::open_embedded();
  EXPECT_EQ(pack->find("map2.frobnicate.f32.dense"), nullptr);
  expect_error(Code::unsupported, "[map2.frobnicate.f32.dense] not in the pack",
               [&] { pack->entry("map2.frobnicate.f32.dense"); });
}

TEST(Pack, ThreadsMayAskAtOnce) {
  const auto pack = Pack::open_embedded();
  std::vector<std::jthread> threads;
  std::vector<size_t> words(4);
  for (size_t i = 0; i < words.size(); ++i) {
    threads.emplace_back([&, i] {
      for (size_t at = 0; at < pack->entries().size(); at += 16) words[i] += pack->spirv(pack->entries()[at]).size();
    });
  }
  threads.clear();
  EXPECT_GT(words[0], 0u);
  EXPECT_EQ(std::set(words.begin(), words.end()).size(), 1u);
}

TEST_F(PackFolder, IsReadLikeTheEmbeddedOne) {
  const auto pack = open();
  const auto embedded = Pack::open_embedded();
  EXPECT_EQ(pack->digest(), embedded->digest());
  EXPECT_EQ(pack->origin(), folder_.string());
  ASSERT_EQ(pack->entries().size(), embedded->entries().size());
  const PackEntry &mine = pack->entries().back(), &theirs = embedded->entries().back();
  EXPECT_TRUE(std::ranges::equal(pack->spirv(mine), embedded->spirv(theirs)));
  expect_error(Code::internal, "another pack", [&] { pack->spirv(theirs); });
}

TEST_F(PackFolder, IsOpenedWhereTheEnvironmentNamesIt) {
  ASSERT_EQ(setenv("NXV_PACK", folder_.c_str(), 1), 0);
  const auto named = Pack::open();
  unsetenv("NXV_PACK");
  EXPECT_EQ(named->origin(), folder_.string());
  EXPECT_EQ(Pack::open()->origin(), "embedded");
}

TEST_F(PackFolder, WithoutManifestIsNamed) {
  fs::remove(folder_ / "manifest.tsv");
  expect_error(Code::invalid_argument, "manifest.tsv", [&] { open(); });
}

TEST_F(PackFolder, AnEmptyManifestIsRefused) {
  write("manifest.tsv", "");
  expect_error(Code::invalid_argument, "manifest.tsv line 1: cut short", [&] { open(); });
}

TEST_F(PackFolder, AManifestCutShortAnywhereIsRefused) {
  const std::string manifest = read("manifest.tsv");
  for (size_t size = 0; size < manifest.size(); size += size < 150 ? 3 : manifest.size() / 13 + 1) {
    write("manifest.tsv", std::string_view(manifest).substr(0, size));
    expect_error(Code::invalid_argument, "manifest.tsv line", [&] { open(); });
  }
}

TEST_F(PackFolder, AnAlteredManifestIsRefused) {
  std::string manifest = read("manifest.tsv");
  manifest[manifest.size() - 2] ^= 1;
  write("manifest.tsv", manifest);
  expect_error(Code::invalid_argument, "damaged", [&] { open(); });
}

TEST_F(PackFolder, AnotherFormatIsRefused) {
  std::string manifest = read("manifest.tsv");
  manifest.replace(manifest.find("\t1\n"), 3, "\t9\n");
  write("manifest.tsv", manifest);
  expect_error(Code::invalid_argument, "format 9, this program reads 1", [&] { open(); });
}

TEST_F(PackFolder, AMissingShardIsNamedWhenItIsNeeded) {
  fs::remove(folder_ / shard_path());
  const auto pack = open();
  expect_error(Code::invalid_argument, shard_path(), [&, name = shard_name()] {
    for (const PackEntry& entry : pack->entries()) {
      if (entry.shard == name) pack->spirv(entry);
    }
  });
}

TEST_F(PackFolder, AShardCutShortIsNamed) {
  const std::string shard = read(shard_path());
  write(shard_path(), std::string_view(shard).substr(0, shard.size() / 2));
  const auto pack = open();
  const auto read_all = [&, name = shard_name()] {
    for (const PackEntry& entry : pack->entries()) {
      if (entry.shard == name) pack->spirv(entry);
    }
  };
  expect_error(Code::invalid_argument, shard_path(), read_all);
  expect_error(Code::invalid_argument, shard_path(), read_all);  // and again
}

TEST_F(PackFolder, ADamagedShardNeverGivesAModule) {
  const std::string shard = read(shard_path());
  const std::string name = shard_name();
  const auto embedded = Pack::open_embedded();
  size_t tried = 0, noticed = 0;
  for (size_t at = 0; at < shard.size(); at += 1 + shard.size() / 23) {
    std::string damaged = shard;
    damaged[at] ^= 0x10;
    write(shard_path(), damaged);
    const auto pack = open();
    size_t refused = 0;
    for (const PackEntry& entry : pack->entries()) {
      if (entry.shard != name) continue;
      try {
        EXPECT_TRUE(std::ranges::equal(pack->spirv(entry), embedded->spirv(embedded->entry(entry.key)))) << at;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), Code::invalid_argument);
        ++refused;
      }
    }
    ++tried;
    noticed += refused > 0;
  }
  EXPECT_GE(noticed + 1, tried);  // one bit of a zstd header means nothing
}

TEST_F(PackFolder, AModuleWithAnotherHashIsNamed) {
  std::string manifest = read("manifest.tsv");
  const size_t last = manifest.size() - 2;
  manifest[last] = manifest[last] == '0' ? '1' : '0';
  const std::string body = manifest.substr(manifest.find("\nshard\t") + 1);
  write("manifest.tsv", with_digest(body));
  const auto pack = open();
  const PackEntry& entry = pack->entries().back();
  expect_error(Code::invalid_argument, "[" + std::string(entry.key) + "] its module in the pack",
               [&] { pack->spirv(entry); });
}

const std::string kShard = "shard\tmap2\t100\t50\n";

std::string row(const std::string& key, const std::string& place = "map2\t0\t100", const std::string& caps = "-",
                const std::string& local = "-") {
  return key + "\t" + place + "\t" + caps + "\taddress\t28\t" + local + "\t0123\t00000000000000ff\n";
}

TEST(Manifest, RowsAreParsed) {
  const std::string text =
      with_digest(kShard + row("map2.a", "map2\t20\t80", "int64,float64", "8x4x2") + row("map2.b"));
  const Manifest manifest = parse_manifest(text, "test");
  ASSERT_EQ(manifest.entries.size(), 2u);
  const PackEntry& entry = manifest.entries[0];
  EXPECT_EQ(entry.key, "map2.a");
  EXPECT_EQ(entry.offset, 20u);
  EXPECT_EQ(entry.bytes, 80u);
  EXPECT_EQ(entry.caps, kCapInt64 | kCapFloat64);
  EXPECT_EQ(entry.push_bytes, 28u);
  EXPECT_EQ(entry.local, (std::array<uint32_t, 3>{8, 4, 2}));
  EXPECT_EQ(entry.spirv_hash, 0xffu);
  EXPECT_EQ(manifest.entries[1].local, (std::array<uint32_t, 3>{0, 0, 0}));
}

TEST(Manifest, BadRowsAreNamedByLine) {
  const auto refuses = [](const std::string& body, const std::string& part) {
    const std::string text = with_digest(body);
    expect_error(Code::invalid_argument, part, [&] { parse_manifest(text, "test"); });
  };
  refuses(kShard + row("map2.a", "map2\t0\t104"), "[pack] test: manifest.tsv line 5: module lies outside its shard");
  refuses(kShard + row("map2.a", "map2\t104\t4"), "outside its shard");
  refuses(kShard + row("map2.a", "map2\t18446744073709551612\t8"), "outside its shard");
  refuses(kShard + row("map2.a", "map2\t2\t4"), "outside its shard");
  refuses(kShard + row("map2.a", "map2\t0\t0"), "outside its shard");
  refuses(kShard + row("map2.a", "map2\t-4\t8"), "not a number: -4");
  refuses(kShard + row("map2.a", "map1\t0\t8"), "no shard map1");
  refuses(kShard + row("map2.a", "map2\t0\t8", "warp"), "unknown capability in warp");
  refuses(kShard + row("map2.a", "map2\t0\t8", "-", "8x8"), "not a number");
  refuses(kShard + row("map2.a", "map2\t0\t8", "-", "0x1x1"), "not a workgroup size");
  refuses(kShard + row("map2.b") + row("map2.a"), "line 6: keys are not sorted");
  refuses(kShard + row("map2.a") + row("map2.a"), "keys are not sorted");
  refuses(kShard + "map2.a\tmap2\n", "expected 10 fields");
  refuses("shard\tmap2\t99999999999\t50\n", "line 4: shard is too large");
  refuses(kShard + "map2.a", "cut short");
}

TEST(Manifest, CapsAreParsed) {
  EXPECT_EQ(parse_caps("-"), 0u);
  EXPECT_EQ(parse_caps("int64,storage8"), kCapInt64 | kCapStorage8);
  EXPECT_EQ(parse_caps("int64,frob"), std::nullopt);
  EXPECT_EQ(parse_caps(""), std::nullopt);
  EXPECT_EQ(caps_text(kCapStorage8 | kCapFloat64), "float64, storage8");
  EXPECT_EQ(caps_text(0), "");
}

}  // namespace
}  // namespace nxv
