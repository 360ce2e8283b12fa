#include "runtime/cli/reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <string>

#include "runtime/cli/verify_inputs.h"

namespace nxv::cli {
namespace {

constexpr std::string_view kFunctions[] = {"acos",  "acosh",   "asin",   "asinh",   "atan",  "atan2",    "atanh",
                                           "cbrt",  "cos",     "cosh",   "digamma", "erf",   "erf_inv",  "erfc",
                                           "exp",   "expm1",   "lgamma", "log",     "log1p", "logistic", "pow",
                                           "rsqrt", "sigmoid", "sin",    "sinh",    "tan",   "tanh"};

TEST(Reference, EveryFunctionHasBothSorts) {
  for (std::string_view op : kFunctions) {
    ASSERT_NE(find_real(op), nullptr) << op;
    EXPECT_EQ(has_precise(op), has_precise("exp")) << op;
  }
  EXPECT_EQ(find_real("frobnicate"), nullptr);
  EXPECT_FALSE(has_precise("frobnicate"));
}

// What decides the rounding to f32 must be as near as it says.
TEST(Reference, DoublesAreNearThePreciseValues) {
  if (!has_precise("exp")) GTEST_SKIP() << "built without MPFR";
  const Codec f32(*element_kind("f32"));
  for (std::string_view op : kFunctions) {
    const RealFunction& function = *find_real(op);
    const VerifyInputs inputs(op, std::vector<const Codec*>(function.operands, &f32), 3000, 16);
    size_t compared = 0;
    for (uint64_t i = 0; i < inputs.count(); i += function.operands == 1 ? 1 : 13) {
      uint64_t bits[2];
      inputs.at(i, bits);
      double in[2];
      for (size_t k = 0; k < function.operands; ++k) in[k] = f32.decode(bits[k]).real;
      const double near = function.near({in, function.operands});
      const auto precise = precise_value(op, {in, function.operands});
      ASSERT_TRUE(precise.has_value()) << op << "(" << in[0] << ")";
      const double want = precise->nearest;
      // Below the normal doubles both round to f32's zero.
      const bool same = near == want || (std::isnan(near) && std::isnan(want)) ||
                        std::fabs(near - want) <= std::max(std::fabs(want) * 0x1p-46, function.absolute / 2) ||
                        (std::fabs(near) < 0x1p-1000 && std::fabs(want) < 0x1p-1000);
      EXPECT_TRUE(same) << op << "(" << in[0] << (function.operands == 2 ? ", " + std::to_string(in[1]) : "")
                        << ") near " << near << " precise " << want;
      compared += std::isfinite(want) && want != 0;
    }
    EXPECT_GT(compared, 500u) << op;
  }
}

TEST(Reference, HardPointsAreCorrectlyRounded) {
  std::set<std::string_view> ops;
  for (const HardPoint& point : hard_points()) {
    ops.insert(point.op);
    ASSERT_NE(find_real(point.op), nullptr) << point.op;
    const auto argument = std::bit_cast<double>(point.argument), value = std::bit_cast<double>(point.value);
    const double near = find_real(point.op)->near({&argument, 1});
    EXPECT_TRUE(near == value ||
                std::fabs(near - value) <= std::max(std::fabs(value) * 0x1p-45, find_real(point.op)->absolute))
        << point.op << "(" << argument << ") near " << near << ", table " << value;
    if (const auto precise = precise_value(point.op, {&argument, 1})) {
      EXPECT_EQ(std::bit_cast<uint64_t>(precise->nearest), point.value) << point.op << "(" << argument << ")";
    }
  }
  EXPECT_GE(ops.size(), 24u);
}

TEST(Reference, RoundingToOddKeepsWhichSide) {
  EXPECT_EQ(rounded_to_odd({1.0, 0}), 1.0);
  EXPECT_EQ(rounded_to_odd({1.0, 0.25}), std::nextafter(1.0, 2.0));
  EXPECT_EQ(rounded_to_odd({1.0, -0.25}), std::nextafter(1.0, 0.0));
  EXPECT_EQ(rounded_to_odd({std::nextafter(1.0, 2.0), -0.25}), std::nextafter(1.0, 2.0));
  // Just above the middle of two f32.
  EXPECT_EQ(static_cast<float>(rounded_to_odd({1 + 0x1p-24, 1e-6})), 1 + 0x1p-23f);
  EXPECT_EQ(static_cast<float>(1 + 0x1p-24), 1.0f);
}

}  // namespace
}  // namespace nxv::cli
