#include <atomic>
#include <thread>

#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

struct Shape {
  const char* name;
  FakeVulkan::Config config;
};

class StreamTest : public testing::TestWithParam<Shape> {
 protected:
  StreamTest() : vulkan_(GetParam().config) {
    vulkan_.set_kernel(fake_add);
    device_ = open_device(fake_config());
  }
  ~StreamTest() override {
    device_.reset();
    EXPECT_EQ(vulkan_.live(), (std::map<std::string, int>{}));
  }

  FakeVulkan vulkan_;
  DevicePtr device_;
};

TEST_P(StreamTest, ReadsBackWhatWasUploaded) {
  for (uint32_t count : {1u, 1000u, 300'000u, 3'000'001u}) {
    std::vector<uint32_t> list = numbers(count, 7);
    EXPECT_EQ(get(*device_, put(*device_, list)), list) << count;
  }
}

TEST_P(StreamTest, DependentStepsRunInOrder) {
  BufferView one = put(*device_, std::vector<uint32_t>(100, 1));
  BufferView sum = put(*device_, numbers(100));
  for (int i = 0; i < 1000; ++i) sum = add(*device_, sum, one);
  EXPECT_EQ(get(*device_, sum), numbers(100, 1000));
}

TEST_P(StreamTest, StepsOfAPlanShareTemporaries) {
  Plan plan;
  plan.output_bytes = {400};
  plan.temp_bytes = {400, 400};
  plan.steps = {add_step(input(0), input(0), temp(0), 100), add_step(temp(0), input(0), temp(1), 100),
                add_step(temp(1), temp(0), output(0), 100)};
  const BufferView inputs[] = {put(*device_, numbers(100))};
  std::vector<uint32_t> expected = numbers(100);
  for (uint32_t& value : expected) value *= 5;
  EXPECT_EQ(get(*device_, execute(*device_, plan, inputs, 1, Waiting::allow).front()), expected);
}

TEST_P(StreamTest, ManyThreadsShareOneDevice) {
  constexpr int kThreads = 8, kRounds = 60;
  BufferView shared = put(*device_, numbers(64));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      BufferView own = put(*device_, std::vector<uint32_t>(64, static_cast<uint32_t>(t)));
      for (int i = 0; i < kRounds; ++i) own = add(*device_, own, shared);
      std::vector<uint32_t> expected = numbers(64);
      for (uint32_t& value : expected) value = value * kRounds + static_cast<uint32_t>(t);
      if (get(*device_, own) != expected) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(StreamTest, BuffersMayBeDroppedBeforeTheDeviceIsDone) {
  vulkan_.hold();
  BufferView sum = put(*device_, numbers(1000));
  for (int i = 0; i < 20; ++i) sum = add(*device_, sum, sum);
  vulkan_.release();
  std::vector<uint32_t> expected = numbers(1000);
  for (uint32_t& value : expected) value <<= 20;
  EXPECT_EQ(get(*device_, sum), expected);
}

TEST_P(StreamTest, PendingReadsComplete) {
  for (uint32_t count : {16u, 500'000u}) {
    BufferView a = put(*device_, numbers(count));
    BufferView sum = add(*device_, a, a);
    std::mutex mutex;
    std::condition_variable changed;
    int done = 0;
    auto reading = start_read(*device_, sum, sum.bytes, [&] {
      std::lock_guard lock(mutex);
      ++done;
      changed.notify_all();
    });
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, 20s, [&] { return done > 0; }));
    lock.unlock();
    std::vector<uint32_t> out(count), expected = numbers(count);
    for (uint32_t& value : expected) value *= 2;
    reading->finish(std::as_writable_bytes(std::span(out)));
    EXPECT_EQ(out, expected);
    EXPECT_EQ(done, 1);
  }
}

TEST_P(StreamTest, ACancelledReadIsSilent) {
  BufferView a = put(*device_, numbers(64));
  get(*device_, add(*device_, a, a));
  vulkan_.hold();
  std::atomic<int> done{0};
  auto reading = start_read(*device_, add(*device_, a, a), 256, [&] { ++done; });
  reading.reset();
  vulkan_.release();
  synchronize(*device_, 20s);
  get(*device_, add(*device_, a, a));
  EXPECT_EQ(done, 0);
}

TEST_P(StreamTest, AWaitEndsAtItsTimeout) {
  BufferView a = put(*device_, numbers(64));
  get(*device_, a);
  vulkan_.hold();
  BufferView sum = add(*device_, a, a);
  EXPECT_EQ(code_of([&] { get(*device_, sum, 30ms); }), Code::timeout);
  EXPECT_EQ(code_of([&] { synchronize(*device_, 30ms); }), Code::timeout);
  vulkan_.release();
  EXPECT_EQ(get(*device_, sum)[5], 10u);
}

TEST_P(StreamTest, ClosingWithWorkInFlightWaits) {
  vulkan_.hold();
  BufferView a = put(*device_, numbers(64));
  BufferView sum = add(*device_, a, a);
  std::thread later([&] {
    std::this_thread::sleep_for(30ms);
    vulkan_.release();
  });
  device_.reset();
  later.join();
}

FakeVulkan::Config transfer_queue() {
  FakeVulkan::Config config;
  config.transfer_queue = true;
  return config;
}

FakeVulkan::Config mapped_cpu() {
  FakeVulkan::Config config;
  config.mapped = true;
  config.type = VK_PHYSICAL_DEVICE_TYPE_CPU;
  return config;
}

INSTANTIATE_TEST_SUITE_P(Shapes, StreamTest,
                         testing::Values(Shape{"one_queue", {}}, Shape{"transfer_queue", transfer_queue()},
                                         Shape{"mapped_cpu", mapped_cpu()}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nxv::test
