#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "test/cpp/device/plan_runner.h"
#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/dot_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

using oracle::pick, oracle::Products, oracle::products;
using Case = oracle::Dot;

template <typename T>
double epsilon() {
  if constexpr (oracle::kIsComplex<T>) {
    return std::numeric_limits<typename T::value_type>::epsilon();
  } else {
    return std::numeric_limits<Promoted<T>>::epsilon();
  }
}

// The distance to the next number of the type, beyond the largest one 0.
template <typename T>
double spacing(double value) {
  const T number(std::fabs(value));
  return number.bits() == T::largest().bits()
             ? 0
             : std::fabs(promoted(T::from_bits(number.bits() + 1u)) - promoted(number));
}

template <typename T>
void check(const Case& one, Type type, const Traits& traits, size_t shift, std::set<std::string>& keys) {
  const Bytes a = varied_bytes(type, static_cast<size_t>(element_count(one.a)), 1);
  const Bytes b = varied_bytes(type, static_cast<size_t>(element_count(one.b)), 2);
  const uint64_t alignment = shift == 0 ? 256 : shift;
  const std::array inputs{Input{{type, one.a}, {}, alignment}, Input{{type, one.b}, {}, alignment}};
  const Attrs attrs{{"contract_a", one.contract_a},
                    {"contract_b", one.contract_b},
                    {"batch_a", one.batch_a},
                    {"batch_b", one.batch_b}};
  const OpPlan plan = plan_op("dot", attrs, {}, inputs, traits);
  collect_keys(plan, keys);
  const Bytes bytes = run_plan(plan, {{a, shift}, {b, shift}});
  const std::vector<T> got = numbers_of<T>(bytes);
  const Products<T> want = products(one, numbers_of<T>(a), numbers_of<T>(b));
  ASSERT_EQ(got.size(), want.sums.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string what = plan.plan.steps.back().kernel.key + " of " + to_string(inputs[0].spec) + " and " +
                             to_string(inputs[1].spec) + ", result " + std::to_string(i);
    if constexpr (!std::is_integral_v<T>) {
      // n terms in any order: at most n roundings of partial sums below the sum of magnitudes.
      const double terms = static_cast<double>(element_count(pick(one.a, one.contract_a)));
      double bound = (terms + 3) * epsilon<T>() * want.magnitudes[i];
      if constexpr (oracle::kIsComplex<T>) {
        ASSERT_LE(static_cast<double>(std::abs(got[i] - want.sums[i])), bound) << what;
        continue;
      } else {
        const double sum = static_cast<double>(promoted(want.sums[i]));
        // Rounded to a narrow type the bound may lie on the other side of a value's border.
        if constexpr (kIsNarrow<T>)
          bound = std::fabs(sum - promoted(T(sum + std::copysign(bound, sum)))) + spacing<T>(sum);
        ASSERT_LE(std::fabs(static_cast<double>(promoted(got[i])) - sum), bound) << what;
      }
    } else {
      ASSERT_EQ(got[i], want.sums[i]) << what;
    }
  }
  // The same bits from run to run.
  ASSERT_EQ(bytes, run_plan(plan, {{a, shift}, {b, shift}}));
}

std::vector<Case> cases() {
  const Dims none;
  return {
      {{64}, {64}, {0}, {0}, none, none},
      {{4099}, {4099}, {0}, {0}, none, none},
      {{65, 31}, {31, 70}, {1}, {0}, none, none},
      {{64, 32}, {32, 68}, {1}, {0}, none, none},
      {{31, 65}, {31, 64}, {0}, {0}, none, none},
      {{65, 31}, {70, 31}, {1}, {1}, none, none},
      {{1, 1009}, {1009, 33}, {1}, {0}, none, none},
      {{100, 260}, {260}, {1}, {0}, none, none},
      {{101, 37}, {37}, {1}, {0}, none, none},
      {{260}, {260, 100}, {0}, {0}, none, none},
      {{37}, {37, 101}, {0}, {0}, none, none},
      {{7}, {9}, none, none, none, none},
      {{3, 5, 7}, {3, 7, 6}, {2}, {1}, {0}, {0}},
      {{3, 7, 5}, {3, 6, 7}, {1}, {2}, {0}, {0}},
      {{2, 3, 4, 5}, {2, 3, 5, 6}, {3}, {2}, {0, 1}, {0, 1}},
      {{4, 5, 6}, {6, 4, 7}, {0, 2}, {1, 0}, none, none},
      {{5, 4, 6}, {4, 6, 7}, {1, 2}, {0, 1}, none, none},
      {{3, 1, 70}, {3, 70}, {2}, {1}, {0}, {0}},
      {{2, 6}, {2, 5}, none, none, {0}, {0}},
  };
}

// So long that the contracted axis is cut, in each way of computing.
std::vector<Case> long_cases(bool cpu) {
  const Dims none;
  const int64_t k = cpu ? 33000 : 3000;
  return {
      {{2, k}, {k, 4}, {1}, {0}, none, none},
      {{k}, {k}, {0}, {0}, none, none},
      {{k}, {k, 12}, {0}, {0}, none, none},
  };
}

template <typename T>
void sweep(Type type, std::set<std::string>& keys) {
  for (bool cpu : {false, true}) {
    for (const Case& one : cases()) {
      check<T>(one, type, test_traits(cpu), 0, keys);
      if (testing::Test::HasFatalFailure()) return;
    }
    check<T>(cases()[3], type, test_traits(cpu), sizeof(T), keys);
    check<T>(cases()[7], type, test_traits(cpu), sizeof(T), keys);
    for (const Case& one : long_cases(cpu)) {
      if (kIsNarrow<T>) check<T>(one, type, test_traits(cpu), 0, keys);
    }
  }
}

TEST(Dot, EveryKernelOfEveryType) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("dot");
  for (Type type : kAllTypes) {
    if (!runnable.contains("dot.dot." + std::string(type_info(type).name) + ".block")) continue;
    visit_type(type, [&](auto zero) { sweep<decltype(zero)>(type, keys); });
    if (HasFatalFailure()) return;
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Dot, NarrowLimitsGiveTheSame) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const Case& one : cases()) {
      check<int32_t>(one, Type::s32, test_traits(cpu, true), 0, keys);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Dot, SizesAroundTheTiles) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (int64_t m : {1, 15, 16, 17, 33, 64, 65, 129}) {
      for (int64_t k : {1, 3, 16, 33}) {
        check<float>({{m, k}, {k, 130 - m}, {1}, {0}, {}, {}}, Type::f32, test_traits(cpu), 0, keys);
        if (HasFatalFailure()) return;
      }
    }
    check<float>({{1030, 20}, {20, 1050}, {1}, {0}, {}, {}}, Type::f32, test_traits(cpu), 0, keys);
    check<float>({{8, 70000}, {70000, 4}, {1}, {0}, {}, {}}, Type::f32, test_traits(cpu), 0, keys);
    // Exact, since a driver may leave long loops early.
    check<int32_t>({{2, 70000}, {70000, 64}, {1}, {0}, {}, {}}, Type::s32, test_traits(cpu), 0, keys);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace nxv
