#include <gtest/gtest.h>

#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"

namespace nxv {
namespace {

Input f32(const Dims& dims) { return {{Type::f32, dims}, {}}; }

OpPlan dot(const Dims& a, const Dims& b, const Attrs& attrs, bool cpu = false) {
  return plan_op("dot", attrs, {}, std::array{f32(a), f32(b)}, traits_of(cpu));
}

using Keys = std::vector<std::string>;

TEST(DotPlan, OutputIsBatchThenFreeAxes) {
  EXPECT_EQ(dot({2, 3, 4}, {4, 5}, {}).outputs[0].dims, (Dims{2, 3, 5}));
  const Attrs batched{{"batch_a", Dims{0}}, {"batch_b", Dims{0}}, {"contract_a", Dims{1}}, {"contract_b", Dims{2}}};
  EXPECT_EQ(dot({7, 4, 3}, {7, 5, 4}, batched).outputs[0].dims, (Dims{7, 3, 5}));
  EXPECT_EQ(dot({4}, {4}, {}).outputs[0].dims, Dims{});
  const Attrs none{{"contract_a", Dims{}}, {"contract_b", Dims{}}};
  EXPECT_EQ(dot({2, 3}, {4}, none).outputs[0].dims, (Dims{2, 3, 4}));
}

TEST(DotPlan, ReadsMatricesInPlace) {
  EXPECT_EQ(keys_of(dot({500, 600}, {600, 700}, {})), Keys{"dot.dot.f32.block"});
  const Attrs both_last{{"contract_a", Dims{1}}, {"contract_b", Dims{1}}};
  EXPECT_EQ(keys_of(dot({500, 600}, {700, 600}, both_last)), Keys{"dot.dot.f32.block"});
  const Attrs both_first{{"contract_a", Dims{0}}, {"contract_b", Dims{0}}};
  EXPECT_EQ(keys_of(dot({600, 500}, {600, 700}, both_first)), Keys{"dot.dot.f32.block"});
  EXPECT_EQ(keys_of(dot({64, 48}, {48, 64}, {}, true)), Keys{"dot.dot.f32.rows"});
  EXPECT_EQ(keys_of(dot({64, 48}, {64, 48}, both_last, true)), (Keys{"copy.move.b32.patch", "dot.dot.f32.rows"}));
  // Two contracted axes that lie the other way round are brought together first.
  const Attrs crossed{{"contract_a", Dims{0, 2}}, {"contract_b", Dims{0, 1}}};
  EXPECT_EQ(keys_of(dot({40, 500, 6}, {40, 6, 700}, crossed)).back(), "dot.dot.f32.block");
  EXPECT_EQ(keys_of(dot({40, 500, 6}, {40, 6, 700}, crossed)).size(), 2u);
}

TEST(DotPlan, VectorsTakeTheirOwnKernels) {
  EXPECT_EQ(keys_of(dot({3000, 600}, {600}, {})), Keys{"dot.dot.f32.line"});
  EXPECT_EQ(keys_of(dot({600}, {600, 300000}, {})), Keys{"dot.dot.f32.column"});
  EXPECT_EQ(keys_of(dot({3000, 600}, {600}, {}, true)), Keys{"dot.dot.f32.serial_line"});
  const Attrs none{{"contract_a", Dims{}}, {"contract_b", Dims{}}};
  ASSERT_EQ(keys_of(dot({300}, {400}, none)).size(), 1u);
  EXPECT_EQ(keys_of(dot({300}, {400}, none))[0].substr(0, 18), "map2.multiply.f32.");
}

TEST(DotPlan, LongSumsAreCutAndAddedUp) {
  const OpPlan plan = dot({1 << 20}, {1 << 20}, {});
  EXPECT_EQ(keys_of(plan), (Keys{"dot.dot.f32.line", "reduce.sum.f32.row"}));
}

TEST(DotPlan, RefusesWhatDoesNotFit) {
  const auto error = [](const Dims& a, const Dims& b, const Attrs& attrs) -> std::string {
    try {
      dot(a, b, attrs);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error({2, 3}, {4, 5}, {}), "[dot] contracts axes of f32[2][3] and f32[4][5] that differ in length");
  EXPECT_EQ(error({2, 3}, {3}, {{"contract_a", Dims{5}}, {"contract_b", Dims{0}}}), "[dot] has no axis 5 in rank 2");
  EXPECT_EQ(error({3, 3}, {3, 3}, {{"batch_a", Dims{1}}, {"batch_b", Dims{1}}}),
            "[dot] uses axis 1 of f32[3][3] twice");
}

}  // namespace
}  // namespace nxv
