#include <thread>

#include "runtime/core/spirv_patch.h"
#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

KernelRef kernel(uint32_t workgroup) { return {kAddKey, {{0, workgroup}}}; }

TEST(Pipelines, ConcurrentRequestsAreJoined) {
  FakeVulkan vulkan({.pipeline_time = std::chrono::milliseconds(20)});
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&] {
      if (get(*device, add(*device, a, a))[63] == 126) ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
  EXPECT_EQ(vulkan.calls("vkCreateComputePipelines"), 1);
}

TEST(Pipelines, EachSetOfConstantsIsOne) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  PipelineCache& pipelines = device->parts().pipelines;
  std::vector<const Pipeline*> made;
  for (uint32_t workgroup : {64u, 128u, 64u}) {
    PipelineCache::Lookup lookup = pipelines.request(kernel(workgroup));
    if (lookup.pending) {
      lookup.pending->wait();
      lookup = pipelines.request(kernel(workgroup));
    }
    made.push_back(lookup.pipeline);
  }
  EXPECT_NE(made[0], made[1]);
  EXPECT_EQ(made[0], made[2]);
  EXPECT_EQ(vulkan.live()["pipeline"], 2);
  EXPECT_EQ(vulkan.live()["shader module"], 0);
}

TEST(Pipelines, RefusesToWaitThenWorks) {
  FakeVulkan vulkan({.pipeline_time = std::chrono::milliseconds(5)});
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  const BufferView inputs[] = {a, a};
  std::atomic<int> refusals{0}, notified{0};
  std::vector<BufferView> outputs;
  while (outputs.empty()) {
    try {
      outputs = execute(*device, add_plan(64), inputs, 1, Waiting::refuse);
    } catch (const NotReady& not_ready) {
      ++refusals;
      not_ready.pending->on_ready([&] { ++notified; });
      not_ready.pending->wait();
    }
  }
  EXPECT_GE(refusals, 1);
  EXPECT_EQ(get(*device, outputs.front())[63], 126u);
  device.reset();
  EXPECT_EQ(notified, refusals);
}

TEST(Pipelines, AFailureIsToldOnceAndTriedAgain) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  vulkan.fail("vkCreateComputePipelines", 1, VK_ERROR_UNKNOWN);
  EXPECT_EQ(code_of([&] { add(*device, a, a); }), Code::internal);
  EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
}

TEST(Pipelines, UnknownKeysAndMissingFeaturesAreUnsupported) {
  FakeVulkan vulkan({.float64 = false});
  DevicePtr device = open_device(fake_config());
  PipelineCache& pipelines = device->parts().pipelines;
  EXPECT_EQ(code_of([&] { pipelines.request({"map2.nothing.f32.dense", {}}); }), Code::unsupported);
  try {
    pipelines.request({"map2.add.f64.dense", {{0, 64}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "[map2.add.f64.dense] needs float64, which Fake 0 lacks");
  }
}

TEST(Pipelines, ClosingFailsWhatIsQueued) {
  FakeVulkan vulkan({.pipeline_time = std::chrono::milliseconds(50)});
  DevicePtr device = open_device(fake_config());
  PipelineCache& pipelines = device->parts().pipelines;
  for (uint32_t i = 1; i <= 20; ++i) pipelines.request(kernel(i));
  device.reset();
  EXPECT_LT(vulkan.calls("vkCreateComputePipelines"), 20);
  EXPECT_TRUE(vulkan.live().empty());
}

TEST(BackPressure, AFullStreamRefusesAndThenTakesMore) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.most_queued = 8;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, numbers(64));
  BufferView warm = add(*device, a, a);
  get(*device, warm);
  const BufferView inputs[] = {a, a};
  vulkan.hold();
  // The submitter takes steps until its command buffers are all in flight; then the stream stays full.
  PendingPtr pending;
  auto ready = std::make_shared<std::atomic<bool>>();
  for (int i = 0; !pending; ++i) {
    ASSERT_LT(i, 100'000);
    try {
      execute(*device, add_plan(64), inputs, 1, Waiting::refuse);
    } catch (const NotReady& not_ready) {
      ready->store(false);
      not_ready.pending->on_ready([ready] { ready->store(true); });
      std::this_thread::sleep_for(50ms);
      if (!*ready) pending = not_ready.pending;
    }
  }
  std::thread waiting([&] { add(*device, a, a); });
  vulkan.release();
  pending->wait();
  waiting.join();
  EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
}

TEST(Profiler, TimesEachKey) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.options.profile = true;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, numbers(64));
  for (int i = 0; i < 1000; ++i) add(*device, a, a);
  std::vector<ProfileRow> rows = profile(*device);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].key, kAddKey);
  EXPECT_EQ(rows[0].count, 1000u);
  EXPECT_EQ(rows[0].min_ns, 10);
  EXPECT_EQ(rows[0].total_ns, 10'000);
}

TEST(Profiler, OffUnlessAskedFor) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  add(*device, a, a);
  EXPECT_TRUE(profile(*device).empty());
}

TEST(Params, LieInMemoryThatTheKernelReads) {
  FakeVulkan vulkan;
  // The kernel finds its push constants in the block whose address is all that is pushed.
  vulkan.set_kernel([](std::span<const std::byte> push, const std::array<uint32_t, 3>& groups) {
    uint64_t block;
    std::memcpy(&block, push.data() + 24, sizeof block);
    fake_add({reinterpret_cast<const std::byte*>(block), 28}, groups);
  });
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  Plan plan = add_plan(64);
  Step& step = plan.steps[0];
  step.params = step.push;
  step.params_addresses = std::move(step.addresses);
  step.addresses.clear();
  step.params_offset = 24;
  const BufferView inputs[] = {a, a};
  for (int i = 0; i < 3000; ++i) {
    BufferView sum = execute(*device, plan, inputs, 1, Waiting::allow).front();
    if (i % 1000 == 0) {
      EXPECT_EQ(get(*device, sum)[63], 126u);
    }
  }
}

}  // namespace
}  // namespace nxv::test
