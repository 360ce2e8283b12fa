#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "runtime/ops/catalog.h"
#include "runtime/ops/op.h"
#include "test/cpp/device/order_values.h"

namespace nxv {
namespace {

// A tensor seen as [outer][n][inner].
struct Shape {
  int64_t outer, n, inner;
};

struct Choice {
  bool smallest = false, last = false;
};

template <typename T>
int64_t chosen(const std::vector<T>& values, const Shape& shape, int64_t first, const Choice& choice) {
  int64_t best = 0;
  const auto at = [&](int64_t i) { return values[static_cast<size_t>(first + i * shape.inner)]; };
  for (int64_t i = 1; i < shape.n; ++i) {
    const T a = at(best), b = at(i);
    if (not_a_number(a)) return best;
    const bool equal = !lies_before(a, b) && !lies_before(b, a);
    const bool improves = not_a_number(b) || (choice.smallest ? lies_before(b, a) : lies_before(a, b));
    if (improves || (equal && choice.last)) best = i;
  }
  return best;
}

template <typename T>
void check(Type type, const Shape& shape, const Choice& choice, const Traits& traits, std::set<std::string>* keys,
           size_t shift = 0) {
  const auto count = static_cast<size_t>(shape.outer * shape.n * shape.inner);
  const auto seed = static_cast<uint32_t>(count + shift);
  const std::vector<T> values = ordered_values<T>(count, seed, seed % 3 == 0);
  const Input input{{type, {shape.outer, shape.n, shape.inner}}, {}, shift == 0 ? 256 : shift};
  const Attrs attrs{{"axis", int64_t{1}}, {"tie_break", std::string(choice.last ? "high" : "low")}};
  const OpPlan plan = plan_op(choice.smallest ? "argmin" : "argmax", attrs, {}, std::array{input}, traits);
  if (keys) collect_keys(plan, *keys);
  const std::vector<int32_t> got = numbers_of<int32_t>(run_plan(plan, {{bytes_of(values), shift}}));
  for (int64_t o = 0; o < shape.outer; ++o) {
    for (int64_t i = 0; i < shape.inner; ++i) {
      const int64_t want = chosen(values, shape, o * shape.n * shape.inner + i, choice);
      ASSERT_EQ(want, got[static_cast<size_t>(o * shape.inner + i)])
          << type_info(type).name << " of " << shape.outer << " x " << shape.n << " x " << shape.inner << ", result "
          << o << " " << i << (choice.smallest ? " smallest" : "") << (choice.last ? " last" : "") << " cpu "
          << traits.cpu;
    }
  }
}

constexpr Choice kChoices[] = {{}, {.last = true}, {.smallest = true}, {.smallest = true, .last = true}};

TEST(Arg, EveryTypeAndKernel) {
  std::set<std::string> keys;
  const uint32_t caps = device_info(*test_device()).traits.caps;
  for (Type type : kAllTypes) {
    const TypeInfo& info = type_info(type);
    if (info.bits < 8 || info.kind == Kind::complex || (info.caps & ~caps) != 0) continue;
    visit_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (sizeof(T) <= 8 && !std::is_same_v<T, std::complex<float>>) {
        for (bool cpu : {false, true}) {
          // Each choice is a pipeline of its own, so a type takes two of the four.
          check<T>(type, {3, 129, 1}, kChoices[info.bits / 8 % 4], test_traits(cpu), &keys);
          check<T>(type, {2, 40, 7}, kChoices[3 - info.bits / 8 % 4], test_traits(cpu), &keys);
          check<T>(type, {2, 4096, 1}, {}, test_traits(cpu), &keys);
          check<T>(type, {1, 4100, 1}, {.smallest = true}, test_traits(cpu), &keys, sizeof(T));
        }
      }
    });
    if (HasFatalFailure()) return;
  }
  for (const std::string& key : runnable_keys("arg")) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Arg, ShapesOfAllSorts) {
  for (bool cpu : {false, true}) {
    for (const Shape& shape : {Shape{1, 1, 1},
                               {700, 2, 1},
                               {33, 64, 1},
                               {5, 1000, 1},
                               {1, 70001, 1},
                               {1, 200000, 1},
                               {2, 70001, 3},
                               {1, 9, 5000},
                               {40, 3, 40},
                               {1, 300, 64},
                               {3, 5000, 20}}) {
      for (const Choice& choice : {Choice{}, Choice{.smallest = true, .last = true}}) {
        check<float>(Type::f32, shape, choice, test_traits(cpu), nullptr);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Arg, NarrowLimitsGiveTheSameIndices) {
  for (bool cpu : {false, true}) {
    for (const Shape& shape :
         {Shape{1, 20000, 1}, {70, 100, 1}, {3, 9001, 1}, {4, 60, 9}, {2, 3, 2100}, {2, 40, 300}, {3, 100, 12}}) {
      for (const Choice& choice : {Choice{}, Choice{.smallest = true, .last = true}}) {
        check<float>(Type::f32, shape, choice, test_traits(cpu, true), nullptr);
        check<int8_t>(Type::s8, shape, choice, test_traits(cpu, true), nullptr);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(Arg, TheFirstNanWinsAndZerosAreEqual) {
  const struct {
    const char *op, *tie_break;
    std::vector<float> values;
    int32_t want;
  } cases[] = {
      {"argmax", "low", {3, NAN, 1, NAN, 5}, 1},       {"argmax", "high", {3, NAN, 1, NAN, 5}, 1},
      {"argmin", "low", {3, -NAN, 1, NAN}, 1},         {"argmin", "high", {3, -NAN, 1, NAN}, 1},
      {"argmax", "low", {-0.0f, 0.0f, -1}, 0},         {"argmax", "high", {0.0f, -0.0f, -1}, 1},
      {"argmin", "low", {1, 0.0f, -0.0f}, 1},          {"argmin", "high", {-0.0f, 0.0f, 1}, 1},
      {"argmax", "low", {-INFINITY, -INFINITY}, 0},    {"argmax", "high", {-INFINITY, -INFINITY}, 1},
      {"argmin", "low", {INFINITY, INFINITY}, 0},      {"argmax", "low", {0, 1e-45f, 3e-45f}, 2},
      {"argmin", "high", {-1e-45f, -3e-45f, 0.0f}, 1},
  };
  for (bool cpu : {false, true}) {
    for (const auto& one : cases) {
      const Input input{{Type::f32, {static_cast<int64_t>(one.values.size())}}, {}};
      const OpPlan plan =
          plan_op(one.op, {{"tie_break", std::string(one.tie_break)}}, {}, std::array{input}, test_traits(cpu));
      EXPECT_EQ(numbers_of<int32_t>(run_plan(plan, {{bytes_of(one.values)}})), std::vector{one.want})
          << one.op << " " << one.tie_break;
    }
  }
}

TEST(Arg, GivesTheTypeThatIsAskedFor) {
  const std::vector<uint16_t> values{3, 9, 9, 1};
  const Input input{{Type::u16, {4}}, {}};
  for (Type type : {Type::u8, Type::s64, Type::f32}) {
    if ((type_info(type).caps & ~device_info(*test_device()).traits.caps) != 0) continue;
    const OpPlan plan = plan_op("argmax", {{"tie_break", std::string("high")}}, std::array{TensorSpec{type, {1}}},
                                std::array{input}, test_traits(true));
    visit_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_arithmetic_v<T>) {
        EXPECT_EQ(numbers_of<T>(run_plan(plan, {{bytes_of(values)}})), std::vector<T>{2});
      }
    });
  }
}

}  // namespace
}  // namespace nxv
