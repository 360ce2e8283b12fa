#include "test/cpp/property/cases.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <set>

#include "runtime/core/error.h"
#include "test/cpp/property/values.h"
#include "test/cpp/support/values.h"

namespace nxv::property {
namespace {

constexpr int64_t kWhole = 10000;

struct RunOptions {
  uint64_t seed = 1;
  int64_t cases = kWhole;
  std::optional<int64_t> only;  // the number of a case in its family
};

RunOptions run_options() {
  RunOptions options;
  if (const char* text = std::getenv("NXV_PROPERTY_SEED")) options.seed = std::strtoull(text, nullptr, 10);
  if (const char* text = std::getenv("NXV_PROPERTY_CASES")) options.cases = std::strtoll(text, nullptr, 10);
  if (const char* text = std::getenv("NXV_PROPERTY_ONLY")) options.only = std::strtoll(text, nullptr, 10);
  return options;
}

std::string shown_list(const Dims& list) {
  std::string text;
  for (int64_t number : list) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

std::string shown_attr(const AttrValue& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return shown_list(std::get<Dims>(value));
}

std::string shown_scalar(const Scalar& scalar) {
  return std::visit([](auto number) { return std::to_string(number); }, scalar.value);
}

std::string described(const Case& one) {
  std::string text = one.op + "(";
  for (const CaseOperand& operand : one.operands) {
    text += (&operand == one.operands.data() ? "" : ", ") + to_string(operand.spec);
    if (operand.scalar) text += " = " + shown_scalar(*operand.scalar);
    if (operand.shift > 0) text += " at byte " + std::to_string(operand.shift);
  }
  text += ")";
  for (const auto& [name, value] : one.attrs) text += " " + name + "=" + shown_attr(value);
  for (const TensorSpec& out : one.outs) text += " as " + to_string(out);
  text += one.traits.cpu ? ", planned for a CPU" : ", planned for a GPU";
  if (one.traits.index32_limit < 1u << 31) text += " of narrow limits";
  return text;
}

Dims index_of(const Dims& dims, int64_t place) {
  Dims index(dims.size());
  for (size_t d = dims.size(); d-- > 0; place /= dims[d]) index[d] = place % dims[d];
  return index;
}

bool matches(Match match, Type type, const std::byte* want, const std::byte* got) {
  const size_t bytes = type_bytes(type);
  if (std::memcmp(want, got, bytes) == 0) return true;
  const Element element = element_of(type);
  if (match == Match::bits) return false;
  if (match == Match::numbers) return same_value(element, bytes, want, got);
  // Parts of complex numbers one by one.
  const size_t part = type_info(type).kind == Kind::complex ? bytes / 2 : bytes;
  const auto unsigned_zero = [&](const std::byte* value, size_t at) {
    Bytes copy(value + at, value + at + part);
    Bytes magnitude = copy;
    magnitude.back() &= std::byte{0x7f};
    return is_float(type) && all_equal(magnitude, 1) && magnitude[0] == std::byte{0} ? magnitude : copy;
  };
  for (size_t at = 0; at < bytes; at += part) {
    if (unsigned_zero(want, at) != unsigned_zero(got, at)) return false;
  }
  return true;
}

// What is wrong, or nothing.
std::string difference(const CaseResult& want, const Bytes& got) {
  if (want.bytes.size() != got.size()) {
    return std::to_string(got.size()) + " bytes, should be " + std::to_string(want.bytes.size());
  }
  const size_t bytes = type_bytes(want.spec.type), count = want.bytes.size() / bytes;
  std::string text;
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    const std::byte *w = want.bytes.data() + i * bytes, *g = got.data() + i * bytes;
    if (matches(want.match, want.spec.type, w, g) || ++wrong > 3) continue;
    const Element element = element_of(want.spec.type);
    text += "  element " + shown_list(index_of(want.spec.dims, static_cast<int64_t>(i))) + " is " +
            shown(element, bytes, g) + ", should be " + shown(element, bytes, w) + "\n";
  }
  if (wrong == 0) return "";
  return std::to_string(wrong) + " of " + std::to_string(count) + " elements of " + to_string(want.spec) + ":\n" + text;
}

struct Counts {
  int64_t cases = 0, refused = 0, large = 0, varied = 0;
  std::set<std::string> pipelines;
};

void note_pipelines(const OpPlan& plan, Counts& counts) {
  for (const Step& step : plan.plan.steps) {
    std::string pipeline = step.kernel.key;
    for (const SpecConstant& constant : step.kernel.constants) {
      pipeline += " " + std::to_string(constant.id) + "=" + std::to_string(constant.value);
    }
    counts.pipelines.insert(pipeline);
  }
}

void check(const Case& one, Counts& counts) {
  std::vector<Input> inputs;
  std::vector<PlacedBytes> placed;
  for (const CaseOperand& operand : one.operands) {
    inputs.push_back({operand.spec, operand.scalar, operand.shift == 0 ? 256 : operand.shift});
    placed.push_back({operand.scalar ? Bytes(16) : operand.bytes, operand.shift});
  }
  OpPlan plan;
  try {
    plan = plan_op(one.op, one.attrs, one.outs, inputs, one.traits);
  } catch (const Error& error) {
    ASSERT_EQ(error.code(), Code::unsupported) << error.what();
    ++counts.refused;
    return;
  }
  note_pipelines(plan, counts);
  ASSERT_EQ(plan.outputs.size(), one.results.size());
  const std::vector<Bytes> got = run_outputs(plan, placed);
  std::string kernels;
  for (const Step& step : plan.plan.steps) kernels += " " + step.kernel.key;
  for (size_t i = 0; i < got.size(); ++i) {
    const CaseResult& want = one.results[i];
    ASSERT_EQ(to_string(plan.outputs[i]), to_string(want.spec));
    const std::string wrong = difference(want, got[i]);
    if (!wrong.empty()) FAIL() << wrong << "kernels:" << kernels;
    if (element_count(want.spec.dims) < 8) continue;
    ++counts.large;
    if (!all_equal(want.bytes, type_bytes(want.spec.type))) ++counts.varied;
  }
}

}  // namespace

CaseOperand tensor(Draw& draw, TensorSpec spec, Bytes bytes) {
  const size_t shift = draw.one_in(4) ? type_bytes(spec.type) : 0;
  return {std::move(spec), std::move(bytes), shift, {}};
}

CaseOperand tensor_or_number(Draw& draw, TensorSpec spec, Bytes bytes) {
  if (spec.dims.empty() && draw.one_in(2)) {
    if (const std::optional<Scalar> scalar = scalar_of(spec.type, bytes)) return {spec, {}, 0, scalar};
  }
  return tensor(draw, std::move(spec), std::move(bytes));
}

Traits drawn_traits(Draw& draw, std::string_view name, uint64_t other) {
  const bool swapped = mixed_seed(draw.run_seed(), name) % other == 0;
  return test_traits(device_info(*test_device()).cpu != swapped, draw.one_in(6));
}

void check_cases(std::string_view family, int64_t share, Case (*drawn)(Draw&)) {
  const RunOptions options = run_options();
  const int64_t cases = std::max<int64_t>(options.cases * share / kWhole, 1);
  const auto start = std::chrono::steady_clock::now();
  Counts counts;
  for (int64_t number = 0; number < cases; ++number) {
    if (options.only && number != *options.only) continue;
    Draw draw(options.seed, mixed_seed(options.seed, family, static_cast<uint64_t>(number)));
    const Case one = drawn(draw);
    SCOPED_TRACE(described(one) + "\nagain alone: NXV_PROPERTY_SEED=" + std::to_string(options.seed) +
                 " NXV_PROPERTY_CASES=" + std::to_string(options.cases) + " NXV_PROPERTY_ONLY=" +
                 std::to_string(number) + " property_tests --gtest_filter=Property." + std::string(family));
    try {
      check(one, counts);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    ++counts.cases;
    if (testing::Test::HasFailure()) return;
  }
  close_test_device();  // its pipelines fill the memory of a CPU device
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s: %lld cases of seed %llu, %lld refused, %zu pipelines, %.1f s\n", std::string(family).c_str(),
              static_cast<long long>(counts.cases), static_cast<unsigned long long>(options.seed),
              static_cast<long long>(counts.refused), counts.pipelines.size(), seconds);
  EXPECT_GT(counts.cases, 0) << "no case has the number of NXV_PROPERTY_ONLY";
  if (options.only) return;
  EXPECT_LE(counts.refused, counts.cases / 20 + 1) << "too many cases are not supported";
  EXPECT_GE(counts.varied * 2, counts.large) << "results are the same number too often to prove anything";
}

}  // namespace nxv::property
