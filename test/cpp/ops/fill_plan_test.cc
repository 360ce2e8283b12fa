#include <gtest/gtest.h>

#include <cstring>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"
#include "test/cpp/support/plan_simulator.h"

namespace nxv {
namespace {

template <typename T>
std::vector<T> run(std::string_view op, const Attrs& attrs, const TensorSpec& out, std::vector<Input> inputs,
                   const Traits& traits) {
  const OpPlan plan = plan_op(op, attrs, std::array{out}, inputs, traits);
  PlanSimulator simulator(plan, {}, traits);
  simulator.run();
  std::vector<T> values(simulator.output(0).size() / sizeof(T));
  std::memcpy(values.data(), simulator.output(0).data(), values.size() * sizeof(T));
  for (uint32_t writes : simulator.writes()) EXPECT_GE(writes, 1u);
  return values;
}

TEST(FillPlan, ConstantsOfEveryWidth) {
  for (bool limited : {false, true}) {
    for (int64_t n : {1, 31, 64, 65, 4099}) {
      const Traits traits = traits_of(false, limited);
      const auto size = static_cast<size_t>(n);
      EXPECT_EQ(run<uint8_t>("constant", {}, {Type::u8, {n}}, {{{Type::s64, {}}, Scalar{int64_t{259}}}}, traits),
                std::vector<uint8_t>(size, 3));
      EXPECT_EQ(run<float>("constant", {}, {Type::f32, {n}}, {{{Type::f64, {}}, Scalar{0.1}}}, traits),
                std::vector<float>(size, 0.1f));
      EXPECT_EQ(run<int64_t>("constant", {}, {Type::s64, {n}}, {{{Type::s64, {}}, Scalar{int64_t{-5}}}}, traits),
                std::vector<int64_t>(size, -5));
    }
  }
}

TEST(FillPlan, CountersWrapAndFollowAnAxis) {
  for (bool limited : {false, true}) {
    const Traits traits = traits_of(false, limited);
    const std::vector<uint8_t> flat = run<uint8_t>("iota", {}, {Type::u8, {40, 50}}, {}, traits);
    for (size_t i = 0; i < flat.size(); ++i) ASSERT_EQ(flat[i], static_cast<uint8_t>(i));
    const Dims dims{7, 31, 11};
    for (int64_t axis : {0, 1, 2}) {
      const std::vector<float> values = run<float>("iota", {{"axis", axis}}, {Type::f32, dims}, {}, traits);
      for (size_t i = 0; i < values.size(); ++i) {
        const size_t index[] = {i / 341, i / 11 % 31, i % 11};
        ASSERT_EQ(values[i], static_cast<float>(index[axis]));
      }
    }
    EXPECT_EQ(run<int64_t>("iota", {}, {Type::s64, {}}, {}, traits), std::vector<int64_t>{0});
  }
}

TEST(FillPlan, EyesNeedNotBeSquare) {
  for (bool limited : {false, true}) {
    for (const Dims& dims : {Dims{1, 1}, Dims{5, 3}, Dims{3, 40}, Dims{2, 3, 17, 31}, Dims{50, 50}}) {
      const std::vector<double> values = run<double>("eye", {}, {Type::f64, dims}, {}, traits_of(false, limited));
      const auto rows = static_cast<size_t>(dims.end()[-2]), columns = static_cast<size_t>(dims.back());
      for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i / columns % rows == i % columns ? 1.0 : 0.0);
    }
  }
}

TEST(FillPlan, NeedsAnOutput) {
  EXPECT_THROW(plan_op("iota", {}, {}, {}, traits_of(false)), Error);
  EXPECT_THROW(plan_op("iota", {{"axis", int64_t{1}}}, std::array{TensorSpec{Type::f32, {3}}}, {}, traits_of(false)),
               Error);
  EXPECT_THROW(plan_op("eye", {}, std::array{TensorSpec{Type::f32, {3}}}, {}, traits_of(false)), Error);
}

}  // namespace
}  // namespace nxv
