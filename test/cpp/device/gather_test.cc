#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "test/cpp/device/plan_runner.h"
#include "test/cpp/support/indexed_oracle.h"

namespace nxv {
namespace {

constexpr Type kIndexTypes[] = {Type::u8, Type::u16, Type::u32, Type::u64, Type::s8, Type::s16, Type::s32, Type::s64};
constexpr Type kElementTypes[] = {Type::u8, Type::f16, Type::f32, Type::c64, Type::c128};

struct Reading {
  std::string op;
  Attrs attrs;
  Type type;
  Dims dims;
  IndexTensor indices;
  std::vector<int64_t> places;  // what is read, element by element
};

void check(const Reading& one, const Traits& traits, size_t shift, std::set<std::string>& keys) {
  const size_t bytes = type_bytes(one.type);
  const Bytes tensor = varied_bytes(one.type, static_cast<size_t>(element_count(one.dims)), 3);
  Bytes want(one.places.size() * bytes);
  for (size_t i = 0; i < one.places.size(); ++i) {
    std::memcpy(want.data() + i * bytes, tensor.data() + static_cast<size_t>(one.places[i]) * bytes, bytes);
  }
  const Input inputs[] = {{{one.type, one.dims}, {}, shift == 0 ? 256 : bytes},
                          {{one.indices.type, one.indices.dims}, {}, shift == 0 ? 256 : type_bytes(one.indices.type)}};
  const OpPlan plan = plan_op(one.op, one.attrs, {}, inputs, traits);
  collect_keys(plan, keys);
  const Bytes got =
      run_plan(plan, {{tensor, shift * bytes}, {one.indices.bytes, shift * type_bytes(one.indices.type)}});
  ASSERT_EQ(want, got) << one.op << " of " << to_string(inputs[0].spec) << " by " << to_string(inputs[1].spec)
                       << " with " << plan.plan.steps[0].kernel.key;
}

Reading gather(Type type, const Dims& dims, const std::vector<int64_t>& axes, Dims index_dims, Type index,
               uint32_t seed) {
  std::vector<int64_t> sizes;
  for (int64_t axis : axes) sizes.push_back(dims[static_cast<size_t>(axis)]);
  index_dims.push_back(static_cast<int64_t>(axes.size()));
  IndexTensor indices = random_indices(index, index_dims, sizes, seed);
  std::vector<int64_t> places = indexed_places(dims, axes, indices);
  return {"gather", {{"axes", axes}}, type, dims, std::move(indices), std::move(places)};
}

// Element by element: [before][indices][after].
Reading take(Type type, const Dims& dims, size_t axis, const Dims& index_dims, Type index, uint32_t seed) {
  IndexTensor indices = random_indices(index, index_dims, {dims[axis]}, seed);
  const int64_t before = element_count(Dims(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(axis)));
  const int64_t after = element_count(Dims(dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end()));
  std::vector<int64_t> places;
  for (int64_t b = 0; b < before; ++b) {
    for (int64_t u = 0; u < element_count(index_dims); ++u) {
      const int64_t row = b * dims[axis] + clamped_index(indices, u, dims[axis]);
      for (int64_t a = 0; a < after; ++a) places.push_back(row * after + a);
    }
  }
  return {"take", {{"axis", static_cast<int64_t>(axis)}}, type, dims, std::move(indices), std::move(places)};
}

Reading take_along(Type type, const Dims& dims, size_t axis, int64_t count, Type index, uint32_t seed) {
  Dims index_dims = dims;
  index_dims[axis] = count;
  IndexTensor indices = random_indices(index, index_dims, {dims[axis]}, seed);
  const int64_t after = element_count(Dims(dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, dims.end()));
  std::vector<int64_t> places;
  for (int64_t i = 0; i < element_count(index_dims); ++i) {
    const int64_t before = i / after / count;
    places.push_back((before * dims[axis] + clamped_index(indices, i, dims[axis])) * after + i % after);
  }
  return {"take_along_axis", {{"axis", static_cast<int64_t>(axis)}}, type, dims, std::move(indices), std::move(places)};
}

TEST(Gather, EveryKernelReadsEveryWidth) {
  std::set<std::string> keys;
  uint32_t seed = 0;
  for (Type type : kElementTypes) {
    for (size_t shift : {0, 1}) {
      const Traits traits = test_traits(shift == 1);
      for (const Dims& dims : {Dims{65}, Dims{31, 1}, Dims{9, 4}, Dims{64, 16}, Dims{5, 33}, Dims{130, 17}}) {
        for (int64_t count : {1, 31, 257})
          check(gather(type, dims, {0}, {count}, Type::s32, ++seed), traits, shift, keys);
      }
      check(gather(type, {7, 5, 12}, {1}, {9}, Type::s64, ++seed), traits, shift, keys);
      check(gather(type, {7, 5, 12}, {2}, {3, 3}, Type::s64, ++seed), traits, shift, keys);
      check(gather(type, {7, 5, 12}, {0, 2}, {40}, Type::u8, ++seed), traits, shift, keys);
      check(gather(type, {7, 5, 12}, {0, 1, 2}, {1001}, Type::s16, ++seed), traits, shift, keys);
      check(take(type, {7, 5, 12}, 1, {2, 3}, Type::s32, ++seed), traits, shift, keys);
      check(take(type, {7, 5, 12}, 2, {}, Type::u32, ++seed), traits, shift, keys);
      check(take_along(type, {7, 5, 12}, 1, 8, Type::s32, ++seed), traits, shift, keys);
      check(take_along(type, {7, 5, 12}, 2, 12, Type::u64, ++seed), traits, shift, keys);
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& key : runnable_keys("indexed.gather"))
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Gather, ClampsIndicesOfEveryType) {
  std::set<std::string> keys;
  uint32_t seed = 100;
  for (Type index : kIndexTypes) {
    for (size_t shift : {0, 1, 3}) {
      check(gather(Type::f32, {100, 3}, {0}, {257}, index, ++seed), test_traits(false), shift, keys);
      check(gather(Type::f32, {300, 4}, {1, 0}, {65}, index, ++seed), test_traits(false, true), shift, keys);
      check(take_along(Type::f32, {4, 130, 2}, 1, 5, index, ++seed), test_traits(false, true), shift, keys);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Gather, AnyRankAndNarrowLimits) {
  std::set<std::string> keys;
  std::mt19937 random(11);
  const auto below = [&](size_t limit) { return static_cast<int64_t>(random() % limit); };
  for (uint32_t round = 0; round < 60; ++round) {
    Dims dims;
    for (int64_t rank = 1 + below(8); rank > 0; --rank) dims.push_back(1 + below(dims.size() < 3 ? 7 : 3));
    std::vector<int64_t> axes(dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(static_cast<size_t>(1 + below(dims.size())));
    const Dims index_dims = below(2) == 0 ? Dims{1 + below(40)} : Dims{1 + below(5), 1 + below(9)};
    const Type index = kIndexTypes[below(std::size(kIndexTypes))], type = kElementTypes[below(5)];
    const Traits traits = test_traits(below(2) == 0, below(2) == 0);
    const auto axis = static_cast<size_t>(axes[0]), shift = static_cast<size_t>(below(2));
    check(gather(type, dims, axes, index_dims, index, round), traits, shift, keys);
    check(take(type, dims, axis, index_dims, index, round), traits, shift, keys);
    check(take_along(type, dims, axis, 1 + below(9), index, round), traits, shift, keys);
    if (HasFatalFailure()) return;
  }
}

// Where an invocation moves several vectors.
TEST(Gather, ManyRows) {
  std::set<std::string> keys;
  check(gather(Type::f32, {1000, 64}, {0}, {65'601}, Type::s32, 5), test_traits(false), 0, keys);
  check(gather(Type::u8, {1000}, {0}, {(1 << 20) + 77}, Type::s64, 6), test_traits(false), 0, keys);
}

}  // namespace
}  // namespace nxv
