#include <thread>

#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

constexpr uint64_t kMiB = 1 << 20;

DeviceConfig small_blocks() {
  DeviceConfig config = fake_config();
  config.block_growth = {1 * kMiB, 4 * kMiB, 16 * kMiB};
  config.idle_grace = 20ms;
  return config;
}

// Until the pool has given back all but its reserve.
template <typename Condition>
bool soon(Condition condition) {
  auto deadline = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < deadline) {
    if (condition()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return false;
}

TEST(Memory, NothingIsAllocatedBeforeItIsNeeded) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  EXPECT_EQ(vulkan.calls("vkAllocateMemory"), 0);
  EXPECT_EQ(memory_info(*device).reserved_bytes, 0u);
}

TEST(Memory, BuffersShareBlocks) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  std::vector<BufferView> views;
  for (int i = 0; i < 1000; ++i) views.push_back(allocate(*device, 1000, 1, Waiting::allow));
  EXPECT_EQ(vulkan.calls("vkAllocateMemory"), 1);
  for (size_t i = 0; i < views.size(); ++i)
    EXPECT_EQ(views[i].buffer->address() % 256, views[0].buffer->address() % 256);
}

TEST(Memory, FiguresAreKeptByOwner) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  BufferView a = allocate(*device, 1024, 7, Waiting::allow);
  BufferView b = allocate(*device, 2048, 9, Waiting::allow);
  MemoryInfo info = memory_info(*device);
  EXPECT_EQ(info.used_bytes, 3072u);
  EXPECT_EQ(info.owners, (std::vector<std::pair<Owner, uint64_t>>{{7, 1024}, {9, 2048}}));
  a = {};
  info = memory_info(*device);
  EXPECT_EQ(info.used_bytes, 2048u);
  EXPECT_EQ(info.peak_bytes, 3072u);
  EXPECT_EQ(info.owners.size(), 1u);
}

TEST(Memory, IdleBlocksGoBackAfterAWhile) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(small_blocks());
  BufferView large = allocate(*device, 200 * kMiB, 1, Waiting::allow);
  EXPECT_GE(vulkan.device_bytes(), 200 * kMiB);
  get(*device, put(*device, numbers(10)));  // the watching thread has reason to look
  large = {};
  BufferView a = put(*device, numbers(10));
  synchronize(*device, 20s);
  EXPECT_TRUE(soon([&] {
    put(*device, numbers(10));
    return vulkan.device_bytes() < 40 * kMiB;
  }));
}

TEST(Memory, ARangeReturnsOnlyWhenTheDeviceIsDoneWithIt) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(1000));
  synchronize(*device, 20s);
  vulkan.hold();
  uint64_t before = memory_info(*device).used_bytes;
  add(*device, a, a);
  EXPECT_GT(memory_info(*device).used_bytes, before);
  vulkan.release();
  synchronize(*device, 20s);
  EXPECT_EQ(memory_info(*device).used_bytes, before);
}

TEST(Memory, OutOfMemorySaysWhatWasAskedAndWhatIsFree) {
  FakeVulkan vulkan({.heap_bytes = 64 * kMiB});
  DevicePtr device = open_device(small_blocks());
  BufferView held = allocate(*device, 40 * kMiB, 1, Waiting::allow);
  try {
    allocate(*device, 32 * kMiB, 1, Waiting::allow);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::out_of_memory);
    EXPECT_NE(std::string(error.what()).find("asked 32.0 MiB, free 24.0 MiB"), std::string::npos) << error.what();
  }
  held = {};
  EXPECT_EQ(allocate(*device, 60 * kMiB, 1, Waiting::allow).bytes, 60 * kMiB);
}

TEST(Memory, TheLimitAndTheBudgetHold) {
  for (bool by_budget : {false, true}) {
    FakeVulkan vulkan({.budget_bytes = by_budget ? 32 * kMiB : 0});
    DeviceConfig config = small_blocks();
    if (!by_budget) config.options.memory_limit = 32 * kMiB;
    DevicePtr device = open_device(config);
    std::vector<BufferView> views;
    EXPECT_EQ(code_of([&] {
                while (true) views.push_back(allocate(*device, 3 * kMiB, 1, Waiting::allow));
              }),
              Code::out_of_memory);
    EXPECT_GE(views.size(), 8u) << by_budget;
    EXPECT_LE(vulkan.device_bytes(), 32 * kMiB);
  }
}

TEST(Memory, FullMemoryWaitsForWorkInFlightBeforeItGivesUp) {
  FakeVulkan vulkan({.heap_bytes = 64 * kMiB});
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(small_blocks());
  constexpr uint32_t kCount = 3 * kMiB / 4;
  BufferView a = put(*device, numbers(kCount));
  for (int i = 0; i < 60; ++i) add(*device, a, a);  // 180 MiB in all, dropped at once
  EXPECT_EQ(get(*device, add(*device, a, a))[kCount - 1], 2 * (kCount - 1));
}

TEST(Memory, RefusesToWaitForTheDriver) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  int refusals = 0;
  BufferView view;
  while (!view.buffer) {
    try {
      view = allocate(*device, 1000, 1, Waiting::refuse);
    } catch (const NotReady& not_ready) {
      ++refusals;
      not_ready.pending->wait();
    }
  }
  EXPECT_EQ(refusals, 1);
  EXPECT_NO_THROW(allocate(*device, 1000, 1, Waiting::refuse));
}

TEST(Memory, RefusedWaitsEndInOutOfMemoryToo) {
  FakeVulkan vulkan({.heap_bytes = 8 * kMiB});
  DevicePtr device = open_device(small_blocks());
  int refusals = 0;
  auto ask = [&] {
    while (true) {
      try {
        return allocate(*device, 16 * kMiB, 1, Waiting::refuse);
      } catch (const NotReady& not_ready) {
        if (++refusals > 10) return BufferView{};
        not_ready.pending->wait();
      }
    }
  };
  EXPECT_EQ(code_of(ask), Code::out_of_memory);
}

TEST(Memory, ABufferLargerThanTheDeviceAllowsIsUnsupported) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  EXPECT_EQ(code_of([&] { allocate(*device, 1ull << 33, 1, Waiting::allow); }), Code::unsupported);
}

TEST(Memory, ThreadsAllocateAndDropAtOnce) {
  FakeVulkan vulkan({.heap_bytes = 64 * kMiB});
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(small_blocks());
  BufferView shared = put(*device, numbers(1000));
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      std::vector<BufferView> kept;
      for (int i = 0; i < 300; ++i) {
        kept.push_back(allocate(*device, 1000u * static_cast<uint32_t>(1 + (i * 7 + t) % 50), static_cast<Owner>(t),
                                Waiting::allow));
        if (i % 3 == 0) add(*device, shared, shared);
        if (kept.size() > 10) kept.erase(kept.begin() + i % 10);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  synchronize(*device, 20s);
  MemoryInfo info = memory_info(*device);
  EXPECT_EQ(info.used_bytes, RangeAllocator::rounded(4000));
  EXPECT_EQ(info.owners.size(), 1u);
}

TEST(Memory, BuffersMayOutliveTheDevice) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  BufferView view = put(*device, numbers(10));
  device.reset();
  EXPECT_EQ(vulkan.live(), (std::map<std::string, int>{}));
  DevicePtr other = open_device(fake_config());
  EXPECT_EQ(code_of([&] { get(*other, view); }), Code::invalid_argument);
}

}  // namespace
}  // namespace nxv::test
