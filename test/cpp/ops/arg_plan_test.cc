#include <gtest/gtest.h>

#include <array>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"

namespace nxv {
namespace {

OpPlan argmax_of(const Dims& dims, const Attrs& attrs, const Traits& traits, Type type = Type::f32) {
  return plan_op("argmax", attrs, {}, std::array{Input{{type, dims}, {}}}, traits);
}

TEST(ArgPlan, KernelsAreKeyedByWidth) {
  const Attrs axis{{"axis", int64_t{1}}};
  using Keys = std::vector<std::string>;
  EXPECT_EQ(keys_of(argmax_of({640, 100}, axis, traits_of(false))), Keys{"arg.extremum.b32.shared"});
  EXPECT_EQ(keys_of(argmax_of({640, 100}, axis, traits_of(true))), Keys{"arg.extremum.b32.serial"});
  EXPECT_EQ(keys_of(argmax_of({640, 100}, axis, traits_of(false), Type::bf16)), Keys{"arg.extremum.b16-b32.shared"});
  EXPECT_EQ(keys_of(argmax_of({640, 100}, axis, traits_of(false), Type::u64)), Keys{"arg.extremum.b64-b32.shared"});
  EXPECT_EQ(argmax_of({64, 100000}, axis, traits_of(false)).plan.steps.size(), 2u);
}

TEST(ArgPlan, ShapesAndTypesAreNxs) {
  const Traits traits = traits_of(false);
  EXPECT_EQ(argmax_of({3, 4, 5}, {}, traits).outputs[0], (TensorSpec{Type::s32, {}}));
  EXPECT_EQ(argmax_of({3, 4, 5}, {{"keep_axis", int64_t{1}}}, traits).outputs[0], (TensorSpec{Type::s32, {1, 1, 1}}));
  EXPECT_EQ(argmax_of({3, 4, 5}, {{"axis", int64_t{1}}}, traits).outputs[0], (TensorSpec{Type::s32, {3, 5}}));
  EXPECT_EQ(argmax_of({3, 4, 5}, {{"axis", int64_t{1}}, {"keep_axis", int64_t{1}}}, traits).outputs[0],
            (TensorSpec{Type::s32, {3, 1, 5}}));
}

TEST(ArgPlan, NarrowLimitsHold) {
  for (bool cpu : {false, true}) {
    for (const Dims& dims : {Dims{1, 20000, 1}, Dims{70, 100, 1}, Dims{2, 3, 2100}, Dims{2, 40, 300}}) {
      const OpPlan plan = argmax_of(dims, {{"axis", int64_t{1}}}, traits_of(cpu, true));
      for (const Step& step : plan.plan.steps) {
        for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
        if (!step.kernel.key.starts_with("arg.")) continue;
        EXPECT_LE(step.accesses[0].end - step.accesses[0].begin, 4000u);
      }
    }
  }
}

TEST(ArgPlan, RefusesWhatDoesNotFit) {
  const Traits traits = traits_of(false);
  EXPECT_THROW(argmax_of({3}, {{"axis", int64_t{1}}}, traits), Error);
  EXPECT_THROW(argmax_of({3}, {{"axes", Dims{0}}}, traits), Error);
  EXPECT_THROW(argmax_of({3}, {{"tie_break", std::string("middle")}}, traits), Error);
  EXPECT_THROW(argmax_of({3}, {}, traits, Type::c64), Error);
  EXPECT_THROW(plan_op("extremum", {}, {}, std::array{Input{{Type::f32, {3}}, {}}}, traits), Error);
  const TensorSpec wrong{Type::s32, {2}};
  EXPECT_THROW(plan_op("argmax", {}, std::array{wrong}, std::array{Input{{Type::f32, {3}}, {}}}, traits), Error);
}

}  // namespace
}  // namespace nxv
