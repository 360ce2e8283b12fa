#include <gtest/gtest.h>

#include <array>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"

namespace nxv {
namespace {

Traits traits_of(bool cpu, bool limited = false) {
  Traits traits{.caps = 0x7f};
  traits.cpu = cpu;
  if (limited) {
    traits.max_groups = {7, 7, 7};
    traits.index32_limit = 1000;
    traits.max_shared_bytes = 4096;
  }
  return traits;
}

OpPlan planned(std::string_view op, const Dims& dims, const Attrs& attrs, const Traits& traits, Type type = Type::f32) {
  return plan_op(op, attrs, {}, std::array{Input{{type, dims}, {}}}, traits);
}

size_t steps_of(const OpPlan& plan, std::string_view part) {
  size_t count = 0;
  for (const Step& step : plan.plan.steps) count += step.kernel.key.find(part) != std::string::npos ? 1 : 0;
  return count;
}

uint32_t constant_of(const Step& step, uint32_t id) {
  for (const SpecConstant& constant : step.kernel.constants) {
    if (constant.id == id) return constant.value;
  }
  return 99;
}

TEST(SortPlan, ChoosesTheKernelByLengthAndDevice) {
  const Attrs axis{{"axis", int64_t{1}}};
  const Traits gpu = traits_of(false), cpu = traits_of(true);
  const auto only = [](const OpPlan& plan) { return plan.plan.steps.size() == 1 ? plan.plan.steps[0].kernel.key : ""; };
  EXPECT_EQ(only(planned("sort", {500, 40}, axis, gpu)), "sort.order.b32.rank");
  EXPECT_EQ(only(planned("sort", {500, 100}, axis, cpu)), "sort.order.b32.rank");
  EXPECT_EQ(only(planned("sort", {500, 1000}, axis, gpu)), "sort.order.b32.block");
  EXPECT_EQ(only(planned("argsort", {500, 1000}, axis, gpu, Type::bf16)), "sort.order.b16.block");
  const OpPlan wide = planned("sort", {100000}, {}, gpu, Type::u64);
  EXPECT_EQ(steps_of(wide, ".b64.count"), 8u);
  EXPECT_EQ(steps_of(wide, ".b64.scatter"), 8u);
  EXPECT_EQ(steps_of(planned("sort", {100000}, {}, cpu, Type::u8), ".b8.serial_scatter"), 1u);
}

TEST(SortPlan, ElementsMoveOnlyWhereTheyAreNeeded) {
  const Traits gpu = traits_of(false);
  const OpPlan values = planned("sort", {100000}, {}, gpu);
  for (const Step& step : values.plan.steps) {
    if (!step.kernel.key.ends_with(".scatter")) continue;
    EXPECT_EQ(constant_of(step, 2), 0u);
  }
  const OpPlan plan = planned("argsort", {100000}, {}, gpu);
  std::vector<std::array<uint32_t, 2>> passes;
  for (const Step& step : plan.plan.steps) {
    if (step.kernel.key.ends_with(".scatter")) passes.push_back({constant_of(step, 2), constant_of(step, 3)});
  }
  // The first pass reads no places, the last one writes no elements.
  EXPECT_EQ(passes, (std::vector<std::array<uint32_t, 2>>{{1, 1}, {2, 1}, {2, 1}, {2, 0}}));
}

TEST(SortPlan, ShapesAndTypesAreNxs) {
  const Traits traits = traits_of(false);
  EXPECT_EQ(planned("sort", {3, 4}, {}, traits, Type::u8).outputs[0], (TensorSpec{Type::u8, {3, 4}}));
  EXPECT_EQ(planned("argsort", {3, 4}, {}, traits, Type::u8).outputs[0], (TensorSpec{Type::s32, {3, 4}}));
  const OpPlan top = planned("top_k", {3, 4}, {{"k", int64_t{2}}}, traits, Type::u8);
  EXPECT_EQ(top.outputs, (std::vector<TensorSpec>{{Type::u8, {3, 2}}, {Type::s32, {3, 2}}}));
  EXPECT_EQ(planned("sort", {}, {}, traits).outputs[0], (TensorSpec{Type::f32, {}}));
}

TEST(SortPlan, NarrowLimitsHold) {
  for (bool cpu : {false, true}) {
    for (const Dims& dims : {Dims{1, 1000}, Dims{70, 40}, Dims{9, 300}, Dims{9, 700}}) {
      const OpPlan plan = planned("argsort", dims, {{"axis", int64_t{1}}}, traits_of(cpu, true));
      for (const Step& step : plan.plan.steps) {
        for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
        if (!step.kernel.key.starts_with("sort.")) continue;
        for (const Access& access : step.accesses) EXPECT_LE(access.end - access.begin, 4000u);
      }
    }
  }
  EXPECT_THROW(planned("sort", {1001}, {}, traits_of(false, true)), Error);
}

TEST(SortPlan, RefusesWhatDoesNotFit) {
  const Traits traits = traits_of(false);
  EXPECT_THROW(planned("sort", {3}, {{"axis", int64_t{1}}}, traits), Error);
  EXPECT_THROW(planned("sort", {3}, {{"direction", std::string("up")}}, traits), Error);
  EXPECT_THROW(planned("sort", {3}, {}, traits, Type::c64), Error);
  EXPECT_THROW(planned("order", {3}, {}, traits), Error);
  EXPECT_THROW(planned("top_k", {3}, {{"k", int64_t{4}}}, traits), Error);
  EXPECT_THROW(planned("top_k", {}, {}, traits), Error);
  EXPECT_THROW(
      plan_op("top_k", {}, std::array{TensorSpec{Type::f32, {1}}}, std::array{Input{{Type::f32, {3}}, {}}}, traits),
      Error);
}

}  // namespace
}  // namespace nxv
