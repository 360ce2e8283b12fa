#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "test/cpp/device/plan_runner.h"
#include "test/cpp/support/indexed_oracle.h"
#include "test/cpp/support/update_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

constexpr Type kIndexTypes[] = {Type::u8, Type::u16, Type::u32, Type::u64, Type::s8, Type::s16, Type::s32, Type::s64};
constexpr Type kWidths[] = {Type::u8, Type::f16, Type::f32, Type::c64, Type::c128};

struct Update {
  Type type{};
  Dims dims;
  std::vector<int64_t> axes;
  IndexTensor indices;
  Dims slice;  // of an update

  TensorSpec updates() const {
    Dims dims(indices.dims.begin(), indices.dims.end() - 1);
    dims.insert(dims.end(), slice.begin(), slice.end());
    return {type, dims};
  }
};

Update update(Type type, const Dims& dims, const std::vector<int64_t>& axes, Dims index_dims, Type index,
              uint32_t seed) {
  std::vector<int64_t> sizes;
  for (int64_t axis : axes) sizes.push_back(dims[static_cast<size_t>(axis)]);
  index_dims.push_back(static_cast<int64_t>(axes.size()));
  Update one{type, dims, axes, random_indices(index, index_dims, sizes, seed), {}};
  for (size_t d = 0; d < dims.size(); ++d) {
    if (std::ranges::count(axes, static_cast<int64_t>(d)) == 0) one.slice.push_back(dims[d]);
  }
  return one;
}

void check(std::string_view op, const Update& one, const Traits& traits, size_t shift, std::set<std::string>& keys) {
  const TensorSpec target{one.type, one.dims}, updates = one.updates();
  const size_t bytes = type_bytes(one.type), index_bytes = type_bytes(one.indices.type);
  const Bytes tensor = varied_bytes(one.type, static_cast<size_t>(element_count(target.dims)), 3);
  const Bytes values = varied_bytes(one.type, static_cast<size_t>(element_count(updates.dims)), 4);
  const std::vector<int64_t> places = indexed_places(one.dims, one.axes, one.indices, one.slice);
  const Input inputs[] = {{target, {}, shift == 0 ? 256 : bytes},
                          {{one.indices.type, one.indices.dims}, {}, shift == 0 ? 256 : index_bytes},
                          {updates, {}, shift == 0 ? 256 : bytes}};
  const OpPlan plan = plan_op(op, {{"axes", one.axes}}, {}, inputs, traits);
  collect_keys(plan, keys);
  Bytes want;
  visit_type(one.type, [&](auto value) { want = updated<decltype(value)>(op, tensor, places, values); });
  ASSERT_NE(want, tensor);
  const Bytes got =
      run_plan(plan, {{tensor, shift * bytes}, {one.indices.bytes, shift * index_bytes}, {values, shift * bytes}});
  ASSERT_TRUE(want == got) << op << " of " << to_string(target) << " at " << to_string(inputs[1].spec) << " with "
                           << plan.plan.steps.back().kernel.key << ", traits cpu " << traits.cpu << ", first at byte "
                           << std::ranges::mismatch(want, got).in1 - want.begin();
}

TEST(IndexedPut, EveryKernelWritesEveryWidth) {
  std::set<std::string> keys;
  uint32_t seed = 0;
  for (Type type : kWidths) {
    for (size_t shift : {0, 1}) {
      const Traits traits = test_traits(shift == 1);
      for (const Dims& dims : {Dims{65}, Dims{9, 4}, Dims{64, 16}, Dims{130, 17}}) {
        for (int64_t count : {1, 64, 257}) {
          check("indexed_put", update(type, dims, {0}, {count}, Type::s32, ++seed), traits, shift, keys);
        }
      }
      check("indexed_put", update(type, {7, 5, 12}, {1}, {9}, Type::s64, ++seed), traits, shift, keys);
      check("indexed_put", update(type, {7, 5, 12}, {2}, {90}, Type::u8, ++seed), traits, shift, keys);
      check("indexed_put", update(type, {7, 5, 12}, {0, 2}, {500}, Type::u16, ++seed), traits, shift, keys);
      check("indexed_put", update(type, {7, 5, 12}, {0, 1, 2}, {1001}, Type::s8, ++seed), traits, shift, keys);
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string key : {"indexed.index_slots.b32.strided", "indexed.index_claims.b32.strided"}) {
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
  }
  for (const std::string& key : runnable_keys("indexed.indexed_put")) {
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
  }
}

TEST(IndexedAdd, EveryKernelGivesTheBitsOfAFold) {
  std::set<std::string> keys;
  uint32_t seed = 0;
  for (Type type : kAllTypes) {
    if (!runnable_keys("indexed.indexed_add")
             .contains("indexed.indexed_add." + std::string(type_info(type).name) + ".strided")) {
      continue;
    }
    for (size_t shift : {0, 1}) {
      const Traits traits = test_traits(shift == 1);
      check("indexed_add", update(type, {65}, {0}, {50}, Type::s32, ++seed), traits, shift, keys);
      check("indexed_add", update(type, {65}, {0}, {1009}, Type::s32, ++seed), traits, shift, keys);
      check("indexed_add", update(type, {5, 32}, {0}, {257}, Type::s32, ++seed), traits, shift, keys);
      check("indexed_add", update(type, {130, 17}, {0}, {100}, Type::u16, ++seed), traits, shift, keys);
      check("indexed_add", update(type, {7, 5, 3, 2}, {1, 3}, {100}, Type::s8, ++seed), traits, shift, keys);
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& key : runnable_keys("indexed.indexed_add")) {
    EXPECT_TRUE(keys.contains(key)) << key << " was not run";
  }
  for (const std::string& key : runnable_keys("indexed.index")) {
    if (key.find("claims") == std::string::npos && !key.starts_with("indexed.indexed_put")) {
      EXPECT_TRUE(keys.contains(key)) << key << " was not run";
    }
  }
}

// One digit and several, tiles that are full, begun and alone, all updates of one slot, none of them twice.
TEST(IndexedAdd, SortsAnyNumberOfSlots) {
  std::set<std::string> keys;
  uint32_t seed = 40;
  for (bool cpu : {false, true}) {
    const Traits traits = test_traits(cpu);
    for (int64_t slots : {1, 2, 256, 257, 65'536, 65'537, 1 << 17}) {
      for (int64_t count : {65, 4096, 4097, 20'000}) {
        check("indexed_add", update(Type::f32, {slots}, {0}, {count}, Type::s32, ++seed), traits, 0, keys);
        if (HasFatalFailure()) return;
      }
    }
    check("indexed_add", update(Type::f32, {(1 << 24) + 3}, {0}, {5000}, Type::s64, ++seed), traits, 0, keys);
    Update distinct = update(Type::f32, {3000, 4}, {0}, {3000}, Type::u32, ++seed);
    std::vector<uint32_t> order(3000);
    std::iota(order.rbegin(), order.rend(), 0);
    std::memcpy(distinct.indices.bytes.data(), order.data(), distinct.indices.bytes.size());
    check("indexed_add", distinct, traits, 0, keys);
    check("indexed_put", distinct, traits, 0, keys);
  }
}

// On a CPU device, a segment longer than llvmpipe's loops go round.
TEST(IndexedAdd, AllToOneOfManySlots) {
  std::set<std::string> keys;
  const bool is_cpu = device_info(*test_device()).cpu;
  for (bool cpu : {false, true}) {
    for (Type type : {Type::f32, Type::bf16, Type::u8, Type::s32, Type::s64}) {
      Update hot = update(type, {1000}, {0}, {cpu == is_cpu ? 700'001 : 100'001}, Type::s32, 1);
      for (size_t i = 0; i < hot.indices.bytes.size(); i += 4) {
        const int32_t slot = i % 1000 == 0 ? static_cast<int32_t>(i % 999) : 412;
        std::memcpy(hot.indices.bytes.data() + i, &slot, 4);
      }
      check("indexed_add", hot, test_traits(cpu), 0, keys);
      check("indexed_put", hot, test_traits(cpu), 0, keys);
    }
  }
}

TEST(IndexedUpdates, ClampIndicesOfEveryType) {
  std::set<std::string> keys;
  uint32_t seed = 100;
  for (const std::string_view op : {"indexed_put", "indexed_add"}) {
    for (Type index : kIndexTypes) {
      for (size_t shift : {0, 1}) {
        check(op, update(Type::f32, {100, 3}, {0}, {257}, index, ++seed), test_traits(false), shift, keys);
        check(op, update(Type::f32, {30, 3, 9}, {2, 0}, {65}, index, ++seed), test_traits(true, true), shift, keys);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(IndexedUpdates, AnyRankAndNarrowLimits) {
  std::set<std::string> keys;
  std::mt19937 random(12);
  const auto below = [&](size_t limit) { return static_cast<int64_t>(random() % limit); };
  for (uint32_t round = 0; round < 60; ++round) {
    Dims dims;
    for (int64_t rank = 1 + below(9); rank > 0; --rank) dims.push_back(1 + below(dims.size() < 3 ? 7 : 2));
    std::vector<int64_t> axes(dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::shuffle(axes.begin(), axes.end(), random);
    axes.resize(static_cast<size_t>(1 + below(dims.size())));
    const Dims index_dims = below(2) == 0 ? Dims{1 + below(200)} : Dims{1 + below(5), 1 + below(30)};
    const Type index = kIndexTypes[below(std::size(kIndexTypes))], type = kWidths[below(5)];
    Update one = update(type, dims, axes, index_dims, index, round);
    // Updates of a part of the slice.
    if (below(3) == 0) {
      for (int64_t& extent : one.slice) extent = 1 + below(static_cast<size_t>(extent));
    }
    // A slice must fit a dispatch.
    const bool narrow = below(2) == 0 && element_count(dims) <= 1000;
    const auto shift = static_cast<size_t>(below(2));
    check("indexed_put", one, test_traits(below(2) == 0, narrow), shift, keys);
    check("indexed_add", one, test_traits(below(2) == 0, narrow), shift, keys);
    if (HasFatalFailure()) return;
  }
}

// 250,000 elements pass every narrow limit several times.
TEST(IndexedUpdates, ManyUpdatesUnderNarrowLimits) {
  std::set<std::string> keys;
  for (bool cpu : {false, true}) {
    for (const std::string_view op : {"indexed_put", "indexed_add"}) {
      check(op, update(Type::f32, {700, 5}, {0}, {50'000}, Type::s32, 9), test_traits(cpu, true), 0, keys);
      check(op, update(Type::f16, {70, 50}, {0}, {60}, Type::s32, 9), test_traits(cpu, true), 0, keys);
      check(op, update(Type::f8, {300}, {0}, {4000}, Type::s32, 9), test_traits(cpu, true), 0, keys);
    }
  }
}

}  // namespace
}  // namespace nxv
