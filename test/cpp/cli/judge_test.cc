#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "runtime/cli/verify_check.h"
#include "runtime/cli/verify_inputs.h"

namespace nxv::cli {
namespace {

uint64_t f32(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

struct Judged : testing::Test {
  SignatureInfo signature{"map1", "exp", "f32", "f32", "f32", 1};
  bool flushes = false;

  Tally judge(std::initializer_list<uint64_t> in, uint64_t got) { return judge(in, {got}); }
  Tally judge(std::initializer_list<uint64_t> in, std::initializer_list<uint64_t> got) {
    std::string reason;
    auto judge = Judge::find(signature, flushes, reason);
    EXPECT_NE(judge, nullptr) << reason;
    Tally tally;
    judge->judge(in.begin(), got.begin(), tally);
    return tally;
  }
};

TEST_F(Judged, FunctionsByTheirDistance) {
  const float e = 2.71828182845904523536f;
  Tally tally = judge({f32(1)}, f32(e));
  EXPECT_EQ(tally.right, 1u);
  EXPECT_LT(tally.worst, 0.5);
  tally = judge({f32(1)}, f32(std::nextafterf(e, 0)));
  EXPECT_EQ(tally.right, 0u);
  // f32(e) is 0.35 ULP below e.
  EXPECT_EQ(tally.beyond, 1u);
  EXPECT_NEAR(tally.worst, 1.346, 0.002);
  tally = judge({f32(1)}, f32(std::nextafterf(e, 3)));
  EXPECT_EQ(tally.beyond, 0u);
  EXPECT_NEAR(tally.worst, 0.654, 0.002);
  EXPECT_EQ(judge({f32(NAN)}, f32(-NAN)).right, 1u);
  EXPECT_EQ(judge({f32(NAN)}, f32(1)).beyond, 1u);
  EXPECT_EQ(judge({f32(100)}, f32(INFINITY)).right, 1u);
  EXPECT_EQ(judge({f32(88.72283f)}, f32(INFINITY)).beyond, 1u);
}

TEST_F(Judged, BoundsOfAHalfWantTheRightBits) {
  signature.ulp = 0.5;
  EXPECT_EQ(judge({f32(1)}, f32(std::nextafterf(2.7182818f, 3))).beyond, 1u);
}

TEST_F(Judged, SignsOfZeroCount) {
  signature = {"map1", "sin", "f32", "f32", "f32", 1};
  EXPECT_EQ(judge({f32(-0.0f)}, f32(-0.0f)).right, 1u);
  EXPECT_EQ(judge({f32(-0.0f)}, f32(0.0f)).beyond, 1u);
}

// Near a zero of lgamma left of 0: steps of lgamma(2.457), which is 2.3 million times as large.
TEST_F(Judged, DifferencesInStepsOfTheirTerms) {
  signature = {"map1", "lgamma", "f32", "f32", "f32", 2};
  const float zero = -2.4570247f, want = static_cast<float>(std::lgamma(static_cast<double>(zero)));
  const float step = 0x1p-25f;
  ASSERT_LT(std::fabs(want), 4 * step);
  EXPECT_EQ(judge({f32(zero)}, f32(want)).right, 1u);
  const Tally near = judge({f32(zero)}, f32(want + 1.5f * step));
  EXPECT_EQ(near.beyond, 0u);
  EXPECT_NEAR(near.worst, 1.5, 0.01);
  EXPECT_EQ(judge({f32(zero)}, f32(want + 2.5f * step)).beyond, 1u);
  const auto right = static_cast<float>(std::lgamma(static_cast<double>(-zero)));
  EXPECT_EQ(judge({f32(-zero)}, f32(right + 3 * step)).beyond, 1u);
}

TEST_F(Judged, DoublesByMpfrOrTheTable) {
  signature = {"map1", "exp", "f64", "f64", "f64", 1};
  const HardPoint* point = nullptr;
  for (const HardPoint& one : hard_points()) {
    const auto value = std::bit_cast<double>(one.value);
    if (one.op == "exp" && value > 2 && value < 1e300) point = &one;
  }
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(judge({point->argument}, point->value).right, 1u);
  const Tally off = judge({point->argument}, point->value + 2);
  EXPECT_EQ(off.beyond, 1u);
  EXPECT_GT(off.worst, 1.4);
  const Tally unknown = judge({f64(1.25)}, f64(std::exp(1.25)));
  EXPECT_EQ(unknown.undecided, has_precise("exp") ? 0u : 1u);
  EXPECT_EQ(judge({f64(710)}, f64(INFINITY)).beyond, 0u);
}

TEST_F(Judged, FlushedSubnormalsAreCountedOnlyWhereTheDeviceSaysSo) {
  signature = {"map2", "add", "f32", "f32,f32", "f32", 0};
  const uint64_t tiny = 5;
  EXPECT_EQ(judge({tiny, f32(0)}, f32(0)).beyond, 1u);
  flushes = true;
  EXPECT_EQ(judge({tiny, f32(0)}, f32(0)).flushed, 1u);
  EXPECT_EQ(judge({tiny, f32(0x1p-126f)}, f32(0x1p-126f)).flushed, 1u);
  EXPECT_EQ(judge({f32(1), f32(2)}, f32(0)).beyond, 1u);
  // What works on bits keeps them.
  signature = {"map1", "negate", "f32", "f32", "f32", 0};
  EXPECT_EQ(judge({tiny}, f32(-0.0f)).beyond, 1u);
}

TEST_F(Judged, IntegersAreExact) {
  signature = {"map2", "quotient", "s32", "s32,s32", "s32", 0};
  EXPECT_EQ(judge({0x80000000u, 0xffffffffu}, 0x80000000u).right, 1u);
  EXPECT_EQ(judge({7, 0}, 0xffffffffu).right, 1u);
  const Tally off = judge({7, 2}, 4);
  EXPECT_EQ(off.beyond, 1u);
  EXPECT_EQ(off.worst, 1);
}

// In steps of the magnitude: a small part may be off by many of its own.
TEST_F(Judged, ComplexNumbersByTheirDistance) {
  if (!has_complex("exp")) GTEST_SKIP() << "built without MPC";
  signature = {"map1", "exp", "c64", "c64", "c64", 4};
  const float e = 2.71828182845904523536f, inf = INFINITY;
  const auto in = {f32(1), f32(0)};
  EXPECT_EQ(judge(in, {f32(e), f32(0)}).right, 1u);
  EXPECT_EQ(judge(in, {f32(e), f32(0x1p-21f)}).beyond, 0u);
  EXPECT_EQ(judge(in, {f32(e), f32(0x1p-19f)}).beyond, 1u);
  EXPECT_EQ(judge(in, {f32(NAN), f32(0)}).beyond, 1u);
  // Infinite parts have signs; a NaN wants one.
  EXPECT_EQ(judge({f32(100), f32(2)}, {f32(-inf), f32(inf)}).right, 1u);
  EXPECT_EQ(judge({f32(100), f32(2)}, {f32(inf), f32(inf)}).beyond, 1u);
  EXPECT_EQ(judge({f32(100), f32(2)}, {f32(-inf), f32(1)}).beyond, 1u);
  EXPECT_EQ(judge({f32(NAN), f32(2)}, {f32(NAN), f32(NAN)}).beyond, 0u);
  EXPECT_EQ(judge({f32(NAN), f32(2)}, {f32(1), f32(1)}).beyond, 1u);
  // Zero for a subnormal only where the device says that it flushes.
  EXPECT_EQ(judge({f32(-100), f32(1)}, {f32(0), f32(0)}).beyond, 1u);
  flushes = true;
  EXPECT_EQ(judge({f32(-100), f32(1)}, {f32(0), f32(0)}).flushed, 1u);
  signature = {"map2", "pow", "c64", "c64,c64", "c64", 4};
  EXPECT_EQ(judge({f32(0), f32(0), f32(2), f32(0)}, {f32(5), f32(0)}).beyond, 1u);
}

TEST_F(Judged, UnknownOpsHaveAReason) {
  std::string reason;
  signature.op = "frobnicate";
  EXPECT_EQ(Judge::find(signature, false, reason), nullptr);
  EXPECT_EQ(reason, "no reference for frobnicate");
  signature = {"map1", "exp", "q7", "q7", "q7", 1};
  EXPECT_EQ(Judge::find(signature, false, reason), nullptr);
}

TEST(VerifyInputs, FewBitsMeanAllArguments) {
  const Codec u8(*element_kind("u8")), single(*element_kind("f32"));
  const VerifyInputs pairs("add", {&u8, &u8}, 10, 16);
  EXPECT_TRUE(pairs.exhaustive());
  EXPECT_EQ(pairs.count(), 65536u);
  uint64_t bits[2];
  pairs.at(0x1234, bits);
  EXPECT_EQ(bits[0] << 8 | bits[1], 0x3412u);
  EXPECT_FALSE(VerifyInputs("exp", {&single}, 10, 16).exhaustive());
  EXPECT_EQ(VerifyInputs("exp", {&single}, 10, 32).count(), 1ull << 32);
}

}  // namespace
}  // namespace nxv::cli
