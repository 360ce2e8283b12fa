// The runtime core on a real driver: the first device here, or the one NXV_DEVICE names.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "runtime/core/device.h"
#include "runtime/core/hazard_checker.h"
#include "runtime/ops/op.h"

namespace nxv::test {
namespace {

using namespace std::chrono_literals;

DeviceConfig real_config() {
  DeviceConfig config;
  config.environment = read_environment();
  config.loader = open_loader();
  config.pack = Pack::open();
  return config;
}

std::vector<float> ramp(size_t count, float first = 0) {
  std::vector<float> list(count);
  for (size_t i = 0; i < count; ++i) list[i] = first + static_cast<float>(i % 4096);
  return list;
}

BufferView put(Device& device, const std::vector<float>& list) {
  return upload(device, std::as_bytes(std::span(list)), 1, Waiting::allow);
}

std::vector<float> get(Device& device, const BufferView& view) {
  std::vector<float> list(view.bytes / sizeof(float));
  read(device, view, std::as_writable_bytes(std::span(list)), 60s);
  return list;
}

BufferView run(Device& device, const char* op, const BufferView& a, const BufferView& b) {
  TensorSpec spec{Type::f32, {static_cast<int64_t>(a.bytes / sizeof(float))}};
  const Input inputs[] = {{spec, {}, 256}, {spec, {}, 256}};
  OpPlan plan = plan_op(op, {}, {}, inputs, device_info(device).traits);
  const BufferView views[] = {a, b};
  return execute(device, plan.plan, views, 1, Waiting::allow).front();
}

class CoreDevice : public testing::Test {
 protected:
  CoreDevice() {
    DeviceConfig config = real_config();
    config.log_hazards = true;
    device_ = open_device(config);
  }
  ~CoreDevice() override {
    std::vector<MissingOrder> missing = check_hazards(device_->parts().hazard_log.events());
    EXPECT_TRUE(missing.empty()) << missing.front().text;
    EXPECT_EQ(validation_messages(*device_), 0u);
  }

  DevicePtr device_;
};

TEST_F(CoreDevice, IsListed) {
  std::vector<DeviceInfo> devices = list_devices();
  const DeviceInfo& own = device_info(*device_);
  ASSERT_LT(own.index, devices.size());
  EXPECT_EQ(devices[own.index].uuid, own.uuid);
  EXPECT_TRUE(own.usable);
  EXPECT_GT(own.memory_bytes, 0u);
  EXPECT_GT(own.traits.compute_units, 0u);
  EXPECT_EQ(own.uuid.size(), 36u);
}

TEST_F(CoreDevice, ListsDevicesQuickly) {
  list_devices();  // the first call reads the drivers from disk
  auto best = 10s + 0ns;
  for (int i = 0; i < 5; ++i) {
    auto start = std::chrono::steady_clock::now();
    list_devices();
    best = std::min<std::chrono::nanoseconds>(best, std::chrono::steady_clock::now() - start);
  }
  EXPECT_LT(best, 300ms);
}

TEST_F(CoreDevice, ReadsBackWhatWasUploaded) {
  for (size_t count : {1u, 1000u, 300'000u, 3'000'001u}) {
    std::vector<float> list = ramp(count);
    EXPECT_EQ(get(*device_, put(*device_, list)), list) << count;
  }
}

TEST_F(CoreDevice, AChainOfDispatchesRunsInOrder) {
  BufferView one = put(*device_, std::vector<float>(1000, 1.0f));
  BufferView sum = put(*device_, ramp(1000));
  for (int i = 0; i < 300; ++i) sum = run(*device_, "add", sum, one);
  EXPECT_EQ(get(*device_, sum), ramp(1000, 300));
}

TEST_F(CoreDevice, OperandsAtAnOffset) {
  std::vector<float> list = ramp(1024);
  BufferView whole = put(*device_, list);
  BufferView part{whole.buffer, 256, 512};
  std::vector<float> expected(list.begin() + 64, list.begin() + 64 + 128);
  EXPECT_EQ(get(*device_, part), expected);
  for (float& value : expected) value += value;
  EXPECT_EQ(get(*device_, run(*device_, "add", part, part)), expected);
}

TEST_F(CoreDevice, ManyThreadsShareIt) {
  BufferView shared = put(*device_, ramp(4096));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      BufferView own = put(*device_, std::vector<float>(4096, static_cast<float>(t)));
      for (int i = 0; i < 20; ++i) own = run(*device_, i % 2 ? "subtract" : "add", own, shared);
      if (get(*device_, own) != std::vector<float>(4096, static_cast<float>(t))) ++wrong;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CoreDevice, PendingReadsComplete) {
  for (size_t count : {100u, 700'000u}) {
    BufferView a = put(*device_, ramp(count));
    BufferView sum = run(*device_, "add", a, a);
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    auto reading = start_read(*device_, sum, sum.bytes, [&] {
      std::lock_guard lock(mutex);
      done = true;
      changed.notify_all();
    });
    std::unique_lock lock(mutex);
    ASSERT_TRUE(changed.wait_for(lock, 60s, [&] { return done; }));
    std::vector<float> out(count), expected = ramp(count);
    reading->finish(std::as_writable_bytes(std::span(out)));
    for (float& value : expected) value += value;
    EXPECT_EQ(out, expected);
  }
}

TEST_F(CoreDevice, RefusesToWaitAndThenWorks) {
  BufferView a = put(*device_, ramp(100));
  TensorSpec spec{Type::f32, {100}};
  const Input inputs[] = {{spec, {}, 256}, {spec, {}, 256}};
  OpPlan plan = plan_op("multiply", {}, {}, inputs, device_info(*device_).traits);
  const BufferView views[] = {a, a};
  std::vector<BufferView> outputs;
  for (int attempt = 0; outputs.empty(); ++attempt) {
    ASSERT_LT(attempt, 100);
    try {
      outputs = execute(*device_, plan.plan, views, 1, Waiting::refuse);
    } catch (const NotReady& not_ready) {
      not_ready.pending->wait();
    }
  }
  EXPECT_EQ(get(*device_, outputs.front())[99], 9801.0f);
}

TEST_F(CoreDevice, GivesMemoryBack) {
  uint64_t before = memory_info(*device_).used_bytes;
  BufferView a = put(*device_, ramp(1'000'000));
  for (int i = 0; i < 50; ++i) run(*device_, "add", a, a);
  synchronize(*device_, 60s);
  a = {};
  EXPECT_EQ(memory_info(*device_).used_bytes, before);
  EXPECT_LT(memory_info(*device_).peak_bytes, 400u << 20);
}

TEST_F(CoreDevice, WorkInFlightAtCloseIsNoProblem) {
  DevicePtr other = open_device(real_config());
  BufferView a = put(*other, ramp(1'000'000));
  for (int i = 0; i < 50; ++i) run(*other, "add", a, a);
}

TEST(CoreProfile, TimesEachKey) {
  DeviceConfig config = real_config();
  config.options.profile = true;
  DevicePtr device = open_device(config);
  if (!device->parts().logical.compute_queue().timestamp_bits) GTEST_SKIP() << "no timestamps";
  BufferView a = put(*device, ramp(100'000));
  for (int i = 0; i < 10; ++i) run(*device, "add", a, a);
  std::vector<ProfileRow> rows = profile(*device);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].count, 10u);
  EXPECT_GT(rows[0].min_ns, 0);
  EXPECT_LE(rows[0].min_ns, rows[0].max_ns);
}

TEST(CoreMemory, ALimitIsAnOrdinaryError) {
  DeviceConfig config = real_config();
  config.options.memory_limit = 32 << 20;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, ramp(2'000'000));
  try {
    std::vector<BufferView> kept;
    for (int i = 0; i < 10; ++i) kept.push_back(run(*device, "add", a, a));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::out_of_memory);
  }
  EXPECT_EQ(get(*device, run(*device, "add", a, a))[5], 10.0f);
}

TEST(CoreSerialize, GivesTheSameBits) {
  std::vector<std::vector<float>> results;
  for (bool serialize : {false, true}) {
    DeviceConfig config = real_config();
    config.environment.serialize = serialize;
    DevicePtr device = open_device(config);
    BufferView a = put(*device, ramp(10'007, 0.1f)), b = put(*device, ramp(10'007, 0.7f));
    for (int i = 0; i < 20; ++i) {
      BufferView sum = run(*device, "add", a, b);
      b = run(*device, "divide", a, sum);
      a = sum;
    }
    results.push_back(get(*device, b));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(CoreSelect, UnknownDevicesAreRefused) {
  DeviceConfig config = real_config();
  config.options.select = "no such device";
  try {
    open_device(config);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("no device 'no such device'; the devices are 0: "), std::string::npos)
        << error.what();
  }
}

// Exits in a child process, whose driver and environment are its own.
template <typename Body>
int exit_status_of_child(Body body) {
  pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(CoreLoader, WithoutADriverTheErrorSaysSo) {
  EXPECT_EQ(exit_status_of_child([] {
              setenv("VK_ICD_FILENAMES", "/nonexistent.json", 1);
              setenv("VK_DRIVER_FILES", "/nonexistent.json", 1);
              try {
                list_devices();
              } catch (const Error& error) {
                return error.code() == Code::unsupported && std::strstr(error.what(), "no Vulkan driver") ? 0 : 2;
              }
              return 1;
            }),
            0);
}

}  // namespace
}  // namespace nxv::test
