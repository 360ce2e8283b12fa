#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "runtime/core/error.h"
#include "runtime/ops/catalog.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/window_fold_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

using oracle::Windows;

// Values with many ties.
template <typename T>
std::vector<T> operand(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const auto number = static_cast<int>(random() % 7);
    value = static_cast<T>(static_cast<Promoted<T>>(std::is_unsigned_v<T> ? number : number - 3));
  }
  return values;
}

template <typename T>
void check(std::string_view op, const Windows& windows, Type type, const Traits& traits, std::set<std::string>& keys) {
  const auto count = static_cast<size_t>(element_count(windows.dims)),
             positions = static_cast<size_t>(element_count(windows.positions()));
  const std::vector<T> values = operand<T>(count, 1), source = numbers_of<T>(varied_bytes(type, positions, 2));
  const T initial = operand<T>(1, static_cast<uint32_t>(count))[0];
  Attrs attrs = windows.attrs();
  const std::array inputs{Input{{type, windows.dims}, {}}, Input{{type, windows.positions()}, {}},
                          Input{{type, {}}, {}}};
  const OpPlan plan = plan_op(op, attrs, {}, inputs, traits);
  ASSERT_EQ(plan.outputs[0], (TensorSpec{type, windows.dims}));
  collect_keys(plan, keys);
  const std::vector<T> want = oracle::scattered_windows(op, windows, values, source, initial, initial);
  const std::vector<T> got =
      numbers_of<T>(run_plan(plan, {{bytes_of(values)}, {bytes_of(source)}, {bytes_of(std::vector{initial})}}));
  ASSERT_EQ(want.size(), got.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(0, std::memcmp(&want[i], &got[i], sizeof(T)))
        << op << " of " << to_string(inputs[0].spec) << " windows " << to_string({type, windows.window}) << ": result "
        << i << " is " << +promoted(got[i]) << ", not " << +promoted(want[i]);
  }
}

const Windows kPooling{{2, 9, 11}, {1, 3, 4}, {1, 2, 2}, {0, 0, 1, 1, 2, -1}, {1, 1, 1}};

TEST(WindowScatter, EveryKernelGivesTheOraclesBits) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("window_scatter");
  for (std::string_view op : {"window_scatter_max", "window_scatter_min"}) {
    for (Type type : kAllTypes) {
      if (!runnable.contains("window_scatter.window_collect." + std::string(type_info(type).name) + ".collect"))
        continue;
      visit_type(type, [&](auto zero) {
        if constexpr (!oracle::kIsComplex<decltype(zero)>) {
          check<decltype(zero)>(op, kPooling, type, test_traits(true), keys);
        }
      });
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(WindowScatter, AnyWindowsOfAnyRank) {
  std::set<std::string> keys;
  std::mt19937 random(22);
  for (int i = 0; i < 80; ++i) {
    const Windows windows = oracle::random_windows(random, false);
    check<float>(i % 2 ? "window_scatter_max" : "window_scatter_min", windows, Type::f32, test_traits(i % 3 == 0),
                 keys);
    if (HasFatalFailure()) return;
  }
}

TEST(WindowScatter, NarrowLimitsGiveTheSame) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    Traits traits = test_traits(cpu, true);
    check<float>("window_scatter_max", kPooling, Type::f32, traits, keys);
    traits.index32_limit = 1 << 20;
    check<float>("window_scatter_max", {{120, 130}, {3, 3}, {1, 1}, {0, 0, 0, 0}, {1, 1}}, Type::f32, traits, keys);
    traits.index32_limit = 100;
    EXPECT_THROW(check<float>("window_scatter_max", kPooling, Type::f32, traits, keys), Error);
  }
}

// More elements a window, and more windows an element, than a driver's limit of turns of all loops of a kernel.
TEST(WindowScatter, LongWindowsAreTakenInFull) {
  std::set<std::string> keys;
  const Windows long_window{{150001}, {150000}, {1}, {0, 0}, {1}},
      few_windows{{70, 90}, {69, 89}, {1, 1}, {0, 0, 0, 0}, {1, 1}};
  for (const Windows& windows : {long_window, few_windows}) {
    check<float>("window_scatter_max", windows, Type::f32, test_traits(true), keys);
    check<uint8_t>("window_scatter_min", windows, Type::u8, test_traits(true), keys);
    if (HasFatalFailure()) return;
  }
  // Elements under 16,400 windows.
  check<Bfloat16>("window_scatter_min", {{3}, {16400}, {1}, {16399, 16399}, {1}}, Type::bf16, test_traits(true), keys);
}

TEST(WindowScatter, SpecialValues) {
  const float inf = INFINITY, nan = NAN;
  const struct {
    std::string_view op;
    std::vector<float> values, want;
  } cases[] = {
      {"window_scatter_max", {1, 5, 5, 2}, {10, 10, 11, 10}},
      {"window_scatter_max", {nan, 5, 7, 2}, {11, 10, 10, 10}},
      {"window_scatter_max", {1, nan, 0, 1}, {10, 10, 10, 11}},
      {"window_scatter_min", {0.0f, 2, -0.0f, 2}, {10, 10, 11, 10}},
      {"window_scatter_max", {-0.0f, -1, 0.0f, -0.0f}, {10, 10, 10, 11}},
      {"window_scatter_min", {inf, inf, nan, nan}, {10, 11, 10, 10}},
  };
  for (const auto& one : cases) {
    const std::array inputs{Input{{Type::f32, {4}}, {}}, Input{{Type::f32, {1}}, {}},
                            Input{{Type::f32, {}}, Scalar{10.0}}};
    const OpPlan plan = plan_op(one.op, {{"window", Dims{4}}}, {}, inputs, test_traits(true));
    EXPECT_EQ(numbers_of<float>(run_plan(plan, {{bytes_of(one.values)}, {bytes_of(std::vector{1.0f})}, {}})), one.want);
  }
}

TEST(WindowScatter, OperandsKeepTheirOwnTypes) {
  const std::vector<int32_t> values{3, 1, 2, 9};
  const std::vector<uint8_t> source{200, 100};
  const std::array inputs{Input{{Type::s32, {4}}, {}}, Input{{Type::u8, {2}}, {}}, Input{{Type::f32, {}}, Scalar{0.5}}};
  const Attrs attrs{{"window", Dims{2}}, {"strides", Dims{2}}};
  const OpPlan plan = plan_op("window_scatter_max", attrs, {}, inputs, test_traits(true));
  EXPECT_EQ(plan.outputs[0], (TensorSpec{Type::f32, {4}}));
  EXPECT_EQ(numbers_of<float>(run_plan(plan, {{bytes_of(values)}, {bytes_of(source)}, {}})),
            (std::vector<float>{200.5f, 0.5f, 0.5f, 100.5f}));
}

}  // namespace
}  // namespace nxv
