#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "runtime/ops/catalog.h"
#include "runtime/ops/op.h"
#include "test/cpp/device/order_values.h"
#include "test/cpp/ops/scan_oracle.h"

namespace nxv {
namespace {

// A tensor seen as [outer][n][inner].
struct Shape {
  int64_t outer, n, inner;
};

// Factors near 1, so that products stay finite; for maxima many equal ones.
template <typename T>
std::vector<T> operand(std::string_view op, Type type, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values = numbers_of<T>(varied_bytes(type, count, seed));
  if constexpr (!oracle::kIsComplex<T>) {
    if (op == "cumulative_max" || op == "cumulative_min") return ordered_values<T>(count, seed, seed % 3 == 0);
  }
  for (T& value : values) {
    if (op != "cumulative_product") break;
    if constexpr (oracle::kIsComplex<T>) {
      using Part = typename T::value_type;
      const double angle = std::uniform_real_distribution<double>(-3.2, 3.2)(random);
      value = T(static_cast<Part>(std::cos(angle)), static_cast<Part>(std::sin(angle)));
    } else if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(value | 1);
    } else {
      value = static_cast<T>(std::uniform_real_distribution<double>(0.97, 1.03)(random));
    }
  }
  return values;
}

template <typename T>
std::vector<T> expected(std::string_view op, const std::vector<T>& values, const Shape& shape, bool reverse) {
  std::vector<T> results(values.size());
  const auto at = [&](int64_t o, int64_t k, int64_t i) {
    return static_cast<size_t>((o * shape.n + (reverse ? shape.n - 1 - k : k)) * shape.inner + i);
  };
  for (int64_t o = 0; o < shape.outer; ++o) {
    for (int64_t i = 0; i < shape.inner; ++i) {
      std::vector<Promoted<T>> run;
      for (int64_t k = 0; k < shape.n; ++k) run.push_back(promoted(values[at(o, k, i)]));
      run = oracle::scan(op, run);
      for (int64_t k = 0; k < shape.n; ++k) results[at(o, k, i)] = static_cast<T>(run[static_cast<size_t>(k)]);
    }
  }
  return results;
}

struct Running {
  std::string_view op;
  Type type;
  std::set<std::string>& keys;
};

template <typename T>
void check(const Running& run, const Shape& shape, bool reverse, const Traits& traits, size_t shift = 0) {
  const auto count = static_cast<size_t>(shape.outer * shape.n * shape.inner);
  const std::vector<T> values = operand<T>(run.op, run.type, count, static_cast<uint32_t>(count + shift));
  const Input input{{run.type, {shape.outer, shape.n, shape.inner}}, {}, shift == 0 ? 256 : shift};
  const Attrs attrs{{"axis", int64_t{1}}, {"reverse", int64_t{reverse}}};
  const OpPlan plan = plan_op(run.op, attrs, {}, std::array{input}, traits);
  collect_keys(plan, run.keys);
  const std::vector<T> got = numbers_of<T>(run_plan(plan, {{bytes_of(values), shift}}));
  const std::vector<T> want = expected(run.op, values, shape, reverse);
  ASSERT_EQ(want.size(), got.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_TRUE(same(want[i], got[i])) << plan.plan.steps[0].kernel.key << " of " << shape.outer << " x " << shape.n
                                       << " x " << shape.inner << (reverse ? " reversed" : "") << ": result " << i
                                       << " is " << +promoted(want[i]) << ", not " << +promoted(got[i]);
  }
}

TEST(Scan, EveryKernelGivesTheOraclesBits) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("scan");
  for (const OpInfo& op : catalog_ops()) {
    if (op.family != "scan") continue;
    for (Type type : kAllTypes) {
      const std::string prefix = "scan." + std::string(op.name) + "." + std::string(type_info(type).name);
      if (!runnable.contains(prefix + ".row")) continue;
      visit_type(type, [&](auto zero) {
        using T = decltype(zero);
        const Running run{op.name, type, keys};
        Traits gpu = test_traits(false);
        gpu.max_shared_bytes = std::max(gpu.max_shared_bytes, 32768u);
        check<T>(run, {2, 4099, 1}, false, gpu);
        check<T>(run, {2, 4099, 1}, true, test_traits(true), sizeof(T));
        check<T>(run, {2, 65, 5}, false, test_traits(true));
      });
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Scan, EdgesOfTheRule) {
  std::set<std::string> keys;
  const Running run{"cumulative_sum", Type::f32, keys};
  for (bool cpu : {false, true}) {
    const Traits traits = test_traits(cpu);
    for (int64_t n : {1, 2, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000, 2047, 2048, 2049, 3 * 2048 + 5}) {
      check<float>(run, {3, n, 1}, n % 2 == 0, traits);
      check<float>(run, {1, n, 7}, n % 2 != 0, traits);
      if (HasFatalFailure()) return;
    }
    check<float>(run, {1, 2048 * 65 + 3, 1}, false, traits);
    check<float>(run, {1, 2048 * 65 + 3, 1}, true, traits);
    check<float>(run, {700, 12, 1}, false, traits);
    check<float>(run, {2, 40, 2100}, true, traits);
    check<float>(run, {1, 2100, 30}, true, traits);
  }
}

TEST(Scan, ManyTilesOfTiles) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    check<uint32_t>({"cumulative_sum", Type::u32, keys}, {1, 2048 * 2050 + 7, 1}, true, test_traits(cpu));
  }
}

TEST(Scan, NarrowLimitsGiveTheSameBits) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const Shape& shape : {Shape{1, 3 * 2048 + 5, 1},
                               {70, 100, 1},
                               {3, 5000, 1},
                               {4, 60, 9},
                               {2, 3, 4550},
                               {2, 40, 300},
                               {2, 2500, 3}}) {
      for (bool reverse : {false, true}) {
        check<float>({"cumulative_sum", Type::f32, keys}, shape, reverse, test_traits(cpu, true));
        check<Bfloat16>({"cumulative_sum", Type::bf16, keys}, shape, reverse, test_traits(cpu, true));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Scan, SpecialValues) {
  const float inf = INFINITY, nan = NAN;
  const struct {
    std::string_view op;
    std::vector<float> values, want;
  } cases[] = {
      {"cumulative_max", {1, 3, nan, 5}, {1, 3, nan, nan}},
      {"cumulative_min", {inf, -1, nan, -inf}, {inf, -1, nan, nan}},
      {"cumulative_max", {-inf, -0.0f, 0.0f, -0.0f}, {-inf, -0.0f, 0.0f, 0.0f}},
      {"cumulative_min", {0.0f, -0.0f, 0.0f}, {0.0f, -0.0f, -0.0f}},
      {"cumulative_sum", {-0.0f, -0.0f, 0.0f}, {-0.0f, -0.0f, 0.0f}},
      {"cumulative_sum", {1, inf, 1, -inf, 2}, {1, inf, inf, nan, nan}},
      {"cumulative_product", {-0.0f, 3, inf}, {-0.0f, -0.0f, nan}},
      {"cumulative_max", {-1e-45f, -3e-45f, 1e-45f}, {-1e-45f, -1e-45f, 1e-45f}},
  };
  for (bool cpu : {false, true}) {
    for (const auto& one : cases) {
      const Input input{{Type::f32, {static_cast<int64_t>(one.values.size())}}, {}};
      const OpPlan plan = plan_op(one.op, {}, {}, std::array{input}, test_traits(cpu));
      const std::vector<float> got = numbers_of<float>(run_plan(plan, {{bytes_of(one.values)}}));
      for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_TRUE(same(one.want[i], got[i])) << one.op << " " << i << ": " << got[i];
      }
    }
  }
}

}  // namespace
}  // namespace nxv
