#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "runtime/ops/window_axes.h"
#include "test/cpp/ops/plan_traits.h"

namespace nxv {
namespace {

OpPlan sum_of(const Dims& dims, const Attrs& attrs, const Traits& traits = traits_of(false), Type type = Type::f32) {
  return plan_op("window_sum", attrs, {}, std::array{Input{{type, dims}, {}}}, traits);
}

uint32_t constant_of(const Step& step, uint32_t id) {
  for (const SpecConstant& constant : step.kernel.constants) {
    if (constant.id == id) return constant.value;
  }
  return 99;
}

uint32_t word(const Step& step, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, step.push.data() + at, 4);
  return value;
}

using Keys = std::vector<std::string>;

TEST(WindowPlan, ShapesAreNxs) {
  EXPECT_EQ(sum_of({5, 6}, {{"window", Dims{2, 3}}}).outputs[0], (TensorSpec{Type::f32, {4, 4}}));
  const Attrs all{{"window", Dims{2, 3}},
                  {"strides", Dims{2, 1}},
                  {"padding", Dims{1, 2, -1, 3}},
                  {"window_dilations", Dims{3, 2}}};
  EXPECT_EQ(sum_of({5, 6}, all).outputs[0].dims, (Dims{3, 4}));
  EXPECT_EQ(sum_of({}, {{"window", Dims{}}}).outputs[0].dims, Dims{});
  EXPECT_EQ(sum_of({9}, {{"window", Dims{2}}}, traits_of(false), Type::u8).outputs[0].type, Type::u8);
}

TEST(WindowPlan, AxesJoin) {
  const WindowAxis image{.out = 4, .extent = 8, .window = 2, .stride = 2, .elements = 3};
  const WindowAxis batch{.out = 2, .extent = 2, .elements = 120}, more{.out = 5, .extent = 5, .elements = 24};
  const WindowAxis one{.elements = 24}, channels{.out = 3, .extent = 3, .elements = 1};
  const std::vector<WindowAxis> joined = collapse_windows({batch, more, one, image, channels});
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(joined[0].extent, 10);
  EXPECT_EQ(joined[0].elements, 24);
  EXPECT_TRUE(joined[1].has_window);
  EXPECT_EQ(window_mask(joined), 2u);
  const WindowAxis rows{.out = 1, .extent = 4, .window = 4, .elements = 6},
      columns{.out = 1, .extent = 6, .window = 6, .elements = 1};
  ASSERT_EQ(collapse_windows({rows, columns}).size(), 1u);
  EXPECT_EQ(collapse_windows({rows, columns})[0].window, 24);
  EXPECT_EQ(window_mask(collapse_windows({})), 1u);
}

TEST(WindowPlan, VectorsWhereTheInnermostAxisHasNoWindow) {
  const Attrs last{{"window", Dims{1, 3, 3, 1}}};
  EXPECT_EQ(constant_of(sum_of({2, 9, 9, 16}, last).plan.steps[0], 3), 1u);
  EXPECT_EQ(constant_of(sum_of({2, 9, 9, 15}, last).plan.steps[0], 3), 0u);
  EXPECT_EQ(constant_of(sum_of({2, 9, 9, 16}, {{"window", Dims{1, 1, 3, 4}}}).plan.steps[0], 3), 0u);
}

TEST(WindowPlan, OnlyWhatAnyOrderGivesIsReduced) {
  const Attrs whole{{"window", Dims{1, 50, 50}}};
  const auto keys = [&](std::string_view op, Type type) {
    return keys_of(plan_op(op, whole, {}, std::array{Input{{type, {6, 50, 50}}, {}}}, traits_of(false)));
  };
  EXPECT_EQ(keys("window_max", Type::f32), Keys{"reduce.reduce_max.f32.row"});
  EXPECT_EQ(keys("window_sum", Type::u32), Keys{"reduce.sum.u32.row"});
  EXPECT_EQ(keys("window_sum", Type::u8).front(), "reduce.sum.u8-u32.row");
  EXPECT_EQ(keys("window_sum", Type::f32), Keys{"window.window_sum.f32.fold"});
}

TEST(WindowPlan, LongWindowsTakeSeveralDispatches) {
  const OpPlan plan = sum_of({3, 100000}, {{"window", Dims{1, 99999}}}, traits_of(true));
  ASSERT_EQ(plan.plan.steps.size(), 4u);
  EXPECT_EQ(plan.plan.temp_bytes, std::vector<uint64_t>{6 * 4});
  // row_begin, row_end, k_begin, k_end, resumes, suspends, behind three addresses, that of the block and a count.
  uint32_t k = 0;
  for (size_t i = 0; i < 4; ++i) {
    const Step& step = plan.plan.steps[i];
    EXPECT_EQ(word(step, 44), k);
    k = word(step, 48);
    EXPECT_EQ(word(step, 52), i > 0 ? 1u : 0u);
    EXPECT_EQ(word(step, 56), i < 3 ? 1u : 0u);
  }
  EXPECT_EQ(k, 99999u);
  EXPECT_EQ(sum_of({3, 100000}, {{"window", Dims{1, 99999}}}).plan.steps.size(), 1u);
}

TEST(WindowPlan, NarrowLimitsCutBetweenPositions) {
  Traits traits = traits_of(false);
  traits.max_groups = {7, 7, 7};
  traits.index32_limit = 1000;
  const OpPlan plan = sum_of({100, 90}, {{"window", Dims{3, 3}}}, traits);
  EXPECT_GT(plan.plan.steps.size(), 8u);
  uint64_t written = 0;
  for (const Step& step : plan.plan.steps) {
    for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
    EXPECT_LE(step.accesses[0].end - step.accesses[0].begin, 4000u);
    EXPECT_LE(step.accesses[0].end, 9000u * 4);
    EXPECT_EQ(step.accesses[1].begin, written);
    written = step.accesses[1].end;
  }
  EXPECT_EQ(written, 98u * 88 * 4);
  EXPECT_THROW(sum_of({2000}, {{"window", Dims{2000}}}, traits), Error);
}

TEST(WindowPlan, RefusesWhatDoesNotFit) {
  EXPECT_THROW(sum_of({3}, {{"window", Dims{4}}}), Error);
  EXPECT_THROW(sum_of({3}, {{"window", Dims{2, 2}}}), Error);
  EXPECT_THROW(sum_of({3}, {{"window", Dims{0}}}), Error);
  EXPECT_THROW(sum_of({3}, {{"window", Dims{2}}, {"padding", Dims{-2, 0}}}), Error);
  EXPECT_THROW(sum_of({3}, {{"window", Dims{2}}, {"stride", Dims{1}}}), Error);
  EXPECT_THROW(sum_of({3}, {{"window", Dims{2}}, {"padding", Dims{INT64_C(1) << 40, 0}}}), Error);
  EXPECT_THROW(plan_op("window_max", {}, {}, std::array{Input{{Type::c64, {3}}, {}}}, traits_of(false)), Error);
}

}  // namespace
}  // namespace nxv
