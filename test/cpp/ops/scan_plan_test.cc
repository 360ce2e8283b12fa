#include <gtest/gtest.h>

#include <array>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"
#include "test/cpp/ops/scan_oracle.h"

namespace nxv {
namespace {

OpPlan sum_of(const Dims& dims, const Attrs& attrs, const Traits& traits, Type type = Type::f32) {
  return plan_op("cumulative_sum", attrs, {}, std::array{Input{{type, dims}, {}}}, traits);
}

TEST(ScanPlan, ChoosesTheKernelByWhereTheAxisLies) {
  using Keys = std::vector<std::string>;
  const Attrs last{{"axis", int64_t{1}}}, first{{"axis", int64_t{0}}};
  const std::string row = "scan.cumulative_sum.f32.row", serial = "scan.cumulative_sum.f32.serial";
  EXPECT_EQ(keys_of(sum_of({64, 100}, last, traits_of(false))), Keys{row});
  EXPECT_EQ(keys_of(sum_of({64, 100}, last, traits_of(true))), Keys{serial});
  EXPECT_EQ(keys_of(sum_of({64, 100000}, first, traits_of(false))), Keys{serial});
  EXPECT_EQ(keys_of(sum_of({64, 5000}, last, traits_of(false))), (Keys{row, row, row}));
  EXPECT_EQ(keys_of(sum_of({5000, 3}, first, traits_of(true))), (Keys{serial, serial, serial}));
  const std::vector<std::string> moved = keys_of(sum_of({5000, 3}, first, traits_of(false)));
  EXPECT_TRUE(moved.front().starts_with("copy.") && moved.back().starts_with("copy."));
  // 32 KiB of c128 do not fit into 16 KiB.
  EXPECT_EQ(keys_of(sum_of({64, 100}, last, traits_of(false), Type::c128)), Keys{"scan.cumulative_sum.c128.serial"});
}

TEST(ScanPlan, TotalsOfNarrowNumbersAreWide) {
  const OpPlan plan = sum_of({5000}, {}, traits_of(false), Type::bf16);
  EXPECT_EQ(plan.outputs[0], (TensorSpec{Type::bf16, {5000}}));
  EXPECT_EQ(plan.plan.temp_bytes, (std::vector<uint64_t>{12, 12}));
  EXPECT_EQ(keys_of(plan)[1], "scan.cumulative_sum.f32.row");
}

TEST(ScanPlan, NarrowLimitsHold) {
  for (bool cpu : {false, true}) {
    for (const Dims& dims : {Dims{1, 20000, 1}, Dims{70, 100, 1}, Dims{2, 3, 2100}, Dims{2, 40, 300}}) {
      const OpPlan plan = sum_of(dims, {{"axis", int64_t{1}}}, traits_of(cpu, true));
      for (const Step& step : plan.plan.steps) {
        for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
        // A tile is never cut.
        if (!step.kernel.key.starts_with("scan.")) continue;
        EXPECT_LE(step.accesses[0].end - step.accesses[0].begin, 2048u * 4);
      }
    }
  }
}

TEST(ScanPlan, RefusesWhatDoesNotFit) {
  const Traits traits = traits_of(false);
  EXPECT_THROW(sum_of({3}, {{"axis", int64_t{1}}}, traits), Error);
  EXPECT_THROW(sum_of({}, {}, traits), Error);
  EXPECT_THROW(sum_of({3}, {{"axes", Dims{0}}}, traits), Error);
  EXPECT_THROW(plan_op("cumulative_max", {}, {}, std::array{Input{{Type::c64, {3}}, {}}}, traits), Error);
  EXPECT_THROW(plan_op("cumulative_sum", {}, std::array{TensorSpec{Type::f32, {2}}},
                       std::array{Input{{Type::f32, {3}}, {}}}, traits),
               Error);
}

TEST(ScanOracle, IsTheRuleOfTheContract) {
  const std::vector<float> ones((1 << 14) + 3, 1.0f);
  EXPECT_EQ(oracle::scan<float>("cumulative_sum", ones).back(), 16387.0f);
  // Each result of a segment begins with what lies before it: 1e8 swallows 1, and takes the tile's later ones along.
  std::vector<float> order(16, 0.0f);
  order[0] = 1e8f, order[8] = 1.0f, order[9] = -1e8f;
  const std::vector<float> results = oracle::scan<float>("cumulative_sum", order);
  EXPECT_EQ(results[8], 1e8f);
  EXPECT_EQ(results[9], 0.0f);
}

}  // namespace
}  // namespace nxv
