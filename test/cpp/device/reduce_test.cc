#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "runtime/ops/catalog.h"
#include "runtime/ops/reduce_steps.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/reduce_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

// A tensor seen as [outer][n][inner], reduced over n.
struct Shape {
  int64_t outer, n, inner;
};

// Values near 1 where products are taken, so that they stay finite; zeros and NaN now and then where truth is asked.
template <typename T>
std::vector<T> operand(std::string_view op, Type type, size_t count, uint32_t seed) {
  std::vector<T> values = numbers_of<T>(varied_bytes(type, count, seed));
  std::mt19937 random(seed);
  for (T& value : values) {
    if constexpr (oracle::kIsComplex<T>) {
      using Part = typename T::value_type;
      const double angle = std::uniform_real_distribution<double>(-3.2, 3.2)(random);
      if (op == "product") value = T(static_cast<Part>(std::cos(angle)), static_cast<Part>(std::sin(angle)));
    } else if (std::is_floating_point_v<Promoted<T>> && op == "product") {
      value = static_cast<T>(std::uniform_real_distribution<double>(0.97, 1.03)(random));
    }
    if constexpr (std::is_integral_v<T>) {
      if (op == "product") value = static_cast<T>(value | 1);
    }
    const T zero(static_cast<Promoted<T>>(std::is_integral_v<T> ? 0.0 : -0.0));
    if (op == "all") value = random() % (count + 1) < 2 ? zero : oracle::is_true(promoted(value)) ? value : T(1);
    if (op == "any" && random() % (count + 1) >= 2) value = zero;
  }
  return values;
}

template <typename In, typename Out>
std::vector<Out> expected(std::string_view op, const std::vector<In>& values, const Shape& shape) {
  std::vector<Out> results;
  std::vector<Promoted<In>> run(static_cast<size_t>(shape.n));
  for (int64_t o = 0; o < shape.outer; ++o) {
    for (int64_t i = 0; i < shape.inner; ++i) {
      for (int64_t k = 0; k < shape.n; ++k) {
        run[static_cast<size_t>(k)] = promoted(values[static_cast<size_t>((o * shape.n + k) * shape.inner + i)]);
      }
      results.emplace_back(oracle::reduce<Promoted<In>, Promoted<Out>>(op, std::span<const Promoted<In>>(run)));
    }
  }
  return results;
}

struct Reduction {
  std::string_view op;
  Type in, out;
  std::set<std::string>& keys;
};

template <typename In, typename Out>
void check(const Reduction& run, const Shape& shape, const Traits& traits, size_t shift = 0) {
  const auto count = static_cast<size_t>(shape.outer * shape.n * shape.inner);
  const std::vector<In> values = operand<In>(run.op, run.in, count, static_cast<uint32_t>(count + shift));
  Bytes bytes(count * sizeof(In));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  const Input input{{run.in, {shape.outer, shape.n, shape.inner}}, {}, shift == 0 ? 256 : shift};
  const TensorSpec out{run.out, {shape.outer, shape.inner}};
  const OpPlan plan = plan_op(run.op, {{"axes", std::vector<int64_t>{1}}}, std::array{out}, std::array{input}, traits);
  collect_keys(plan, run.keys);
  const std::string what = plan.plan.steps[0].kernel.key + " of " + std::to_string(shape.outer) + " x " +
                           std::to_string(shape.n) + " x " + std::to_string(shape.inner);
  compare(expected<In, Out>(run.op, values, shape), run_plan(plan, {{bytes, shift}}), what);
}

// Each shape may ask for a pipeline of its own, so the kernels of the other sort of device take few.
template <typename In, typename Out>
void sweep(const Reduction& run) {
  const bool is_cpu = device_info(*test_device()).cpu;
  for (int64_t n : {31, 64, 1009, 4099}) check<In, Out>(run, {3, n, 1}, test_traits(is_cpu));
  for (int64_t n : {1, 65, 4099}) check<In, Out>(run, {2, n, 5}, test_traits(is_cpu));
  check<In, Out>(run, {2, 8192 + 4, 1}, test_traits(is_cpu), sizeof(In));
  check<In, Out>(run, {2, 300, 68}, test_traits(is_cpu));
  check<In, Out>(run, {3, 4099, 1}, test_traits(!is_cpu));
  check<In, Out>(run, {2, 300, 68}, test_traits(!is_cpu));
}

TEST(Reduce, EveryKernelGivesTheOraclesBits) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("reduce");
  for (const OpInfo& op : catalog_ops()) {
    if (op.family != "reduce") continue;
    for (Type in : kAllTypes) {
      for (Type out : kAllTypes) {
        const std::string prefix = "reduce." + std::string(op.name) + "." + reduce_types(in, out);
        if (!runnable.contains(prefix + ".row")) continue;
        visit_type(in, [&](auto a) {
          visit_type(out, [&](auto z) { sweep<decltype(a), decltype(z)>({op.name, in, out, keys}); });
        });
      }
    }
    if (HasFatalFailure()) return;
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Reduce, EdgesOfTheTree) {
  std::set<std::string> keys;
  const Reduction run{"sum", Type::f32, Type::f32, keys};
  for (bool cpu : {false, true}) {
    const Traits traits = test_traits(cpu);
    for (int64_t n :
         {2, 3, 4, 5, 8, 15, 16, 17, 33, 63, 127, 128, 129, 132, 255, 256, 257, 512, 8191, 8192, 8193, 3 * 8192 + 5}) {
      check<float, float>(run, {3, n, 1}, traits);
      check<float, float>(run, {1, n, 12}, traits);
      check<float, float>(run, {1, n, 7}, traits);
      if (HasFatalFailure()) return;
    }
    check<float, float>(run, {1, 8192 * 130, 1}, traits);
    check<float, float>(run, {1, 8192 * 130 + 4, 1}, traits);
    check<float, float>(run, {700, 12, 1}, traits);
    check<float, float>(run, {700, 9, 3}, traits);
    check<float, float>(run, {1, 40, 2100}, traits);
  }
}

TEST(Reduce, NarrowLimitsGiveTheSameBits) {
  std::set<std::string> keys;
  const Reduction run{"sum", Type::f32, Type::f32, keys};
  for (bool cpu : {false, true}) {
    for (const Shape& shape : {Shape{1, 3 * 8192 + 5, 1},
                               {70, 100, 1},
                               {3, 9000, 1},
                               {4, 60, 9},
                               {2, 3, 4550},
                               {2, 40, 300},
                               {3, 100, 12}}) {
      check<float, float>(run, shape, test_traits(cpu, true));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Reduce, AnyAxesInRowMajorOrder) {
  const Dims dims{6, 7, 5, 8};
  const std::vector<float> values = numbers_of<float>(varied_bytes(Type::f32, 6 * 7 * 5 * 8, 3));
  Bytes bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  for (uint32_t mask = 0; mask < 16; ++mask) {
    Dims axes, out_dims;
    for (int64_t d = 0; d < 4; ++d) {
      if ((mask >> d) & 1) {
        axes.push_back(d);
      } else {
        out_dims.push_back(dims[static_cast<size_t>(d)]);
      }
    }
    std::vector<std::vector<float>> runs(static_cast<size_t>(element_count(out_dims)));
    for (size_t i = 0; i < values.size(); ++i) {
      const size_t index[] = {i / 280, i / 40 % 7, i / 8 % 5, i % 8};
      size_t at = 0;
      for (size_t d = 0; d < 4; ++d) {
        if (!((mask >> d) & 1)) at = at * static_cast<size_t>(dims[d]) + index[d];
      }
      runs[at].push_back(values[i]);
    }
    std::vector<float> want;
    for (const std::vector<float>& run : runs)
      want.push_back(oracle::reduce<float, float>("sum", std::span<const float>(run)));
    for (bool cpu : {false, true}) {
      const OpPlan plan =
          plan_op("sum", {{"axes", axes}}, {}, std::array{Input{{Type::f32, dims}, {}}}, test_traits(cpu));
      EXPECT_EQ(plan.outputs[0].dims, out_dims);
      compare(want, run_plan(plan, {{bytes}}), "axes of mask " + std::to_string(mask));
    }
  }
}

TEST(Reduce, SpecialValues) {
  const float inf = INFINITY, nan = NAN, tiny = 1e-45f;
  const struct {
    std::string_view op;
    std::vector<float> values;
    float want;
  } cases[] = {
      {"reduce_max", {1, nan, inf}, nan},
      {"reduce_min", {-inf, -nan, 3}, nan},
      {"reduce_max", {-0.0f, 0.0f, -1}, 0.0f},
      {"reduce_min", {0.0f, -0.0f, 1}, -0.0f},
      {"reduce_max", {-inf, -inf}, -inf},
      {"reduce_min", {inf, inf}, inf},
      {"reduce_max", {-tiny, -2 * tiny}, -tiny},
      {"reduce_min", {tiny, 0.0f}, 0.0f},
      {"reduce_max", {tiny, 0.0f}, tiny},
      {"sum", {-0.0f, -0.0f}, -0.0f},
      {"sum", {inf, -inf}, nan},
      {"product", {-0.0f, 3}, -0.0f},
  };
  for (bool cpu : {false, true}) {
    for (const auto& one : cases) {
      Bytes bytes(one.values.size() * 4);
      std::memcpy(bytes.data(), one.values.data(), bytes.size());
      const Input input{{Type::f32, {static_cast<int64_t>(one.values.size())}}, {}};
      const OpPlan plan = plan_op(one.op, {}, {}, std::array{input}, test_traits(cpu));
      compare(std::vector{one.want}, run_plan(plan, {{bytes}}), std::string(one.op));
    }
  }
}

TEST(Reduce, ManyOnesAreCountedExactly) {
  const size_t count = (1 << 24) + 4;
  const OpPlan ones = plan_op("constant", {}, std::array{TensorSpec{Type::f32, {static_cast<int64_t>(count)}}},
                              std::array{Input{{Type::f32, {}}, Scalar{1.0}}}, device_info(*test_device()).traits);
  const std::vector<BufferView> filled = execute(*test_device(), ones.plan, {}, 0, Waiting::allow);
  const Input input{{Type::f32, {static_cast<int64_t>(count)}}, {}};
  const OpPlan plan = plan_op("sum", {}, {}, std::array{input}, device_info(*test_device()).traits);
  const std::vector<BufferView> sum = execute(*test_device(), plan.plan, filled, 0, Waiting::allow);
  float result = 0;
  read(*test_device(), sum[0], std::as_writable_bytes(std::span(&result, 1)), std::chrono::seconds(120));
  EXPECT_EQ(result, 16777220.0f);
}

}  // namespace
}  // namespace nxv
