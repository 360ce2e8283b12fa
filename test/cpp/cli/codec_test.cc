#include "runtime/cli/codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace nxv::cli {
namespace {

Codec codec(std::string_view name) { return Codec(*element_kind(name)); }

TEST(Codec, BitsComeBackFromNumbers) {
  for (Type type : all_types()) {
    const std::string name(type_info(type).name);
    if (!element_kind(name) || type_info(type).kind == Kind::complex) continue;
    const Codec one = codec(name);
    for (uint64_t i = 0; i < 100000; ++i) {
      const uint64_t bits = (i * 0x9e3779b97f4a7c15ull) & one.mask();
      EXPECT_TRUE(one.same(one.encode(one.decode(bits)), bits)) << name << " " << one.text(bits);
    }
  }
}

TEST(Codec, RoundsWideIntegersOnce) {
  const Codec f32 = codec("f32");
  // 2^60 + 2^36 is the middle of two f32; one more is above it. A double between would drop the one.
  const __int128 middle = (static_cast<__int128>(1) << 60) + (static_cast<__int128>(1) << 36);
  EXPECT_EQ(f32.encode({.integer = middle}), std::bit_cast<uint32_t>(0x1p60f));
  EXPECT_EQ(f32.encode({.integer = middle + 1}), std::bit_cast<uint32_t>(0x1.000002p60f));
  EXPECT_EQ(f32.encode({.integer = -middle - 1}), std::bit_cast<uint32_t>(-0x1.000002p60f));
}

TEST(Codec, UlpOfEveryBinade) {
  const Codec f32 = codec("f32"), f64 = codec("f64");
  EXPECT_EQ(f32.ulp(1), 0x1p-23);
  EXPECT_EQ(f32.ulp(-1.9), 0x1p-23);
  EXPECT_EQ(f32.ulp(0), 0x1p-149);
  EXPECT_EQ(f32.ulp(0x1p-140), 0x1p-149);
  EXPECT_EQ(f32.ulp(1e300), 0x1p104);
  EXPECT_EQ(f64.ulp(1), 0x1p-52);
  EXPECT_EQ(f64.ulp(0x1p-1060), 0x1p-1074);
}

TEST(Codec, FlushesOnlySubnormalF32) {
  const Codec f32 = codec("f32"), f64 = codec("f64");
  EXPECT_EQ(f32.flushed(0x80000001u), 0x80000000u);
  EXPECT_EQ(f32.flushed(0x00800000u), 0x00800000u);
  EXPECT_EQ(f64.flushed(1), 1u);
}

}  // namespace
}  // namespace nxv::cli
