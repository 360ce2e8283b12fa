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

std::string to_text(const Windows& w) {
  return to_string(TensorSpec{Type::u8, w.dims}) + " window " + to_string(TensorSpec{Type::u8, w.window}) +
         " strides " + to_string(TensorSpec{Type::u8, w.strides}) + " padding " +
         to_string(TensorSpec{Type::u8, w.padding}) + " dilations " + to_string(TensorSpec{Type::u8, w.dilations});
}

// Products stay in range: values near 1.
template <typename T>
std::vector<T> operand(std::string_view op, Type type, size_t count, uint32_t seed) {
  std::vector<T> values = numbers_of<T>(varied_bytes(type, count, seed));
  if (op != "window_product") return values;
  std::mt19937 random(seed);
  for (T& value : values) {
    const double near = std::uniform_real_distribution<double>(0.8, 1.2)(random);
    if constexpr (oracle::kIsComplex<T>) {
      using Part = typename T::value_type;
      value = T(static_cast<Part>(near), static_cast<Part>(near - 1));
    } else if constexpr (std::is_floating_point_v<Promoted<T>>) {
      value = static_cast<T>(near);
    } else {
      value = static_cast<T>(value | 1);
    }
  }
  return values;
}

template <typename T>
void check(std::string_view op, const Windows& windows, Type type, const Traits& traits, size_t shift,
           std::set<std::string>& keys) {
  const auto count = static_cast<size_t>(element_count(windows.dims));
  const std::vector<T> values = operand<T>(op, type, count, static_cast<uint32_t>(count));
  const Input input{{type, windows.dims}, {}, shift == 0 ? 256 : shift};
  const OpPlan plan = plan_op(op, windows.attrs(), {}, std::array{input}, traits);
  ASSERT_EQ(plan.outputs[0], (TensorSpec{type, windows.positions()})) << to_text(windows);
  collect_keys(plan, keys);
  compare(oracle::folded_windows(op, windows, values), run_plan(plan, {{bytes_of(values), shift}}),
          plan.plan.steps[0].kernel.key + " of " + to_text(windows));
}

// Pooling of pictures with the channels first and last, and a window over everything.
std::vector<Windows> usual() {
  return {{{2, 3, 8, 10}, {1, 1, 2, 2}, {1, 1, 2, 2}, {0, 0, 0, 0, 0, 0, 0, 0}, {1, 1, 1, 1}},
          {{2, 7, 9, 8}, {1, 3, 3, 1}, {1, 2, 2, 1}, {0, 0, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 1}},
          {{70}, {7}, {1}, {3, 3}, {1}},
          {{5, 40, 3}, {1, 40, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}},
          {{3, 2, 24}, {1, 2, 24}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}},
          {{9, 12}, {3, 1}, {2, 1}, {-1, 3, 0, 0}, {2, 1}}};
}

TEST(Window, EveryKernelGivesTheOraclesBits) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("window");
  for (const OpInfo& op : catalog_ops()) {
    if (op.family != "window") continue;
    for (Type type : kAllTypes) {
      const std::string key = "window." + std::string(op.name) + "." + std::string(type_info(type).name) + ".fold";
      if (!runnable.contains(key)) continue;
      visit_type(type, [&](auto zero) {
        using T = decltype(zero);
        // Each may ask for a pipeline of its own.
        for (size_t i : {0, 1, 5}) check<T>(op.name, usual()[i], type, test_traits(true), 0, keys);
      });
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Window, AnyWindowsOfAnyRank) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const Windows& windows : usual()) {
      for (size_t shift : {0, 4}) {
        check<float>("window_sum", windows, Type::f32, test_traits(cpu), shift, keys);
        check<float>("window_min", windows, Type::f32, test_traits(cpu), shift, keys);
        check<int32_t>("window_product", windows, Type::s32, test_traits(cpu), shift, keys);
        if (HasFatalFailure()) return;
      }
    }
  }
  std::mt19937 random(20);
  for (int i = 0; i < 150; ++i) {
    const Windows windows = oracle::random_windows(random, true);
    check<float>("window_sum", windows, Type::f32, test_traits(i % 2 == 0), 0, keys);
    check<int16_t>("window_max", windows, Type::s16, test_traits(i % 2 == 1), 0, keys);
    if (HasFatalFailure()) return;
  }
}

TEST(Window, NarrowLimitsGiveTheSame) {
  std::set<std::string> keys;
  std::mt19937 random(21);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    Windows windows = oracle::random_windows(random, true);
    windows.dims[0] += 20;
    for (bool cpu : {false, true}) {
      Traits traits = test_traits(cpu, true);
      traits.index32_limit = std::max<uint64_t>(100, static_cast<uint64_t>(element_count(windows.dims)) / 2);
      // A window that covers an axis can't be cut: more axes than one may need it.
      try {
        check<float>("window_sum", windows, Type::f32, traits, 0, keys);
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), Code::unsupported) << error.what();
        ++refused;
      }
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_LT(refused, 12);
}

// More elements than a driver's limit of turns of all loops of a kernel.
TEST(Window, LongWindowsAreFoldedInFull) {
  std::set<std::string> keys;
  const Windows row{{3, 150001}, {1, 150000}, {1, 1}, {0, 0, 0, 0}, {1, 1}};
  const Windows square{{420, 411}, {400, 401}, {9, 7}, {0, 5, 2, 0}, {1, 1}};
  const Windows tall{{70000, 4}, {69990, 1}, {5, 1}, {0, 0, 0, 0}, {1, 1}};
  // As a CPU device: only there are windows cut.
  for (const Windows& windows : {row, square, tall}) {
    check<float>("window_sum", windows, Type::f32, test_traits(true), 0, keys);
    check<Bfloat16>("window_sum", windows, Type::bf16, test_traits(true), 0, keys);
    check<int32_t>("window_product", windows, Type::s32, test_traits(true), 0, keys);
    check<uint8_t>("window_max", windows, Type::u8, test_traits(true), 0, keys);
    if (HasFatalFailure()) return;
  }
}

TEST(Window, SpecialValues) {
  const float inf = INFINITY, nan = NAN, tiny = 1e-45f;
  const struct {
    std::string_view op;
    std::vector<float> values;
    int64_t low;
    float want;
  } cases[] = {
      {"window_max", {1, nan, inf}, 0, nan},        {"window_min", {-inf, -nan, 3}, 0, nan},
      {"window_max", {-0.0f, 0.0f, -1}, 0, 0.0f},   {"window_min", {0.0f, -0.0f, 1}, 0, -0.0f},
      {"window_max", {-inf, -inf}, 1, -inf},        {"window_min", {inf, inf}, 1, inf},
      {"window_max", {-tiny, -2 * tiny}, 1, -tiny}, {"window_min", {tiny, 0.0f}, 1, 0.0f},
      {"window_sum", {-0.0f, -0.0f}, 0, 0.0f},      {"window_sum", {inf, -inf}, 1, nan},
      {"window_product", {-0.0f, 3}, 1, -0.0f},
  };
  for (bool cpu : {false, true}) {
    for (const auto& one : cases) {
      const auto n = static_cast<int64_t>(one.values.size());
      const Windows windows{{n}, {n + one.low}, {1}, {one.low, 0}, {1}};
      const OpPlan plan =
          plan_op(one.op, windows.attrs(), {}, std::array{Input{{Type::f32, {n}}, {}}}, test_traits(cpu));
      compare(std::vector{one.want}, run_plan(plan, {{bytes_of(one.values)}}), std::string(one.op));
    }
  }
}

}  // namespace
}  // namespace nxv
