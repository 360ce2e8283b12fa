#include <gtest/gtest.h>

#include <cstring>

#include "runtime/ops/catalog.h"
#include "runtime/ops/packed.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/support/plan_simulator.h"

namespace nxv {
namespace {

void check(std::string_view op, const Attrs& attrs, const TensorSpec& out, const std::vector<Input>& inputs,
           const Traits& traits, std::set<std::string>& keys) {
  const OpPlan plan = plan_op(op, attrs, std::array{out}, inputs, traits);
  collect_keys(plan, keys);
  PlanSimulator simulator(plan, std::vector<Bytes>(inputs.size()), traits);
  simulator.run();
  const std::vector<PlacedBytes> unused(inputs.size(), PlacedBytes{Bytes(4)});
  ASSERT_EQ(simulator.output(0), run_plan(plan, unused)) << op << " " << to_string(out);
}

TEST(Fill, EveryKernelOfEveryType) {
  std::set<std::string> keys;
  for (bool narrow : {false, true}) {
    const Traits traits = test_traits(false, narrow);
    for (Type type : kAllTypes) {
      if (is_packed(type)) continue;
      for (int64_t n : {1, 31, 64, 65, 1009, 4099}) {
        check("constant", {}, {type, {n}}, {Input{{Type::f64, {}}, Scalar{3.7}}}, traits, keys);
        check("iota", {}, {type, {n}}, {}, traits, keys);
        check("iota", {{"axis", int64_t{1}}}, {type, {2, n, 3}}, {}, traits, keys);
        check("eye", {}, {type, {n, 7}}, {}, traits, keys);
        if (HasFatalFailure()) return;
      }
      check("eye", {}, {type, {3, 17, 31}}, {}, traits, keys);
      check("iota", {{"axis", int64_t{0}}}, {type, {300, 5}}, {}, traits, keys);
    }
  }
  for (const std::string& key : runnable_keys("fill")) {
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
  }
}

// A counter past 2^32 comes of a plan that is cut: its dispatches are taken one by one here.
TEST(Fill, CountersBeyondThirtyTwoBits) {
  const Traits traits = test_traits(false);
  const uint64_t firsts[] = {(1ull << 32) - 3, (1ull << 33) + 1, (1ull << 40) + 12345, (1ull << 52) + 1,
                             (1ull << 56) + 3};
  for (uint64_t first : firsts) {
    OpPlan plan = plan_op("iota", {}, std::array{TensorSpec{Type::f32, {64}}}, {}, traits);
    for (size_t word = 0; word < 2; ++word) {
      const auto part = static_cast<uint32_t>(first >> (32 * word));
      std::memcpy(plan.plan.steps[0].push.data() + 12 + 4 * word, &part, 4);
    }
    const Bytes bytes = run_plan(plan, {});
    for (size_t i = 0; i < 64; ++i) {
      float got = 0;
      std::memcpy(&got, bytes.data() + 4 * i, 4);
      ASSERT_EQ(got, static_cast<float>(first + i)) << first + i;
    }
  }
}

}  // namespace
}  // namespace nxv
