#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "runtime/ops/catalog.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/support/plan_simulator.h"

namespace nxv {
namespace {

struct Case {
  std::string op;
  Attrs attrs;
  std::vector<Dims> dims;  // of the operands
};

Case one(std::string op, Attrs attrs, std::vector<Dims> dims) {
  return {std::move(op), std::move(attrs), std::move(dims)};
}

std::vector<Case> cases() {
  std::vector<Case> cases;
  for (int64_t n : {1, 31, 64, 65, 1009, 4099}) {
    cases.push_back(one("slice", {{"starts", Dims{0}}, {"lengths", Dims{n}}}, {{n}}));
    cases.push_back(one("slice", {{"starts", Dims{1}}, {"lengths", Dims{n}}}, {{n + 3}}));
    cases.push_back(one("slice", {{"starts", Dims{0}}, {"lengths", Dims{n}}, {"strides", Dims{3}}}, {{n}}));
    cases.push_back(one("reverse", {{"axes", Dims{0}}}, {{n}}));
    cases.push_back(one("broadcast", {{"shape", Dims{3, n}}}, {{n}}));
    cases.push_back(one("broadcast", {{"shape", Dims{n, 3}}, {"axes", Dims{0}}}, {{n}}));
    cases.push_back(one("concatenate", {}, {{n}, {5}, {n}}));
    cases.push_back(one("stack", {{"axis", int64_t{1}}}, {{n}, {n}}));
    cases.push_back(one("transpose", {}, {{n, 9}}));
    cases.push_back(one("transpose", {}, {{64, n}}));
    cases.push_back(one("pad", {{"config", Dims{2, 3, 1}}}, {{n}, {}}));
  }
  for (const Dims& dims : {Dims{128, 64}, Dims{65, 130}, Dims{3, 16, 24}, Dims{2, 5, 8, 12}, Dims{33, 4, 36}}) {
    Dims last_two(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) last_two[d] = static_cast<int64_t>(d);
    std::swap(last_two.end()[-1], last_two.end()[-2]);
    cases.push_back(one("transpose", {{"axes", last_two}}, {dims}));
    cases.push_back(one("transpose", {}, {dims}));
  }
  // Runs of 2 and of 16 elements: of bytes, they move as elements of 16 and 128 bits.
  for (int64_t run : {2, 16}) {
    cases.push_back(one("slice", {{"starts", Dims{0}}, {"lengths", Dims{31 * run}}}, {{31 * run}}));
    cases.push_back(one("transpose", {{"axes", Dims{1, 0, 2}}}, {{20, 12, run}}));
    cases.push_back(one("transpose", {{"axes", Dims{5, 3, 1, 0, 2, 4, 6}}}, {{2, 3, 2, 3, 2, 3, run}}));
    cases.push_back(one("slice", {{"starts", Dims{2, 1, 0}}, {"lengths", Dims{3, 4, run}}}, {{6, 7, run}}));
  }
  cases.push_back(one("transpose", {{"axes", Dims{3, 1, 5, 0, 2, 4}}}, {{2, 3, 4, 3, 2, 5}}));
  cases.push_back(one("transpose", {{"axes", Dims{6, 4, 2, 0, 5, 3, 1}}}, {{2, 3, 2, 3, 2, 3, 2}}));
  cases.push_back(one("pad", {{"config", Dims{-1, 2, 0, 3, -2, 2}}}, {{7, 9}, {}}));
  cases.push_back(
      one("slice", {{"starts", Dims{-3, 66}}, {"lengths", Dims{5, 7}}, {"strides", Dims{2, 3}}}, {{9, 70}}));
  cases.push_back(one("put_slice", {{"starts", Dims{1, 60}}}, {{5, 64}, {2, 8}}));
  return cases;
}

// Plans one case, runs it on the device, and expects what the host makes of the same plan.
void check(const Case& one, Type type, const Traits& traits, size_t shift, std::set<std::string>& keys) {
  std::vector<Input> inputs;
  std::vector<PlacedBytes> placed;
  std::vector<Bytes> memory;
  for (const Dims& dims : one.dims) {
    inputs.push_back({{type, dims}, {}, shift == 0 ? 256 : shift});
    memory.push_back(
        varied_bytes(type, static_cast<size_t>(element_count(dims)), static_cast<uint32_t>(memory.size() + 1)));
    placed.push_back({memory.back(), shift});
  }
  const OpPlan plan = plan_op(one.op, one.attrs, {}, inputs, traits);
  collect_keys(plan, keys);
  PlanSimulator simulator(plan, memory, traits);
  simulator.run();
  const Bytes got = run_plan(plan, placed);
  ASSERT_EQ(simulator.output(0), got) << one.op << " of " << to_string(inputs[0].spec) << " by "
                                      << plan.plan.steps.back().kernel.key;
}

TEST(Copy, EveryKernelMovesEveryWidth) {
  std::set<std::string> keys;
  for (Type type : {Type::u8, Type::f32, Type::f64}) {
    for (bool cpu : {false, true}) {
      for (const Case& one : cases()) {
        check(one, type, test_traits(cpu), 0, keys);
        check(one, type, test_traits(cpu), type_bytes(type), keys);
        if (HasFatalFailure()) return;
      }
    }
  }
  for (const std::string& key : runnable_keys("copy")) {
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
  }
}

TEST(Copy, NarrowLimitsMoveTheSame) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const Case& one : cases()) {
      check(one, Type::f32, test_traits(cpu, true), 0, keys);
      if (HasFatalFailure()) return;
    }
  }
}

// Starts that lie on the device: of every integer type, beyond both ends.
TEST(Copy, ReadsStartsOfEveryType) {
  const Bytes tensor = varied_bytes(Type::f32, 9 * 70, 1), box = varied_bytes(Type::f32, 12, 2);
  const int64_t starts[] = {0, 2, 66, 67, 255, -1, INT32_MIN, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 32};
  for (Type type : {Type::u8, Type::u32, Type::s32, Type::s64}) {
    for (int64_t start : starts) {
      const TypeInfo& info = type_info(type);
      Bytes bytes(info.bits / 8);
      std::memcpy(bytes.data(), &start, bytes.size());
      for (size_t shift : {size_t{0}, bytes.size()}) {
        const Input tensor_input{{Type::f32, {9, 70}}, {}}, box_input{{Type::f32, {3, 4}}, {}};
        const Input known{{Type::s32, {}}, Scalar{int64_t{5}}}, moving{{type, {}}, {}, shift == 0 ? 256 : shift};
        const std::vector<Input> slice{tensor_input, known, moving};
        const OpPlan plan = plan_op("slice", {{"lengths", Dims{3, 4}}}, {}, slice, test_traits(false));
        PlanSimulator simulator(plan, {tensor, {}, bytes}, test_traits(false));
        simulator.run();
        ASSERT_EQ(simulator.output(0), run_plan(plan, {{tensor}, {Bytes(4)}, {bytes, shift}}))
            << info.name << " " << start;

        const std::vector<Input> put{tensor_input, box_input, known, moving};
        const OpPlan put_plan = plan_op("put_slice", {}, {}, put, test_traits(false));
        PlanSimulator put_simulator(put_plan, {tensor, box, {}, bytes}, test_traits(false));
        put_simulator.run();
        ASSERT_EQ(put_simulator.output(0), run_plan(put_plan, {{tensor}, {box}, {Bytes(4)}, {bytes, shift}}));
      }
    }
  }
}

}  // namespace
}  // namespace nxv
