#include "runtime/core/pipeline_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

namespace fs = std::filesystem;

class PipelineStoreTest : public testing::Test {
 protected:
  PipelineStoreTest() {
    std::string name = (fs::temp_directory_path() / "nxv_store_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~PipelineStoreTest() override { fs::remove_all(folder_); }

  PipelineStore store(uint8_t device = 1, uint8_t driver = 2, uint8_t cache = 3) const {
    PipelineIdentity identity;
    identity.device[0] = device;
    identity.driver[0] = driver;
    identity.cache[0] = cache;
    return PipelineStore((folder_ / "cache").string(), identity);
  }

  static std::vector<std::byte> data(size_t bytes, int seed = 0) {
    std::vector<std::byte> made(bytes);
    for (size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>(i * 7 + static_cast<size_t>(seed));
    return made;
  }

  fs::path folder_;
};

TEST_F(PipelineStoreTest, GivesBackWhatWasSaved) {
  EXPECT_TRUE(store().load().empty());
  store().save(data(1000));
  EXPECT_EQ(store().load(), data(1000));
  store().save(data(10, 5));
  EXPECT_EQ(store().load(), data(10, 5));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 1);
}

TEST_F(PipelineStoreTest, AnyFlippedBitIsNoticed) {
  store().save(data(64));
  std::string path = store().path();
  for (size_t at = 0; at < fs::file_size(path); ++at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    EXPECT_TRUE(store().load().empty()) << at;
    store().save(data(64));
  }
}

TEST_F(PipelineStoreTest, TruncatedLengthenedOrEmptyFilesAreAsGoodAsNone) {
  for (uint64_t size : {0u, 1u, 71u, 72u, 100u, 137u}) {
    store().save(data(64));
    fs::resize_file(store().path(), size);
    EXPECT_TRUE(store().load().empty()) << size;
  }
}

TEST_F(PipelineStoreTest, AnotherDeviceDriverOrCacheVersionIsNotLoaded) {
  store().save(data(64));
  EXPECT_TRUE(store(9).load().empty());
  EXPECT_TRUE(store(1, 9).load().empty());
  EXPECT_TRUE(store(1, 2, 9).load().empty());
  fs::copy_file(store().path(), store(9).path());
  EXPECT_TRUE(store(9).load().empty());
}

TEST_F(PipelineStoreTest, WhatCannotBeWrittenIsNot) {
  std::ofstream(folder_ / "cache") << "a file where the folder should be";
  store().save(data(64));
  EXPECT_TRUE(store().load().empty());
  PipelineStore("", {}).save(data(64));
  EXPECT_TRUE(PipelineStore("", {}).load().empty());
  PipelineStore("/proc/nothing", {}).save(data(64));
}

TEST_F(PipelineStoreTest, ManyWritersLeaveOneWholeFile) {
  std::vector<std::thread> writers;
  std::atomic<int> damaged{0};
  for (int i = 0; i < 10; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        store().save(data(5000, i));
        if (store().load().size() != 5000) ++damaged;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(damaged, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 1);
}

TEST_F(PipelineStoreTest, ADeviceSavesNewPipelinesWhenItCloses) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.environment.cache = folder_ / "cache";
  auto open_and_add = [&] {
    DevicePtr device = open_device(config);
    BufferView a = put(*device, numbers(64));
    EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
  };
  open_device(config);
  EXPECT_FALSE(fs::exists(folder_ / "cache"));
  open_and_add();
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "cache"), fs::directory_iterator()), 1);
  open_and_add();
  EXPECT_GE(vulkan.calls("vkGetPipelineCacheData"), 2);
}

TEST_F(PipelineStoreTest, DataThatTheDriverRefusesDoesNotMatter) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.environment.cache = folder_ / "cache";
  for (int round = 0; round < 2; ++round) {
    vulkan.fail("vkCreatePipelineCache", 1, VK_ERROR_UNKNOWN);
    DevicePtr device = open_device(config);
    BufferView a = put(*device, numbers(64));
    EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
  }
}

}  // namespace
}  // namespace nxv::test
