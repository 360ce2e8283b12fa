#include <gtest/gtest.h>

#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"

namespace nxv {
namespace {

OpPlan conv(const Dims& input, const Dims& kernel, const Attrs& attrs, const Traits& traits = traits_of(false),
            Type type = Type::f32) {
  return plan_op("conv", attrs, {}, std::array{Input{{type, input}, {}}, Input{{type, kernel}, {}}}, traits);
}

using Keys = std::vector<std::string>;

TEST(ConvPlan, ShapesAndTypesAreNxs) {
  EXPECT_EQ(conv({2, 3, 8, 9}, {5, 3, 2, 3}, {}).outputs[0], (TensorSpec{Type::f32, {2, 5, 7, 7}}));
  const Attrs attrs{{"strides", Dims{2, 3}},
                    {"padding", Dims{1, 2, -1, 0}},
                    {"input_dilation", Dims{1, 2}},
                    {"kernel_dilation", Dims{3, 1}}};
  EXPECT_EQ(conv({2, 3, 8, 9}, {5, 3, 2, 3}, attrs).outputs[0].dims, (Dims{2, 5, 4, 5}));
  // Axis i of the result is axis output_permutation[i] of the output.
  EXPECT_EQ(conv({2, 3, 8, 9}, {5, 3, 2, 3}, {{"output_permutation", Dims{1, 3, 0, 2}}}).outputs[0].dims,
            (Dims{7, 2, 7, 5}));
  EXPECT_EQ(conv({6, 3, 8}, {4, 3, 2}, {{"batch_group_size", int64_t{2}}}).outputs[0].dims, (Dims{3, 4, 7}));
  EXPECT_EQ(conv({6, 3, 8}, {4, 3, 2}, {}, traits_of(false), Type::u8).outputs[0].type, Type::f32);
  EXPECT_EQ(conv({6, 3, 8}, {4, 3, 2}, {}, traits_of(false), Type::bf16).outputs[0].type, Type::bf16);
}

TEST(ConvPlan, ChoosesTheKernelBySizeAndDevice) {
  EXPECT_EQ(keys_of(conv({8, 64, 64, 64}, {64, 64, 3, 3}, {})), Keys{"conv.conv.f32.tile"});
  EXPECT_EQ(keys_of(conv({8, 64, 64, 64}, {64, 64, 3, 3}, {}, traits_of(true))), Keys{"conv.conv.f32.direct"});
  EXPECT_EQ(keys_of(conv({8, 64, 64, 64}, {64, 1, 3, 3}, {{"feature_group_size", int64_t{64}}})),
            Keys{"conv.conv.f32.direct"});
  // Too few workgroups otherwise.
  EXPECT_EQ(keys_of(conv({1, 2000, 4, 4}, {32, 2000, 3, 3}, {})), (Keys{"conv.conv.f32.tile", "reduce.sum.f32.col"}));
  const OpPlan narrow = conv({1, 2000, 4, 4}, {32, 2000, 3, 3}, {}, traits_of(false), Type::bf16);
  EXPECT_EQ(keys_of(narrow)[0], "conv.conv.bf16-f32.tile");
}

TEST(ConvPlan, NarrowLimitsCutBetweenWorkgroupsGroupsAndBatches) {
  Traits traits = traits_of(true);
  traits.max_groups = {7, 7, 7};
  traits.index32_limit = 1000;
  const OpPlan plan = conv({6, 4, 10, 10}, {8, 4, 3, 3}, {}, traits);
  EXPECT_GE(plan.plan.steps.size(), 4u);
  for (const Step& step : plan.plan.steps) {
    for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
    for (const Access& access : step.accesses) EXPECT_LE(access.end - access.begin, 4000u);
    EXPECT_LE(step.accesses[0].end, 2400u * 4);
    EXPECT_LE(step.accesses[2].end, 6u * 8 * 64 * 4);
  }
  EXPECT_EQ(plan.plan.steps.back().accesses[2].end, 6u * 8 * 64 * 4);
  EXPECT_THROW(conv({1, 1, 40, 40}, {1, 1, 3, 3}, {}, traits), Error);
}

TEST(ConvPlan, RefusesWhatDoesNotFit) {
  EXPECT_THROW(conv({1, 3, 5}, {2, 4, 2}, {}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 6}, {}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 2, 2}, {}), Error);
  EXPECT_THROW(conv({3}, {3}, {}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 2}, {{"strides", Dims{0}}}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 2}, {{"input_permutation", Dims{0, 0, 1}}}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 2}, {{"batch_group_size", int64_t{2}}}), Error);
  EXPECT_THROW(conv({1, 4, 5}, {3, 2, 2}, {{"feature_group_size", int64_t{2}}}), Error);
  EXPECT_THROW(conv({1, 3, 5}, {2, 3, 2}, {{"dilation", Dims{1}}}), Error);
}

}  // namespace
}  // namespace nxv
