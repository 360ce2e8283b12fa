#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/ops/broadcast.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/op.h"

namespace nxv {
namespace {

uint64_t bits(Scalar scalar, std::string_view type) { return scalar_bits(scalar, parse_type(type)); }

TEST(ScalarBits, FloatsToIntegersTruncateAndSaturate) {
  EXPECT_EQ(bits({300.7}, "u8"), 255u);
  EXPECT_EQ(bits({-1.5}, "u8"), 0u);
  EXPECT_EQ(bits({-1.5}, "s32"), 0xffffffffu);
  EXPECT_EQ(bits({1e10}, "s32"), 0x7fffffffu);
  EXPECT_EQ(bits({-1e10}, "s32"), 0x80000000u);
  EXPECT_EQ(bits({1e30}, "s64"), 0x7fffffffffffffffu);
  EXPECT_EQ(bits({-std::numeric_limits<double>::infinity()}, "s64"), 0x8000000000000000u);
  EXPECT_EQ(bits({std::nan("")}, "s64"), 0u);
  EXPECT_EQ(bits({4294967295.0}, "u32"), 0xffffffffu);
}

TEST(ScalarBits, IntegersWrap) {
  EXPECT_EQ(bits({int64_t{300}}, "u8"), 44u);
  EXPECT_EQ(bits({int64_t{-1}}, "u32"), 0xffffffffu);
  EXPECT_EQ(bits({~uint64_t{0}}, "s64"), ~uint64_t{0});
}

TEST(ScalarBits, NumbersRoundOnceToNearestEven) {
  EXPECT_EQ(bits({int64_t{16777217}}, "f32"), std::bit_cast<uint32_t>(16777216.0f));
  // Through a double it would round twice.
  EXPECT_EQ(bits({int64_t{0x4000004000000001}}, "f32"), std::bit_cast<uint32_t>(std::ldexp(8388609.0f, 39)));
  EXPECT_EQ(bits({0.1}, "f64"), std::bit_cast<uint64_t>(0.1));
}

TEST(ScalarBits, NarrowFloatsRoundOnce) {
  EXPECT_EQ(bits({0.1}, "f16"), 0x2e66u);
  EXPECT_EQ(bits({65519.99}, "f16"), 0x7bffu);
  EXPECT_EQ(bits({65520.0}, "f16"), 0x7c00u);
  EXPECT_EQ(bits({-0x1p-24}, "f16"), 0x8001u);
  EXPECT_EQ(bits({std::nan("")}, "f16"), 0x7e00u);
  EXPECT_EQ(bits({1.00390625}, "bf16"), 0x3f80u);          // a tie, to even
  EXPECT_EQ(bits({1.00390625 + 1e-15}, "bf16"), 0x3f81u);  // through f32 it would be one
  EXPECT_EQ(bits({int64_t{0x0101000000000001}}, "bf16"), 0x5b81u);
  EXPECT_EQ(bits({57344.0}, "f8"), 0x7bu);
  EXPECT_EQ(bits({61440.0}, "f8"), 0x7cu);
  EXPECT_EQ(bits({std::numeric_limits<double>::infinity()}, "f8_e4m3fn"), 0x7eu);
  EXPECT_EQ(bits({-1e9}, "f8_e4m3fn"), 0xfeu);
  EXPECT_EQ(bits({std::nan("")}, "f8_e4m3fn"), 0x7fu);
  EXPECT_EQ(bits({0.001953125}, "f8_e4m3fn"), 0x01u);
}

TEST(Shape, CountsAndBytes) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({3, 4}), 12);
  EXPECT_EQ(byte_size({parse_type("f64"), {3}}), 24u);
  EXPECT_EQ(to_string(TensorSpec{parse_type("f32"), {2, 3}}), "f32[2][3]");
  EXPECT_THROW(element_count({int64_t{1} << 40, int64_t{1} << 40}), Error);
}

TEST(Collapse, JoinsWhatLiesTogether) {
  const Dims dims{2, 3, 1, 4};
  auto axes = [&](const Dims& a, const Dims& b) {
    const std::vector<int64_t> strides[] = {broadcast_strides(a, dims), broadcast_strides(b, dims)};
    return collapse(dims, strides);
  };
  EXPECT_EQ(axes(dims, dims), (std::vector<Axis>{{24, {1, 1}}}));
  EXPECT_EQ(axes(dims, {4}), (std::vector<Axis>{{6, {4, 0}}, {4, {1, 1}}}));
  EXPECT_EQ(axes(dims, {3, 1, 4}), (std::vector<Axis>{{2, {12, 0}}, {12, {1, 1}}}));
  EXPECT_EQ(axes({}, {}), (std::vector<Axis>{{24, {0, 0}}}));
}

TEST(Division, MagicNumbersAreExact) {
  for (const uint32_t divisor : {1u, 2u, 3u, 5u, 7u, 10u, 641u, 65535u, 65537u, 0x7fffffffu, 0x80000000u}) {
    const Division division = division_by(divisor);
    const uint64_t values[] = {0,          1,          divisor - 1, divisor, uint64_t{divisor} * 3 - 1,
                               0x7fffffff, 0x7ffffffe, 123456789};
    for (const uint64_t x : values) {
      if (x >> 31) continue;
      EXPECT_EQ(((x << 1) * division.magic >> 32) >> division.shift, x / divisor) << x << " / " << divisor;
    }
  }
}

}  // namespace
}  // namespace nxv
