// Every kernel of map1, map2, map3 and cast against its C++ reference, bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "runtime/core/api.h"
#include "runtime/ops/broadcast.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/float_format.h"
#include "runtime/ops/map_steps.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/support/oracle_table.h"
#include "test/cpp/support/values.h"

namespace nxv {
namespace {

using namespace std::chrono_literals;

constexpr size_t kGarbage = 64;   // bytes before the output
constexpr size_t kRedZone = 256;  // and after it

// The type that stands for an element: kernels keyed by width take the unsigned one.
Type type_of(Element element) {
  static constexpr std::string_view kNames[] = {"u8",        "u16",  "u32", "u64", "s8",  "s16", "s32",  "s64", "f8",
                                                "f8_e4m3fn", "bf16", "f16", "f32", "f64", "c64", "c128", "c128"};
  return parse_type(kNames[static_cast<size_t>(element)]);
}

// How one operand is laid out in a case.
enum class Layout { whole, inline_scalar, one, columns, rows, misaligned, front, back };

struct Case {
  const OracleRow& row;
  std::string access;
  Dims dims;  // of the output
  std::vector<Layout> layouts;
  uint64_t seed;
  Traits traits = device_info(*test_device()).traits;
};

Dims dims_under(Layout layout, const Dims& dims) {
  switch (layout) {
    case Layout::inline_scalar:
      return {};
    case Layout::one:
      return {1};
    case Layout::columns:
      return {dims.back()};
    case Layout::rows:
      return {dims.front(), 1};
    case Layout::front:
      return {dims[0], 1, dims[2]};
    case Layout::back:
      return {dims[1], 1};
    default:
      return dims;
  }
}

bool is_float_pair(Element element) { return element == Element::c64 || element == Element::c128; }

// The number that an inline scalar carries.
Scalar scalar_of(Element element, size_t bytes, const std::byte* value) {
  uint64_t bits = 0;
  std::memcpy(&bits, value, is_float_pair(element) ? bytes / 2 : bytes);  // complex: the real part
  const Type type = type_of(element);
  if (is_float(type)) return {decode_float(bits, float_format(type))};
  return {bits};
}

class Sweeper {
 public:
  explicit Sweeper(const Case& one) : case_(one), plan_(one.row.op, one.traits) {
    const OracleRow& row = case_.row;
    count_ = static_cast<size_t>(element_count(case_.dims));
    for (size_t k = 0; k < row.inputs.size(); ++k) add_operand(k);
    expect();
  }

  // The kernels that ran.
  std::set<std::string> run() {
    const OracleRow& row = case_.row;
    Bytes memory(kGarbage + count_ * row.out_bytes + kRedZone);
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(0xa5 ^ i);
    // A buffer of the test's own, so that what lies around the output is known.
    const Operand to{
        {type_of(row.out), case_.dims}, {Ref::Kind::input, static_cast<uint32_t>(views_.size()), kGarbage}, {}, 64};
    views_.push_back(upload(*test_device(), memory, 0, Waiting::allow));
    map_steps(plan_, row.family, row.op, row.types, operands_, to);
    OpPlan planned = plan_.finish();
    execute(*test_device(), planned.plan, views_, 0, Waiting::allow);
    Bytes got(memory.size());
    read(*test_device(), views_.back(), got, 60s);
    compare(memory, got);
    std::set<std::string> keys;
    for (const Step& step : planned.plan.steps) keys.insert(step.kernel.key);
    dispatches_ = planned.plan.steps.size();
    return keys;
  }
  size_t dispatches() const { return dispatches_; }

 private:
  void add_operand(size_t k) {
    const OracleRow& row = case_.row;
    Layout layout = case_.layouts[k];
    if (layout == Layout::inline_scalar && row.input_bytes[k] == 16) layout = Layout::one;
    const size_t bytes = row.input_bytes[k];
    const Dims dims = dims_under(layout, case_.dims);
    const auto size = static_cast<size_t>(element_count(dims));
    Bytes values = operand_values(row.inputs[k], bytes, size, k, case_.seed);
    EXPECT_FALSE(size > 8 && all_equal(values, bytes)) << row.op << " " << row.types << " operand " << k;
    Operand operand{
        {type_of(row.inputs[k]), dims}, {Ref::Kind::input, static_cast<uint32_t>(views_.size()), 0}, {}, 64};
    if (layout == Layout::inline_scalar) {
      if (is_float_pair(row.inputs[k]))
        std::fill_n(values.begin() + static_cast<int64_t>(bytes / 2), bytes / 2, std::byte{0});
      operand.scalar = scalar_of(row.inputs[k], bytes, values.data());
    } else {
      Bytes stored = values;
      if (layout == Layout::misaligned) {
        stored.insert(stored.begin(), bytes, std::byte{0x5a});
        operand.ref.byte_offset = bytes;
        operand.alignment = bytes;
      }
      views_.push_back(upload(*test_device(), stored, 0, Waiting::allow));
    }
    operands_.push_back(operand);
    values_.push_back(std::move(values));
    strides_.push_back(broadcast_strides(dims, case_.dims));
  }

  size_t offset(size_t k, size_t index) const {
    size_t at = 0;
    for (size_t d = case_.dims.size(); d-- > 0;) {
      const auto dim = static_cast<size_t>(case_.dims[d]);
      at += index % dim * static_cast<size_t>(strides_[k][d]);
      index /= dim;
    }
    return at;
  }

  void expect() {
    const OracleRow& row = case_.row;
    expected_.resize(count_ * row.out_bytes);
    for (size_t i = 0; i < count_; ++i) {
      const std::byte* at[3] = {};
      for (size_t k = 0; k < row.inputs.size(); ++k) at[k] = values_[k].data() + offset(k, i) * row.input_bytes[k];
      row.apply(at, expected_.data() + i * row.out_bytes);
    }
    const bool always_zero = row.op == "is_infinity" && row.inputs[0] == Element::f8_e4m3fn;
    const bool varied = case_.access == "dense" && count_ >= 1000 && !always_zero;
    EXPECT_FALSE(varied && all_equal(expected_, row.out_bytes)) << row.op << " " << row.types;
  }

  // Whether the result is right for a device that flushes f32 subnormals where it computes.
  bool excused(size_t i, const std::byte* got) const {
    const OracleRow& row = case_.row;
    static const std::set<std::string_view> kComputed{"add", "subtract", "multiply"};
    if (!kComputed.contains(row.op) || device_info(*test_device()).cannot_keep.empty()) return false;
    Bytes copies[3];
    const std::byte* at[3] = {};
    for (size_t k = 0; k < row.inputs.size(); ++k) {
      const std::byte* value = values_[k].data() + offset(k, i) * row.input_bytes[k];
      copies[k].assign(value, value + row.input_bytes[k]);
      flush_subnormal(row.inputs[k], copies[k].data());
      at[k] = copies[k].data();
    }
    Bytes result(row.out_bytes);
    row.apply(at, result.data());
    if (same_value(row.out, row.out_bytes, result.data(), got)) return true;
    flush_subnormal(row.out, result.data());
    return same_value(row.out, row.out_bytes, result.data(), got);
  }

  void compare(const Bytes& before, const Bytes& got) const {
    const OracleRow& row = case_.row;
    const size_t bytes = count_ * row.out_bytes;
    ASSERT_EQ(0, std::memcmp(before.data(), got.data(), kGarbage)) << "wrote before the output";
    ASSERT_EQ(0, std::memcmp(before.data() + kGarbage + bytes, got.data() + kGarbage + bytes, kRedZone))
        << "wrote past the output";
    size_t wrong = 0;
    for (size_t i = 0; i < count_; ++i) {
      const std::byte *want = expected_.data() + i * row.out_bytes, *have = got.data() + kGarbage + i * row.out_bytes;
      if (same_value(row.out, row.out_bytes, want, have) || excused(i, have)) continue;
      if (++wrong > 3) continue;
      std::string operands;
      for (size_t k = 0; k < row.inputs.size(); ++k) {
        operands += (k ? ", " : "") +
                    shown(row.inputs[k], row.input_bytes[k], values_[k].data() + offset(k, i) * row.input_bytes[k]);
      }
      ADD_FAILURE() << row.op << "(" << operands << ") is " << shown(row.out, row.out_bytes, want) << ", not "
                    << shown(row.out, row.out_bytes, have) << " (element " << i << " of " << count_ << ")";
    }
    EXPECT_EQ(wrong, 0u) << row.family << "." << row.op << "." << row.types << "." << case_.access;
  }

  const Case& case_;
  PlanBuilder plan_;
  size_t count_ = 0, dispatches_ = 0;
  std::vector<Operand> operands_;
  std::vector<BufferView> views_;
  std::vector<Bytes> values_;
  std::vector<std::vector<int64_t>> strides_;
  Bytes expected_;
};

bool swept_family(std::string_view family) {
  return family == "map1" || family == "map2" || family == "map3" || family == "cast";
}

bool device_has(std::string_view key) {
  for (const OpInfo& op : catalog_ops()) {
    const std::string prefix = std::string(op.family) + "." + std::string(op.name) + ".";
    if (!key.starts_with(prefix)) continue;
    const std::string_view rest = key.substr(prefix.size());
    const size_t dot = rest.rfind('.');
    const VariantInfo* variant = find_variant(op.family, op.name, rest.substr(0, dot), rest.substr(dot + 1));
    return variant && (variant->caps & ~device_info(*test_device()).traits.caps) == 0;
  }
  return false;
}

// Layouts of 1 to 3 operands that lead to `access`; `turn` picks one of several.
std::vector<Layout> layouts_for(const std::string& access, size_t inputs, size_t turn) {
  using L = Layout;
  if (access == "dense") return std::vector(inputs, L::whole);
  if (access == "scalar") {
    static const std::vector<Layout> kChoices[3][2] = {
        {{L::inline_scalar}, {L::one}},
        {{L::whole, L::inline_scalar}, {L::one, L::whole}},
        {{L::whole, L::inline_scalar, L::one}, {L::one, L::whole, L::inline_scalar}}};
    return kChoices[inputs - 1][turn % 2];
  }
  if (access == "inner") {
    static const std::vector<Layout> kChoices[3][2] = {
        {{L::rows}, {L::columns}},
        {{L::rows, L::whole}, {L::columns, L::rows}},
        {{L::rows, L::whole, L::columns}, {L::one, L::columns, L::rows}}};
    return kChoices[inputs - 1][turn % 2];
  }
  static const std::vector<Layout> kFlat[3] = {
      {L::misaligned}, {L::whole, L::misaligned}, {L::misaligned, L::inline_scalar, L::whole}};
  static const std::vector<Layout> kSpread[3] = {{L::front}, {L::front, L::back}, {L::whole, L::back, L::front}};
  return turn % 2 == 0 ? kFlat[inputs - 1] : kSpread[inputs - 1];
}

Dims dims_for(const std::string& access, int64_t n, int64_t elems, size_t turn) {
  if (access == "inner") {
    const int64_t columns = elems * (n % 3 + 1);
    return {std::max<int64_t>(n / columns, 2), columns};
  }
  if (access == "strided" && turn % 2 == 1) {
    const int64_t last = turn % 4 == 1 ? 3 : 2 * elems;
    return {2, std::max<int64_t>(n / (2 * last), 2), last};
  }
  return {n};
}

// One test an op of the catalog, named after it, so that `--gtest_filter=*NAME*` sweeps one op.
class Sweep : public testing::TestWithParam<std::string> {};

std::vector<std::string> swept_ops() {
  std::vector<std::string> names;
  for (const OpInfo& op : catalog_ops()) {
    if (swept_family(op.family)) names.emplace_back(op.name);
  }
  return names;
}

TEST_P(Sweep, EveryKernelGivesItsReference) {
  std::set<std::string> seen;
  size_t skipped = 0, index = GetParam().size();
  for (const OracleRow& row : oracle_rows()) {
    if (row.op != GetParam() || !swept_family(row.family)) continue;
    ++index;
    for (const std::string access : {"dense", "scalar", "inner", "strided"}) {
      const VariantInfo* variant = find_variant(row.family, row.op, row.types, access);
      if (!variant) continue;
      if (!device_has(variant->key)) {
        ++skipped;
        continue;
      }
      for (const int64_t n : {4099, 1, 31, 64, 65, 1009}) {
        // One element makes every operand dense; another layout makes another pipeline, so that the other sizes share
        // one.
        const int64_t count = n == 1 && access != "dense" ? 2 : n;
        // Elements of 16 bytes, and vectors of one element, are never misaligned.
        const bool aligned = variant->elems == 1 || std::ranges::count(row.input_bytes, 16) != 0;
        const size_t turn = aligned ? index | 1 : index;
        const Case one{row, access, dims_for(access, count, variant->elems, turn),
                       layouts_for(access, row.inputs.size(), turn), index + static_cast<uint64_t>(n)};
        const std::set<std::string> keys = Sweeper(one).run();
        EXPECT_EQ(keys, std::set{std::string(variant->key)}) << "n = " << n;
        seen.insert(keys.begin(), keys.end());
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  if (seen.empty() && skipped > 0) GTEST_SKIP() << skipped << " kernels need what this device lacks";
  EXPECT_FALSE(seen.empty()) << "no kernel of this op was swept";
  if (skipped > 0) std::printf("%s: %zu kernels swept, %zu unsupported\n", GetParam().c_str(), seen.size(), skipped);
}

INSTANTIATE_TEST_SUITE_P(Ops, Sweep, testing::ValuesIn(swept_ops()), [](const auto& name) { return name.param; });

// What the sizes of the sweep do not reach: four vectors an invocation, and work cut into several dispatches.
TEST(SweepSplit, LargeAndSplitWorkGivesItsReference) {
  Traits large = device_info(*test_device()).traits, split = large;
  large.cpu = true;
  large.compute_units = 0;
  split.max_groups = {7, 3, 1};
  split.max_workgroup_size = 8;
  split.index32_limit = 1000;
  size_t runs = 0, dispatches = 0, casts = 0;
  for (const OracleRow& row : oracle_rows()) {
    static const std::set<std::string_view> kOps{"add", "divide", "less", "select", "clip", "as_type", "bitwise_not"};
    if (!kOps.contains(row.op) || !swept_family(row.family)) continue;
    if (row.family == "cast" && ++casts % 9 != 0) continue;  // one template: a few pairs stand for all
    for (const std::string access : {"dense", "scalar", "inner", "strided"}) {
      const VariantInfo* variant = find_variant(row.family, row.op, row.types, access);
      if (!variant || !device_has(variant->key)) continue;
      for (const Traits& traits : {large, split}) {
        const size_t turn = ++runs / 2;
        const Case one{
            row,  access, dims_for(access, 40009, variant->elems, turn), layouts_for(access, row.inputs.size(), turn),
            turn, traits};
        Sweeper sweeper(one);
        sweeper.run();
        dispatches += sweeper.dispatches();
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
  EXPECT_GT(runs, 100u);
  EXPECT_GT(dispatches, 10 * runs);
}

}  // namespace
}  // namespace nxv
