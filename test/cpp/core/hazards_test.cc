#include <random>

#include "runtime/core/hazard_checker.h"
#include "test/cpp/core/core_test.h"

namespace nxv::test {
namespace {

// A made-up program over a few tensors: sums with shared operands and temporaries, uploads, reads, dropped tensors.
std::vector<HazardEvent> run_program(FakeVulkan& vulkan, uint32_t seed, uint32_t count) {
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.log_hazards = true;
  DevicePtr device = open_device(config);
  std::mt19937 random(seed);
  auto below = [&](size_t limit) { return random() % limit; };
  std::vector<BufferView> tensors;
  for (int i = 0; i < 6; ++i) tensors.push_back(put(*device, numbers(count)));
  for (int round = 0; round < 60; ++round) {
    BufferView& some = tensors[below(tensors.size())];
    switch (below(8)) {
      case 0:
        some = put(*device, numbers(count, round));
        break;
      case 1:
        get(*device, some);
        break;
      case 2: {
        Plan plan;
        plan.temp_bytes = {count * 4ull};
        plan.output_bytes = {count * 4ull, count * 4ull};
        plan.steps = {add_step(input(0), input(1), temp(0), count), add_step(temp(0), input(1), output(0), count),
                      add_step(temp(0), input(0), output(1), count)};
        const BufferView inputs[] = {some, tensors[below(tensors.size())]};
        some = execute(*device, plan, inputs, 1, Waiting::allow)[below(2)];
        break;
      }
      case 3: {  // in place
        Plan plan;
        plan.steps = {add_step(input(0), input(1), input(0), count)};
        const BufferView inputs[] = {some, tensors[below(tensors.size())]};
        execute(*device, plan, inputs, 1, Waiting::allow);
        break;
      }
      default:
        some = add(*device, tensors[below(tensors.size())], tensors[below(tensors.size())]);
    }
  }
  synchronize(*device, 20s);
  return device->parts().hazard_log.events();
}

// The number of orderings, each of which was deleted in turn and found missing.
int expect_all_needed(std::vector<HazardEvent> log) {
  int deleted = 0;
  for (HazardEvent& event : log) {
    Ordering original = event.ordering;
    auto expect_found = [&](const std::string& what) {
      EXPECT_FALSE(check_hazards(log).empty()) << what << " before " << event.key << ", step " << event.step;
      event.ordering = original;
      ++deleted;
    };
    if (original.barrier) {
      event.ordering.barrier = false;
      expect_found("the barrier");
    }
    for (uint32_t stream = 0; stream < kMaxStreams; ++stream) {
      if (!original.waits[stream]) continue;
      event.ordering.waits[stream] = 0;
      expect_found("the semaphore");
    }
  }
  return deleted;
}

TEST(Hazards, NoOrderingIsMissingAndNoneIsNeedless) {
  for (bool transfer_queue : {false, true}) {
    int orderings = 0;
    for (uint32_t seed = 1; seed <= 4; ++seed) {
      FakeVulkan vulkan({.transfer_queue = transfer_queue});
      // The large ones go through the transfer queue where there is one.
      std::vector<HazardEvent> log = run_program(vulkan, seed, seed % 2 ? 100 : 300'000);
      ASSERT_GT(log.size(), 60u);
      std::vector<MissingOrder> missing = check_hazards(log);
      EXPECT_TRUE(missing.empty()) << missing.front().text;
      orderings += expect_all_needed(log);
    }
    EXPECT_GT(orderings, 100);
  }
}

TEST(Hazards, BarriersInTheCommandBuffersAreThoseOfTheLog) {
  FakeVulkan vulkan;
  std::vector<HazardEvent> log = run_program(vulkan, 5, 100);
  int barriers = 0;
  for (const HazardEvent& event : log) barriers += event.ordering.barrier;
  EXPECT_EQ(vulkan.barriers(), barriers);
}

TEST(Hazards, IndependentStepsHaveNoBarrier) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DevicePtr device = open_device(fake_config());
  BufferView a = put(*device, numbers(100));
  BufferView first = add(*device, a, a);
  int before = vulkan.barriers();
  std::vector<BufferView> sums;
  for (int i = 0; i < 100; ++i) sums.push_back(add(*device, a, a));
  synchronize(*device, 20s);
  EXPECT_LE(vulkan.barriers() - before, 1);  // one for the upload, perhaps not recorded yet
}

TEST(Hazards, SerializePutsABarrierBeforeEachStep) {
  FakeVulkan vulkan;
  vulkan.set_kernel(fake_add);
  DeviceConfig config = fake_config();
  config.environment.serialize = true;
  DevicePtr device = open_device(config);
  BufferView a = put(*device, numbers(100));
  for (int i = 0; i < 10; ++i) add(*device, a, a);
  synchronize(*device, 20s);
  EXPECT_EQ(vulkan.barriers(), 11);
}

HazardEvent event(uint64_t step, std::vector<HazardEvent::Touch> touches, bool barrier, uint32_t stream = 0) {
  HazardEvent made;
  made.stream = stream;
  made.step = step;
  made.key = "k" + std::to_string(step);
  made.ordering.barrier = barrier;
  made.touches = std::move(touches);
  return made;
}

TEST(HazardChecker, KnowsEachKindOfConflict) {
  using Touch = HazardEvent::Touch;
  auto missing = [](Touch first, Touch second, bool barrier = false) {
    const HazardEvent log[] = {event(1, {first}, false), event(2, {second}, barrier)};
    return check_hazards(log).size();
  };
  Touch read{0, 10, 1, false}, write{0, 10, 1, true}, beyond{10, 20, 1, true};
  EXPECT_EQ(missing(write, read), 1u);
  EXPECT_EQ(missing(read, write), 1u);
  EXPECT_EQ(missing(write, write), 1u);
  EXPECT_EQ(missing(read, read), 0u);
  EXPECT_EQ(missing(write, beyond), 0u);
  EXPECT_EQ(missing(write, read, true), 0u);
}

TEST(HazardChecker, WhatTheHostHasSeenOrdersWritesButNotReads) {
  HazardEvent first = event(1, {{0, 10, 1, true}}, false);
  HazardEvent reads = event(2, {{0, 10, 1, false}}, false), writes = event(2, {{0, 10, 1, true}}, false);
  HazardEvent reuses = event(2, {{0, 10, 2, false}}, false);
  for (HazardEvent* later : {&reads, &writes, &reuses}) later->seen[0] = 1;
  EXPECT_EQ(check_hazards(std::vector{first, reads}).size(), 1u);
  EXPECT_EQ(check_hazards(std::vector{first, writes}).size(), 0u);
  EXPECT_EQ(check_hazards(std::vector{first, reuses}).size(), 0u);
}

TEST(HazardChecker, SemaphoresOrderStreams) {
  HazardEvent first = event(1, {{0, 10, 1, true}}, false, 1);
  HazardEvent second = event(1, {{0, 10, 1, false}}, false, 0);
  EXPECT_EQ(check_hazards(std::vector{first, second}).size(), 1u);
  second.ordering.waits[1] = 1;
  EXPECT_EQ(check_hazards(std::vector{first, second}).size(), 0u);
}

}  // namespace
}  // namespace nxv::test
