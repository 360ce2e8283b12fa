#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "runtime/core/error.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/ops/conv_oracle.h"
#include "test/cpp/ops/oracle_functions.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

using Case = oracle::Conv;
using oracle::convolved, oracle::permuted;

Dims counted(size_t rank) {
  Dims axes(rank);
  std::iota(axes.begin(), axes.end(), int64_t{0});
  return axes;
}

// Without padding, dilations and permutations.
Case plain(const Dims& input, const Dims& kernel) {
  const size_t spatial = input.size() - 2;
  const Dims ones(spatial, 1), axes = counted(input.size());
  return {input, kernel, ones, Dims(2 * spatial, 0), ones, ones, 1, 1, axes, axes, axes};
}

// Small whole numbers, few of them not zero where a type holds few, so that any order of adding gives the same.
template <typename T>
std::vector<Promoted<T>> operand(int64_t count, int64_t terms, uint32_t seed) {
  std::mt19937 random(seed);
  const uint32_t rare = kIsNarrow<T> ? static_cast<uint32_t>(std::sqrt(static_cast<double>(terms) / 8)) + 1 : 1;
  const auto number = [&] { return random() % rare == 0 ? static_cast<int>(random() % 3) - 1 : 0; };
  std::vector<Promoted<T>> values(static_cast<size_t>(count));
  for (Promoted<T>& value : values) {
    if constexpr (oracle::kIsComplex<T>) {
      using Part = typename T::value_type;
      const auto real = static_cast<Part>(number()), imaginary = static_cast<Part>(number());
      value = T(real, imaginary);
    } else {
      value = static_cast<Promoted<T>>(number());
    }
  }
  return values;
}

template <typename T>
Bytes bytes_of(const std::vector<Promoted<T>>& values) {
  std::vector<T> stored;
  for (Promoted<T> value : values) stored.push_back(static_cast<T>(value));
  Bytes bytes(stored.size() * sizeof(T));
  std::memcpy(bytes.data(), stored.data(), bytes.size());
  return bytes;
}

template <typename T>
void check(const Case& one, Type type, const Traits& traits, size_t shift, std::set<std::string>& keys) {
  const int64_t terms = element_count(one.kernel) / permuted(one.kernel, one.kernel_permutation)[0];
  const auto a = operand<T>(element_count(one.input), terms, 1), b = operand<T>(element_count(one.kernel), terms, 2);
  const uint64_t alignment = shift == 0 ? 256 : shift;
  const std::array inputs{Input{{type, one.input}, {}, alignment}, Input{{type, one.kernel}, {}, alignment}};
  const OpPlan plan = plan_op("conv", one.attrs(), {}, inputs, traits);
  ASSERT_EQ(plan.outputs[0], (TensorSpec{type, oracle::conv_dims(one)}));
  collect_keys(plan, keys);
  const Bytes got = run_plan(plan, {{bytes_of<T>(a), shift}, {bytes_of<T>(b), shift}});
  const Bytes want = bytes_of<T>(convolved(one, a, b));
  ASSERT_EQ(want.size(), got.size());
  // As numbers: 0 and −0 are the same here.
  for (size_t i = 0; i < want.size() / sizeof(T); ++i) {
    T w, g;
    std::memcpy(&w, want.data() + i * sizeof(T), sizeof w);
    std::memcpy(&g, got.data() + i * sizeof(T), sizeof g);
    ASSERT_EQ(promoted(w), promoted(g)) << plan.plan.steps.back().kernel.key << " of " << to_string(inputs[0].spec)
                                        << " and " << to_string(inputs[1].spec) << ", result " << i;
  }
}

std::vector<Case> usual() {
  std::vector<Case> cases{plain({2, 3, 9, 10}, {5, 3, 3, 2}), plain({2, 20, 8, 8}, {35, 20, 3, 3}),
                          plain({3, 16, 70}, {40, 16, 1}), plain({2, 1, 5, 6, 4}, {17, 1, 2, 3, 2}),
                          plain({4, 30}, {18, 30})};
  Case strided = plain({2, 13, 11, 12}, {20, 13, 3, 3});
  strided.strides = {2, 3}, strided.padding = {1, 1, -1, 2}, strided.kernel_dilation = {2, 1};
  cases.push_back(strided);
  Case dilated = plain({1, 14, 5, 6}, {33, 14, 3, 2});
  dilated.input_dilation = {2, 3}, dilated.padding = {2, 2, 1, 0};
  cases.push_back(dilated);
  Case depthwise = plain({2, 6, 9, 9}, {12, 1, 3, 3});
  depthwise.features = 6;
  cases.push_back(depthwise);
  Case batched = plain({6, 13, 9}, {39, 13, 2});
  batched.batches = 3;
  cases.push_back(batched);
  Case channels_last = plain({2, 8, 9, 16}, {3, 3, 16, 20});
  channels_last.input_permutation = {0, 3, 1, 2}, channels_last.kernel_permutation = {3, 2, 0, 1};
  channels_last.output_permutation = {0, 3, 1, 2};
  cases.push_back(channels_last);
  return cases;
}

Case random_case(std::mt19937& random) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const int64_t spatial = below(4), features = below(3) == 0 ? 1 + below(3) : 1;
  const int64_t batches = features == 1 && below(3) == 0 ? 1 + below(3) : 1;
  const int64_t channels = 1 + below(20);
  Dims input{batches * (1 + below(3)), channels * features}, kernel{features * batches * (1 + below(20)), channels};
  Case one;
  for (int64_t d = 0; d < spatial; ++d) {
    const int64_t extent = 1 + below(9), dilation = 1 + below(2), low = below(4) - 1, high = below(4);
    const int64_t kernel_dilation = 1 + below(2);
    const int64_t padded = (extent - 1) * dilation + 1 + low + high;
    const int64_t most = padded < 1 ? 1 : (padded - 1) / kernel_dilation + 1;
    input.push_back(extent);
    kernel.push_back(1 + below(std::min<int64_t>(most, 4)));
    one.strides.push_back(1 + below(3));
    one.padding.insert(one.padding.end(), {padded < 1 ? 0 : low, high});
    one.input_dilation.push_back(dilation);
    one.kernel_dilation.push_back(kernel_dilation);
  }
  one.features = features, one.batches = batches;
  const auto shuffle = [&](const Dims& dims, Dims& permutation) {
    permutation = counted(dims.size());
    std::shuffle(permutation.begin(), permutation.end(), random);
    Dims placed(dims.size());
    for (size_t i = 0; i < dims.size(); ++i) placed[static_cast<size_t>(permutation[i])] = dims[i];
    return placed;
  };
  one.input = shuffle(input, one.input_permutation);
  one.kernel = shuffle(kernel, one.kernel_permutation);
  shuffle(input, one.output_permutation);
  return one;
}

TEST(Conv, EveryKernelOfEveryType) {
  std::set<std::string> keys;
  const std::set<std::string> runnable = runnable_keys("conv");
  // So long that sums are cut.
  const Case long_sum = plain({1, 9000, 2, 2}, {16, 9000, 2, 2});
  for (Type type : kAllTypes) {
    if (!runnable.contains("conv.conv." + std::string(type_info(type).name) + ".tile")) continue;
    visit_type(type, [&](auto zero) {
      using T = decltype(zero);
      for (bool cpu : {false, true}) {
        check<T>(usual()[1], type, test_traits(cpu), 0, keys);
        check<T>(usual()[5], type, test_traits(cpu), sizeof(T), keys);
        if (kIsNarrow<T>) check<T>(long_sum, type, test_traits(cpu), 0, keys);
      }
    });
    if (HasFatalFailure()) return;
  }
  for (const std::string& key : runnable) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Conv, AnyRankGroupsAndOrderOfAxes) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const Case& one : usual()) {
      check<float>(one, Type::f32, test_traits(cpu), 0, keys);
      if (HasFatalFailure()) return;
    }
  }
  std::mt19937 random(30);
  for (int i = 0; i < 80; ++i) {
    check<float>(random_case(random), Type::f32, test_traits(i % 2 == 0), 0, keys);
    if (HasFatalFailure()) return;
  }
}

TEST(Conv, NarrowLimitsGiveTheSame) {
  std::set<std::string> keys;
  int refused = 0;
  for (bool cpu : {false, true}) {
    for (const Case& one : usual()) {
      Traits traits = test_traits(cpu, true);
      traits.index32_limit = std::max<uint64_t>(traits.index32_limit, static_cast<uint64_t>(element_count(one.kernel)));
      try {
        check<float>(one, Type::f32, traits, 0, keys);
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), Code::unsupported) << error.what();
        ++refused;
      }
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_LE(refused, 4);
}

TEST(Conv, LongSumsAreTakenInFull) {
  std::set<std::string> keys;
  // As a CPU device, where a driver leaves long loops; and cut to fill a GPU.
  for (int64_t filters : {1, 5, 17}) {
    check<float>(plain({1, 70000, 3}, {filters, 70000, 2}), Type::f32, test_traits(true), 0, keys);
    check<float>(plain({1, 1, 300, 301}, {filters, 1, 299, 300}), Type::f32, test_traits(true), 0, keys);
    check<float>(plain({1, 2, 40, 40, 41}, {filters, 2, 39, 39, 40}), Type::f32, test_traits(true), 0, keys);
    if (HasFatalFailure()) return;
  }
  check<float>(plain({1, 3000, 2, 2}, {13, 3000, 2, 2}), Type::f32, test_traits(false), 0, keys);
}

TEST(Conv, ErrorsStayWithinTheSumOfMagnitudes) {
  std::mt19937 random(31);
  std::normal_distribution<float> normal(0, 1);
  const Case one = plain({1, 40, 12, 12}, {24, 40, 3, 3});
  std::vector<float> a(40 * 144), b(24 * 40 * 9);
  for (float& x : a) x = normal(random);
  for (float& x : b) x = normal(random);
  const std::vector<double> want =
      convolved(one, std::vector<double>(a.begin(), a.end()), std::vector<double>(b.begin(), b.end()));
  std::vector<double> magnitudes_a(a.begin(), a.end()), magnitudes_b(b.begin(), b.end());
  for (double& x : magnitudes_a) x = std::fabs(x);
  for (double& x : magnitudes_b) x = std::fabs(x);
  const std::vector<double> magnitudes = convolved(one, magnitudes_a, magnitudes_b);
  for (bool cpu : {false, true}) {
    const std::array inputs{Input{{Type::f32, one.input}, {}}, Input{{Type::f32, one.kernel}, {}}};
    const OpPlan plan = plan_op("conv", one.attrs(), {}, inputs, test_traits(cpu));
    const Bytes bytes = run_plan(plan, {{bytes_of<float>(a)}, {bytes_of<float>(b)}});
    ASSERT_EQ(bytes, run_plan(plan, {{bytes_of<float>(a)}, {bytes_of<float>(b)}}));
    for (size_t i = 0; i < want.size(); ++i) {
      float got;
      std::memcpy(&got, bytes.data() + 4 * i, 4);
      ASSERT_LE(std::fabs(got - want[i]), 363 * 1.2e-7 * magnitudes[i]) << i;
    }
  }
}

}  // namespace
}  // namespace nxv
