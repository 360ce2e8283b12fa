#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"
#include "test/cpp/ops/reduce_oracle.h"

namespace nxv {
namespace {

OpPlan sum_of(const Dims& dims, const Attrs& attrs, const Traits& traits, uint64_t alignment = 256) {
  const Input input{{Type::f32, dims}, {}, alignment};
  return plan_op("sum", attrs, {}, std::array{input}, traits);
}

TEST(ReducePlan, ChoosesTheKernelByWhereTheAxesLie) {
  const Traits gpu = traits_of(false), cpu = traits_of(true);
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_of(sum_of({64, 100}, {}, gpu)), Keys{"reduce.sum.f32.row"});
  EXPECT_EQ(keys_of(sum_of({64, 100}, {{"axes", Dims{1}}}, gpu)), Keys{"reduce.sum.f32.row"});
  EXPECT_EQ(keys_of(sum_of({64, 100}, {{"axes", Dims{0}}}, gpu)), Keys{"reduce.sum.f32.col"});
  EXPECT_EQ(keys_of(sum_of({4, 64, 1, 100}, {{"axes", Dims{1, 2}}}, gpu)), Keys{"reduce.sum.f32.col"});
  EXPECT_EQ(keys_of(sum_of({64, 100}, {{"axes", Dims{0}}}, cpu)), Keys{"reduce.sum.f32.serial_col"});
  EXPECT_EQ(keys_of(sum_of({5, 20000}, {{"axes", Dims{1}}}, cpu)),
            (Keys{"reduce.sum.f32.serial_row", "reduce.sum.f32.serial_row", "reduce.sum.f32.serial_row"}));
  EXPECT_EQ(keys_of(sum_of({500, 20}, {{"axes", Dims{1}}}, cpu)), Keys{"reduce.sum.f32.serial_row"});
  EXPECT_EQ(keys_of(sum_of({16, 40, 24}, {{"axes", Dims{2, 0}}}, gpu)),
            (Keys{"copy.move.b128.strided", "reduce.sum.f32.row"}));
}

TEST(ReducePlan, ShapesAndTypesAreNxs) {
  const Traits traits = traits_of(false);
  EXPECT_EQ(sum_of({3, 4, 5}, {{"axes", Dims{1}}}, traits).outputs[0], (TensorSpec{Type::f32, {3, 5}}));
  EXPECT_EQ(sum_of({3, 4, 5}, {{"axes", Dims{1}}, {"keep_axes", int64_t{1}}}, traits).outputs[0],
            (TensorSpec{Type::f32, {3, 1, 5}}));
  EXPECT_EQ(sum_of({3, 4, 5}, {}, traits).outputs[0], (TensorSpec{Type::f32, {}}));
  const Input bytes{{Type::u8, {9}}, {}};
  EXPECT_EQ(plan_op("sum", {}, {}, std::array{bytes}, traits).outputs[0].type, Type::u32);
  EXPECT_EQ(keys_of(plan_op("sum", {}, {}, std::array{bytes}, traits)),
            std::vector<std::string>{"reduce.sum.u8-u32.row"});
  EXPECT_EQ(plan_op("reduce_max", {}, {}, std::array{bytes}, traits).outputs[0].type, Type::u8);
  EXPECT_EQ(plan_op("all", {}, {}, std::array{Input{{Type::f64, {9}}, {}}}, traits).outputs[0].type, Type::u8);
}

// The words of a row dispatch: units, n, chunks, magic, shift.
uint32_t word(const Step& step, size_t at) {
  uint32_t value = 0;
  std::memcpy(&value, step.push.data() + 16 + 4 * at, 4);
  return value;
}

TEST(ReducePlan, LongRunsGoInChunksOfTheTree) {
  const OpPlan plan = sum_of({8192 * 130 + 5}, {}, traits_of(false));
  ASSERT_EQ(plan.plan.steps.size(), 2u);
  EXPECT_EQ(word(plan.plan.steps[0], 0), 131u);
  EXPECT_EQ(word(plan.plan.steps[1], 0), 1u);
  EXPECT_EQ(word(plan.plan.steps[1], 1), 131u);
  EXPECT_EQ(plan.plan.temp_bytes, std::vector<uint64_t>{131 * 4});
}

TEST(ReducePlan, NarrowLimitsCutBetweenChunks) {
  for (bool cpu : {false, true}) {
    const Traits traits = traits_of(cpu, true);
    const OpPlan plan = sum_of({8192 * 3 + 5}, {}, traits);
    // A CPU device leaves 32 accumulators a chunk to the next dispatch.
    const uint64_t results = cpu ? 32 : 1;
    uint64_t units = 0;
    for (const Step& step : plan.plan.steps) {
      if (step.addresses[0].ref.kind != Ref::Kind::input) continue;
      EXPECT_EQ(step.addresses[0].ref.byte_offset, units * 8192 * 4);
      EXPECT_EQ(step.addresses[1].ref.byte_offset, units * results * 4);
      units += word(step, 0);
    }
    EXPECT_EQ(units, 4u);
    for (const Step& step : sum_of({5000, 3}, {{"axes", Dims{1}}}, traits).plan.steps) {
      for (size_t d = 0; d < 3; ++d) EXPECT_LE(step.groups[d], 7u);
    }
  }
}

TEST(ReducePlan, VectorsOnlyWhereTheyAreAligned) {
  const auto vectors = [](const OpPlan& plan) {
    for (const SpecConstant& constant : plan.plan.steps[0].kernel.constants) {
      if (constant.id == 2) return constant.value;
    }
    return 9u;
  };
  const Attrs last{{"axes", Dims{1}}};
  EXPECT_EQ(vectors(sum_of({8, 64}, last, traits_of(false))), 1u);
  EXPECT_EQ(vectors(sum_of({8, 65}, last, traits_of(false))), 0u);
  EXPECT_EQ(vectors(sum_of({8, 64}, last, traits_of(false), 4)), 0u);
}

TEST(ReducePlan, RefusesWhatDoesNotFit) {
  const Traits traits = traits_of(false);
  const Input input{{Type::f32, {3}}, {}};
  EXPECT_THROW(plan_op("sum", {{"axes", Dims{1}}}, {}, std::array{input}, traits), Error);
  EXPECT_THROW(plan_op("sum", {}, {}, std::array{input, input}, traits), Error);
  EXPECT_THROW(plan_op("sum", {}, std::array{TensorSpec{Type::f32, {2}}}, std::array{input}, traits), Error);
  EXPECT_THROW(plan_op("sum", {{"axis", int64_t{0}}}, {}, std::array{input}, traits), Error);
}

TEST(ReduceOracle, IsTheTreeOfTheContract) {
  const std::vector<float> none;
  EXPECT_TRUE(std::signbit((oracle::reduce<float, float>("sum", none))));
  const std::vector<float> minus_zero{-0.0f};
  EXPECT_TRUE(std::signbit((oracle::reduce<float, float>("sum", minus_zero))));
  const std::vector<float> ones((1 << 20) + 4, 1.0f);
  EXPECT_EQ((oracle::reduce<float, float>("sum", ones)), 1048580.0f);
  // 0 and 128 meet in one accumulator before 64 joins: 1e8 and -1e8 cancel, the 1 survives.
  std::vector<float> order(129, 0.0f);
  order[0] = 1e8f;
  order[64] = 1.0f;
  order[128] = -1e8f;
  EXPECT_EQ((oracle::reduce<float, float>("sum", order)), 1.0f);
  const std::vector<float> zeros{-0.0f, 0.0f};
  EXPECT_FALSE(std::signbit((oracle::reduce<float, float>("reduce_max", zeros))));
  EXPECT_TRUE(std::signbit((oracle::reduce<float, float>("reduce_min", zeros))));
}

}  // namespace
}  // namespace nxv
