// Tensors with several elements a byte, and what reads bits as another type.

#include "runtime/ops/packed.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "runtime/core/error.h"
#include "test/cpp/device/plan_runner.h"

namespace nxv {
namespace {

constexpr Type kPackedTypes[] = {Type::u2, Type::u4, Type::s2, Type::s4};

int wrapped(Type type, int64_t value) {
  const TypeInfo& info = type_info(type);
  const int64_t span = int64_t{1} << info.bits, low = ((value % span) + span) % span;
  return static_cast<int>(info.kind == Kind::sint && low >= span / 2 ? low - span : low);
}

Bytes packed(Type type, const std::vector<int>& values) {
  std::string digits;
  for (int value : values) {
    for (int bit = static_cast<int>(type_info(type).bits) - 1; bit >= 0; --bit) digits += value >> bit & 1 ? '1' : '0';
  }
  while (digits.size() % 8 != 0) digits += '0';
  Bytes bytes;
  for (size_t at = 0; at < digits.size(); at += 8) {
    bytes.push_back(static_cast<std::byte>(std::stoi(digits.substr(at, 8), nullptr, 2)));
  }
  return bytes;
}

std::vector<int> some_values(Type type, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<int> values;
  for (size_t i = 0; i < count; ++i) values.push_back(wrapped(type, random()));
  return values;
}

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

struct Operation {
  std::string op;
  Attrs attrs = {};
  std::vector<TensorSpec> outs = {};
  std::vector<TensorSpec> inputs = {};
  std::vector<Bytes> bytes = {};
  size_t shift = 0;
};

Bytes result_of(const Operation& one, bool narrow, std::set<std::string>& keys, TensorSpec* gives = nullptr) {
  std::vector<Input> inputs;
  std::vector<PlacedBytes> placed;
  for (size_t i = 0; i < one.inputs.size(); ++i) {
    inputs.push_back({one.inputs[i], std::nullopt, uint64_t{one.shift == 0 ? 256u : 1u}});
    placed.push_back({one.bytes[i], one.shift});
  }
  const OpPlan plan = plan_op(one.op, one.attrs, one.outs, inputs, test_traits(false, narrow));
  collect_keys(plan, keys);
  if (gives) *gives = plan.outputs[0];
  return run_plan(plan, placed);
}

TEST(Packed, EveryKernelGivesTheElements) {
  std::set<std::string> keys;
  for (bool narrow : {false, true}) {
    for (Type type : kPackedTypes) {
      const std::string name(type_info(type).name);
      for (int64_t n : {1, 2, 3, 4, 5, 31, 64, 4099}) {
        const std::vector<int> values = some_values(type, static_cast<size_t>(n), static_cast<uint32_t>(n));
        const Bytes bits = packed(type, values);
        for (size_t shift : {0, 1}) {
          EXPECT_EQ(result_of({"as_type", {}, {{Type::s32, {n}}}, {{type, {n}}}, {bits}, shift}, narrow, keys),
                    bytes_of(values))
              << name << " " << n;
        }
        std::vector<int> wide, limited;
        std::vector<float> reals;
        for (size_t i = 0; i < values.size(); ++i) {
          const int value = values[i] + static_cast<int>(i % 50) - 25;
          const int most = (1 << (type_info(type).bits - (type_info(type).kind == Kind::sint ? 1 : 0))) - 1;
          const int least = type_info(type).kind == Kind::sint ? -most - 1 : 0;
          wide.push_back(value);
          limited.push_back(i == 7 ? 0 : std::clamp(value, least, most));
          reals.push_back(i == 7 ? NAN : static_cast<float>(value) + (value < 0 ? -0.4f : 0.4f));
        }
        EXPECT_EQ(result_of({"as_type", {}, {{type, {n}}}, {{Type::s32, {n}}}, {bytes_of(wide)}}, narrow, keys),
                  packed(type, wide))
            << name << " " << n;
        EXPECT_EQ(result_of({"as_type", {}, {{type, {n}}}, {{Type::f32, {n}}}, {bytes_of(reals)}}, narrow, keys),
                  packed(type, limited))
            << name << " " << n;
      }
    }
  }
  for (const std::string& key : runnable_keys("packed")) EXPECT_TRUE(keys.contains(key)) << key << " was not run";
}

TEST(Packed, ElementsAreMovedAndComputed) {
  std::set<std::string> keys;
  for (Type type : kPackedTypes) {
    const std::vector<int> a = some_values(type, 35, 1), b = some_values(type, 35, 2);
    const TensorSpec spec{type, {5, 7}};
    const std::vector<Bytes> both{packed(type, a), packed(type, b)};
    const auto check = [&](const Operation& one, const TensorSpec& want, const Bytes& bytes) {
      TensorSpec gives;
      EXPECT_EQ(result_of(one, false, keys, &gives), bytes) << one.op << " of " << type_info(type).name;
      EXPECT_EQ(gives, want) << one.op;
    };
    std::vector<int> turned(35), sums(35), products(35), joined = a;
    std::vector<uint8_t> less(35);
    int64_t total = 0;
    for (size_t i = 0; i < 35; ++i) {
      turned[i % 7 * 5 + i / 7] = a[i];
      sums[i] = a[i] + b[i];
      products[i] = a[i] * b[i];
      less[i] = a[i] < b[i] ? 1 : 0;
      total += a[i];
    }
    joined.insert(joined.end(), b.begin(), b.end());
    check({"transpose", {}, {}, {spec}, {both[0]}}, {type, {7, 5}}, packed(type, turned));
    check({"concatenate", {}, {}, {spec, spec}, both}, {type, {10, 7}}, packed(type, joined));
    check({"add", {}, {}, {spec, spec}, both}, spec, packed(type, sums));
    check({"multiply", {}, {}, {spec, spec}, both}, spec, packed(type, products));
    check({"less", {}, {}, {spec, spec}, both}, {Type::u8, {5, 7}}, bytes_of(less));
    check({"reduce_max", {}, {}, {spec}, {both[0]}}, {type, {}}, packed(type, {*std::ranges::max_element(a)}));
    const Type wide = to_aggregate(type);
    check({"sum", {}, {}, {spec}, {both[0]}}, {wide, {}}, bytes_of(std::vector{static_cast<int32_t>(total)}));
    std::vector<int> counted(35), part(a.begin() + 16, a.begin() + 19), ones(35, 1);
    for (size_t i = 0; i < 35; ++i) counted[i] = static_cast<int>(i);
    check({"iota", {}, {spec}}, spec, packed(type, counted));
    check({"slice", {{"starts", Dims{2, 2}}, {"lengths", Dims{1, 3}}}, {}, {spec}, {both[0]}}, {type, {1, 3}},
          packed(type, part));
  }
  for (Type type : kPackedTypes) {
    const std::vector<int> a = some_values(type, 35, 1), row = some_values(type, 14, 3);
    const TensorSpec spec{type, {5, 7}}, indices{Type::s32, {2, 1}};
    const std::vector<Bytes> bytes{packed(type, a), bytes_of(std::vector{4, -1}), packed(type, row)};
    std::vector<int> taken(a.begin() + 28, a.end()), put = a, added = a;
    taken.insert(taken.end(), a.begin(), a.begin() + 7);
    for (size_t i = 0; i < 14; ++i) {
      const size_t at = i < 7 ? 28 + i : i - 7;
      put[at] = row[i];
      added[at] += row[i];
    }
    EXPECT_EQ(result_of({"gather", {}, {}, {spec, indices}, {bytes[0], bytes[1]}}, false, keys), packed(type, taken));
    const std::vector<TensorSpec> specs{spec, indices, {type, {2, 7}}};
    EXPECT_EQ(result_of({"indexed_put", {}, {}, specs, bytes}, false, keys), packed(type, put));
    EXPECT_EQ(result_of({"indexed_add", {}, {}, specs, bytes}, false, keys), packed(type, added));
  }
  const OpPlan plan = plan_op("constant", {}, std::array{TensorSpec{Type::s4, {3}}},
                              std::array{Input{{Type::s4, {}}, Scalar{int64_t{-3}}}}, test_traits(false));
  EXPECT_EQ(run_plan(plan, {PlacedBytes{Bytes(4)}}), packed(Type::s4, {-3, -3, -3}));
  EXPECT_THROW(plan_op("population_count", {}, {}, std::array{Input{{Type::u4, {3}}, {}}}, test_traits(false)), Error);
}

TEST(Bitcast, KeepsEveryBit) {
  std::set<std::string> keys;
  const Bytes bytes = bytes_of(std::vector<uint32_t>{0x7fc12345, 0x00000001, 0xffffffff, 0x80000000, 7});
  EXPECT_EQ(result_of({"bitcast", {}, {{Type::s32, {5}}}, {{Type::f32, {5}}}, {bytes}}, false, keys), bytes);
  EXPECT_EQ(result_of({"bitcast", {}, {{Type::bf16, {10}}}, {{Type::u16, {10}}}, {bytes}}, false, keys), bytes);
  const Bytes nibbles = packed(Type::u4, {1, 15, 7});
  EXPECT_EQ(result_of({"bitcast", {}, {{Type::s4, {3}}}, {{Type::u4, {3}}}, {nibbles}}, false, keys), nibbles);
  EXPECT_THROW(result_of({"bitcast", {}, {{Type::s64, {5}}}, {{Type::f32, {5}}}, {bytes}}, false, keys), Error);
}

// No type holds both, so the signed side is looked at by itself.
TEST(Compare, UnsignedWithSignedAsNumbers) {
  const std::vector<uint64_t> a{0, 1, ~uint64_t{0}, uint64_t{1} << 63, 5, uint64_t{1} << 63};
  const std::vector<int64_t> b{-1, 1, -1, std::numeric_limits<int64_t>::min(), -5, 7};
  const TensorSpec u64{Type::u64, {6}}, s64{Type::s64, {6}};
  for (const std::string op : {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}) {
    std::vector<uint8_t> forth, back;
    for (size_t i = 0; i < a.size(); ++i) {
      const auto compare = [&](__int128 x, __int128 y) {
        const bool answer = op == "equal"        ? x == y
                            : op == "not_equal"  ? x != y
                            : op == "less"       ? x < y
                            : op == "less_equal" ? x <= y
                            : op == "greater"    ? x > y
                                                 : x >= y;
        return static_cast<uint8_t>(answer);
      };
      forth.push_back(compare(a[i], b[i]));
      back.push_back(compare(b[i], a[i]));
    }
    std::set<std::string> keys;
    EXPECT_EQ(result_of({op, {}, {}, {u64, s64}, {bytes_of(a), bytes_of(b)}}, false, keys), bytes_of(forth)) << op;
    EXPECT_EQ(result_of({op, {}, {}, {s64, u64}, {bytes_of(b), bytes_of(a)}}, false, keys), bytes_of(back)) << op;
  }
}

}  // namespace
}  // namespace nxv
