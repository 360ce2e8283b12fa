#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

// All waiting callers get the error within a bounded time, later calls at once, and another device works.
TEST(DeviceLost, ReachesEveryWaitingCaller) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  get(*device, a);
  vulkan.hold();
  constexpr int kCallers = 100;
  std::atomic<int> lost{0}, started{0}, notified{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      BufferView sum = add(*device, a, a);
      ++started;
      if (code_of([&] { get(*device, sum); }) == Code::device_lost) ++lost;
    });
  }
  auto reading = start_read(*device, a, a.bytes, [&] { ++notified; });
  while (started < kCallers) std::this_thread::yield();
  vulkan.lose();
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(lost, kCallers);
  std::vector<std::byte> out(a.bytes);
  EXPECT_EQ(code_of([&] { reading->finish(out); }), Code::device_lost);
  EXPECT_EQ(notified, 1);
  EXPECT_EQ(code_of([&] { put(*device, numbers(4)); }), Code::device_lost);
  EXPECT_EQ(code_of([&] { add(*device, a, a); }), Code::device_lost);
  EXPECT_EQ(code_of([&] { synchronize(*device, 20s); }), Code::device_lost);
}

TEST(DeviceLost, AtAnySubmit) {
  for (int nth = 1; nth <= 3; ++nth) {
    FakeVulkan vulkan;
    vulkan.set_kernel(fake_add);
    DevicePtr device = open_device(fake_config());
    vulkan.fail("vkQueueSubmit", nth, VK_ERROR_DEVICE_LOST, -1);
    EXPECT_EQ(code_of([&] {
                BufferView a = put(*device, numbers(64));
                while (true) a = add(*device, a, a), get(*device, a);
              }),
              Code::device_lost);
    device.reset();
    EXPECT_TRUE(vulkan.live().empty());
  }
}

TEST(DeviceLost, ATimelineThatJumpsAheadIsALostDevice) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  get(*device, put(*device, numbers(64)));
  vulkan.jump_ahead();
  EXPECT_EQ(code_of([&] { get(*device, put(*device, numbers(64))); }), Code::device_lost);
}

TEST(HungDevice, PoisonsAfterTheLimitAndIsLeaked) {
  auto vulkan = std::make_unique<FakeVulkan>();
  vulkan->set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.options.hang_limit = 50ms;
  config.close_limit = 200ms;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, numbers(64));
  get(*device, a);
  vulkan->hold();
  BufferView sum = add(*device, a, a);
  EXPECT_EQ(code_of([&] { get(*device, sum); }), Code::timeout);
  EXPECT_EQ(code_of([&] { put(*device, numbers(64)); }), Code::timeout);
  device.reset();
  // What the device may still touch is not destroyed.
  EXPECT_GT(vulkan->live()["memory"], 0);
  EXPECT_EQ(vulkan->live()["device"], 1);
  vulkan->release();
}

TEST(HungDevice, ClosingIsBounded) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.close_limit = 50ms;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, numbers(64));
  get(*device, a);
  vulkan.hold();
  int before = vulkan.calls("vkQueueSubmit");
  BufferView sum = add(*device, a, a);
  while (vulkan.calls("vkQueueSubmit") == before) std::this_thread::yield();
  auto start = std::chrono::steady_clock::now();
  device.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  vulkan.release();
}

// The n-th call of each function that can fail does so, for every n of one operation: an ordinary error, nothing leaked
// or half written, and the operation works afterwards.
TEST(OutOfMemory, AtEveryCallOfAnOperation) {
  const char* functions[] = {
      "vkAllocateMemory",     "vkCreateBuffer",          "vkBindBufferMemory", "vkMapMemory",
      "vkQueueSubmit",        "vkBeginCommandBuffer",    "vkEndCommandBuffer", "vkResetCommandPool",
      "vkCreateShaderModule", "vkCreateComputePipelines"};
  for (const char* function : functions) {
    bool failed = true;
    for (int nth = 1; nth < 6; ++nth) {
      FakeVulkan vulkan;
      vulkan.set_kernel(fake_add);
      DevicePtr device = open_device(fake_config());
      int before = vulkan.calls(function);
      vulkan.fail(function, nth, VK_ERROR_OUT_OF_DEVICE_MEMORY);
      auto operation = [&] {
        BufferView a = put(*device, numbers(64));
        EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
      };
      std::optional<Code> code = code_of(operation);
      if (code) {
        EXPECT_EQ(code, Code::out_of_memory) << function;
      }
      failed = vulkan.calls(function) - before >= nth;
      EXPECT_EQ(code_of(operation), std::nullopt) << function << " " << nth;
      device.reset();
      EXPECT_TRUE(vulkan.live().empty()) << function << " " << nth << " " << vulkan.live().begin()->first;
      if (!failed) break;
    }
  }
}

TEST(Opening, EveryFailureIsAnErrorAndLeaksNothing) {
  const char* functions[] = {"vkCreateInstance",
                             "vkEnumeratePhysicalDevices",
                             "vkCreateDevice",
                             "vkCreateSemaphore",
                             "vkCreateCommandPool",
                             "vkAllocateCommandBuffers",
                             "vkCreatePipelineLayout",
                             "vkCreateBuffer",
                             "vkEnumerateDeviceExtensionProperties"};
  for (const char* function : functions) {
    FakeVulkan vulkan({.transfer_queue = true});
    vulkan.fail(function, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(code_of([&] { open_device(fake_config()); }), Code::out_of_memory) << function;
    EXPECT_TRUE(vulkan.live().empty()) << function << " " << vulkan.live().begin()->first;
    EXPECT_EQ(code_of([&] { open_device(fake_config()); }), std::nullopt);
  }
}

TEST(Opening, NoPipelineCacheIsNoFailure) {
  FakeVulkan vulkan;
  vulkan.fail("vkCreatePipelineCache", 1, VK_ERROR_OUT_OF_HOST_MEMORY, -1);
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  EXPECT_EQ(get(*device, add(*device, a, a))[63], 126u);
}

TEST(Opening, SaysWhatIsMissing) {
  auto text = [](const FakeVulkan::Config& config, VkResult instance = VK_SUCCESS) {
    FakeVulkan vulkan(config);
    if (instance) vulkan.fail("vkCreateInstance", 1, instance);
    try {
      open_device(fake_config());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::unsupported);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(text({}, VK_ERROR_INCOMPATIBLE_DRIVER).find("no Vulkan driver"), std::string::npos);
  EXPECT_NE(text({.devices = 0}).find("find no device"), std::string::npos);
  EXPECT_NE(text({.buffer_device_address = false}).find("lacks bufferDeviceAddress"), std::string::npos);
  EXPECT_NE(text({.api_version = VK_API_VERSION_1_1}).find("1.2 is needed"), std::string::npos);
}

TEST(Opening, ValidationWithoutTheLayerIsAnError) {
  FakeVulkan vulkan;
  DeviceConfig config = fake_config();
  config.environment.validate = true;
  EXPECT_EQ(code_of([&] { open_device(config); }), Code::unsupported);
}

TEST(Opening, TheSameLoaderServesManyDevicesAtOnce) {
  FakeVulkan vulkan({.devices = 2});
  std::vector<std::thread> threads;
  std::atomic<int> opened{0};
  for (int i = 0; i < 20; ++i) {
    threads.emplace_back([&, i] {
      DeviceConfig config = fake_config();
      config.options.select = std::to_string(i % 2);
      if (device_info(*open_device(config)).name == "Fake " + config.options.select) ++opened;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(opened, 20);
  EXPECT_TRUE(vulkan.live().empty());
}

TEST(Arguments, AViewOfAnotherDeviceIsRefused) {
  FakeVulkan vulkan({.devices = 2});
  DevicePtr first = open_device(fake_config()), second = open_device(fake_config());
  BufferView a = put(*first, numbers(64));
  EXPECT_EQ(code_of([&] { add(*second, a, a); }), Code::invalid_argument);
  EXPECT_EQ(code_of([&] { get(*second, a); }), Code::invalid_argument);
}

TEST(Arguments, AReadPastTheViewIsRefused) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  std::vector<std::byte> out(a.bytes + 1);
  EXPECT_EQ(code_of([&] { read(*device, a, out, 20s); }), Code::invalid_argument);
  EXPECT_EQ(code_of([&] { start_read(*device, a, out.size(), [] {}); }), Code::invalid_argument);
  BufferView beyond = a;
  beyond.offset = 8;
  EXPECT_EQ(code_of([&] { get(*device, beyond); }), Code::invalid_argument);
}

TEST(Arguments, ABadPlanIsAnInternalErrorWithTheKey) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  const BufferView inputs[] = {a, a};
  auto run = [&](auto change) {
    Plan plan = add_plan(64);
    change(plan.steps[0]);
    try {
      execute(*device, plan, inputs, 1, Waiting::allow);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::internal) << error.what();
      return std::string(error.what()).starts_with(std::string("[") + kAddKey + "]");
    }
    return false;
  };
  EXPECT_TRUE(run([](Step& step) { step.groups[1] = 0; }));
  EXPECT_TRUE(run([](Step& step) { step.groups[0] = 65536; }));
  EXPECT_TRUE(run([](Step& step) { step.push.resize(8); }));
  EXPECT_TRUE(run([](Step& step) { step.push.resize(132); }));
  EXPECT_TRUE(run([](Step& step) { step.addresses[0].push_offset = 25; }));
  EXPECT_TRUE(run([](Step& step) { step.addresses[0].ref.index = 2; }));
#ifdef NXV_CHECKS
  EXPECT_TRUE(run([](Step& step) { step.accesses[0].end = 257; }));
  EXPECT_TRUE(run([](Step& step) { step.accesses.pop_back(); }));
#endif
}

TEST(Fork, TheChildIsToldToOpenItsOwn) {
  FakeVulkan vulkan;
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(64));
  pid_t child = fork();
  if (child == 0) {
    int refused = 0;
    auto expect_refused = [&](auto body) {
      try {
        body();
      } catch (const Error& error) {
        if (std::string(error.what()).find("fork") != std::string::npos) ++refused;
      }
    };
    expect_refused([&] { put(*device, numbers(4)); });
    expect_refused([&] { get(*device, a); });
    expect_refused([&] { synchronize(*device, 1s); });
    a = {};
    device.reset();  // has no threads to wait for
    _exit(refused == 3 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(get(*device, a), numbers(64));
}

TEST(Callbacks, MayDropTheLastReferenceToTheDevice) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  {
    BufferView a = put(*device, numbers(64));
    get(*device, a);
    vulkan.hold();
    add(*device, a, a);
  }
  Stream& stream = *device->parts().compute;
  stream.on_passed(stream.newest_step(), [last = std::move(device)]() mutable { last.reset(); });
  vulkan.release();
  auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!vulkan.live().empty() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(vulkan.live().empty());
}

}  // namespace
}  // namespace nxv::test
