#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include "runtime/ops/catalog.h"
#include "runtime/ops/op.h"
#include "test/cpp/device/order_values.h"

namespace nxv {
namespace {

// A tensor seen as [outer][n][inner].
struct Shape {
  int64_t outer, n, inner;
};

template <typename T>
struct Expected {
  std::vector<T> values;
  std::vector<int32_t> indices;
};

template <typename T>
Expected<T> expected(const std::vector<T>& values, const Shape& shape, bool descending) {
  Expected<T> want{std::vector<T>(values.size()), std::vector<int32_t>(values.size())};
  std::vector<int32_t> order(static_cast<size_t>(shape.n));
  for (int64_t o = 0; o < shape.outer; ++o) {
    for (int64_t i = 0; i < shape.inner; ++i) {
      const auto at = [&](int64_t k) { return static_cast<size_t>((o * shape.n + k) * shape.inner + i); };
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
        return descending ? lies_before(values[at(b)], values[at(a)]) : lies_before(values[at(a)], values[at(b)]);
      });
      for (int64_t k = 0; k < shape.n; ++k) {
        want.values[at(k)] = values[at(order[static_cast<size_t>(k)])];
        want.indices[at(k)] = order[static_cast<size_t>(k)];
      }
    }
  }
  return want;
}

std::string described(const OpPlan& plan, const Shape& shape, bool descending) {
  std::string text;
  for (const Step& step : plan.plan.steps) text += step.kernel.key + " ";
  return text + "of " + std::to_string(shape.outer) + " x " + std::to_string(shape.n) + " x " +
         std::to_string(shape.inner) + (descending ? " descending" : "");
}

template <typename T>
void check(Type type, const Shape& shape, bool descending, const Traits& traits, std::set<std::string>* keys,
           size_t shift = 0) {
  const auto count = static_cast<size_t>(shape.outer * shape.n * shape.inner);
  const std::vector<T> values = ordered_values<T>(count, static_cast<uint32_t>(count + shift), true);
  const Expected<T> want = expected(values, shape, descending);
  const Input input{{type, {shape.outer, shape.n, shape.inner}}, {}, shift == 0 ? 256 : shift};
  const Attrs attrs{{"axis", int64_t{1}}, {"direction", std::string(descending ? "desc" : "asc")}};
  for (const char* op : {"sort", "argsort"}) {
    const OpPlan plan = plan_op(op, attrs, {}, std::array{input}, traits);
    if (keys) collect_keys(plan, *keys);
    const Bytes got = run_plan(plan, {{bytes_of(values), shift}});
    const Bytes wanted = op == std::string("sort") ? bytes_of(want.values) : bytes_of(want.indices);
    ASSERT_EQ(got.size(), wanted.size());
    const auto at = std::mismatch(wanted.begin(), wanted.end(), got.begin()).first - wanted.begin();
    ASSERT_EQ(static_cast<size_t>(at), wanted.size()) << op << " of " << type_info(type).name << ", byte " << at
                                                      << " differs: " << described(plan, shape, descending);
  }
}

// As of a GPU with so little shared memory that rows of more than 512 elements take several tiles.
Traits small_tiles(bool narrow = false) {
  Traits traits = test_traits(false, narrow);
  traits.max_shared_bytes = 4096;
  return traits;
}

TEST(Sort, EveryTypeAndKernel) {
  std::set<std::string> keys;
  const uint32_t caps = device_info(*test_device()).traits.caps;
  for (Type type : kAllTypes) {
    const TypeInfo& info = type_info(type);
    if (info.bits < 8 || info.kind == Kind::complex || (info.caps & ~caps) != 0) continue;
    visit_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (!std::is_same_v<T, std::complex<float>> && !std::is_same_v<T, std::complex<double>>) {
        const bool down = info.kind == Kind::sint;
        check<T>(type, {5, 50, 1}, !down, small_tiles(), &keys, sizeof(T));
        check<T>(type, {2, 5000, 1}, down, test_traits(true), &keys, sizeof(T));
        // Pipelines of tiles take a CPU device a second each, so a width has one type, that which has most rules.
        if (type != Type::f8_e4m3fn && type != Type::bf16 && type != Type::f32 && type != Type::f64) return;
        check<T>(type, {3, 300, 1}, down, small_tiles(), &keys);
        check<T>(type, {2, 1300, 1}, down, small_tiles(), &keys);
      }
    });
    if (HasFatalFailure()) return;
  }
  for (const std::string& key : runnable_keys("sort")) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Sort, LengthsOfAllSorts) {
  const std::pair<Traits, std::vector<int64_t>> all[] = {
      {test_traits(false), {1, 2, 31, 64, 4095, 4096, 4097, 9001}},
      {small_tiles(), {65, 127, 129, 511, 512, 513, 1024, 2000}},
      {test_traits(true), {1, 2, 31, 64, 127, 128, 129, 512, 4095, 4096, 4097, 9001}}};
  for (const auto& [traits, lengths] : all) {
    for (int64_t n : lengths) {
      check<float>(Type::f32, {3, n, 1}, false, traits, nullptr);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Sort, AnyAxis) {
  for (const Traits& traits : {test_traits(false), test_traits(true)}) {
    for (const Shape& shape : {Shape{2, 30, 7}, Shape{1, 200, 9}, Shape{3, 700, 2}, Shape{700, 3, 1}}) {
      check<float>(Type::f32, shape, false, traits, nullptr);
      check<int16_t>(Type::s16, shape, true, traits, nullptr);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Sort, LongRows) {
  check<float>(Type::f32, {1, 300007, 1}, false, test_traits(true), nullptr);
  check<float>(Type::f32, {1, 70001, 1}, false, test_traits(false), nullptr);
}

TEST(Sort, NarrowLimitsGiveTheSameOrder) {
  for (const Traits& traits : {test_traits(false, true), small_tiles(true), test_traits(true, true)}) {
    for (const Shape& shape :
         {Shape{1, 1000, 1}, Shape{70, 40, 1}, Shape{9, 300, 1}, Shape{4, 60, 9}, Shape{3, 600, 2}}) {
      check<float>(Type::f32, shape, true, traits, nullptr);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Sort, ZerosAreEqualAndNanIsTheLargest) {
  const float nan = NAN, inf = INFINITY;
  const std::vector<float> values{nan, 0.0f, -inf, -0.0f, inf, -nan, 1e-45f, 0.0f, -1e-45f};
  const Input input{{Type::f32, {9}}, {}};
  for (bool cpu : {false, true}) {
    for (const auto& [direction, want] :
         {std::pair{"asc", std::vector<int32_t>{2, 8, 1, 3, 7, 6, 4, 0, 5}}, {"desc", {0, 5, 4, 6, 1, 3, 7, 8, 2}}}) {
      const OpPlan plan =
          plan_op("argsort", {{"direction", std::string(direction)}}, {}, std::array{input}, test_traits(cpu));
      EXPECT_EQ(numbers_of<int32_t>(run_plan(plan, {{bytes_of(values)}})), want) << direction;
    }
  }
}

TEST(Sort, TopKGivesValuesAndPlaces) {
  const std::vector<float> values = ordered_values<float>(3 * 700, 5, true);
  const Expected<float> want = expected(values, {3, 700, 1}, true);
  const Input input{{Type::f32, {3, 700}}, {}};
  for (const Traits& traits : {small_tiles(), test_traits(false), test_traits(true)}) {
    for (int64_t k : {1, 5, 700}) {
      const OpPlan plan = plan_op("top_k", {{"k", k}}, {}, std::array{input}, traits);
      ASSERT_EQ(plan.outputs, (std::vector<TensorSpec>{{Type::f32, {3, k}}, {Type::s32, {3, k}}}));
      const BufferView from = upload(*test_device(), bytes_of(values), 0, Waiting::allow);
      const std::vector<BufferView> outs = execute(*test_device(), plan.plan, std::vector{from}, 0, Waiting::allow);
      ASSERT_EQ(outs.size(), 2u);
      Bytes got(static_cast<size_t>(3 * k) * 4), places(got.size());
      read(*test_device(), outs[0], got, std::chrono::seconds(120));
      read(*test_device(), outs[1], places, std::chrono::seconds(120));
      for (size_t row = 0; row < 3; ++row) {
        const size_t bytes = static_cast<size_t>(k) * 4;
        EXPECT_EQ(0, std::memcmp(got.data() + row * bytes, want.values.data() + row * 700, bytes)) << k;
        EXPECT_EQ(0, std::memcmp(places.data() + row * bytes, want.indices.data() + row * 700, bytes)) << k;
      }
    }
  }
}

TEST(Sort, IndicesOfTheTypeThatIsAskedFor) {
  const std::vector<uint16_t> values{3, 9, 9, 1};
  const Input input{{Type::u16, {4}}, {}};
  if ((type_info(Type::s64).caps & ~device_info(*test_device()).traits.caps) != 0) GTEST_SKIP() << "no 64-bit integers";
  const OpPlan plan = plan_op("argsort", {{"direction", std::string("desc")}}, std::array{TensorSpec{Type::s64, {4}}},
                              std::array{input}, test_traits(true));
  EXPECT_EQ(numbers_of<int64_t>(run_plan(plan, {{bytes_of(values)}})), (std::vector<int64_t>{1, 2, 0, 3}));
}

}  // namespace
}  // namespace nxv
