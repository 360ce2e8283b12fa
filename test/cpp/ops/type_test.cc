#include "runtime/ops/type.h"

#include <gtest/gtest.h>

#include "runtime/core/error.h"

namespace nxv {
namespace {

TEST(Type, InfoFollowsTheTable) {
  EXPECT_EQ(type_info(Type::f32).name, "f32");
  EXPECT_EQ(type_info(Type::f32).kind, Kind::float_);
  EXPECT_EQ(type_info(Type::f32).caps, 0u);
  EXPECT_EQ(type_info(Type::f64).caps, uint32_t{kCapFloat64});
  EXPECT_EQ(type_info(Type::u8).npy, "|u1");
  EXPECT_EQ(type_info(Type::s64).npy, "<i8");
  EXPECT_EQ(type_bytes(Type::s64), 8u);
  EXPECT_TRUE(is_float(Type::f64));
  EXPECT_FALSE(is_float(Type::u32));
  EXPECT_THROW(type_info(static_cast<Type>(200)), Error);
}

TEST(Type, NamesAreParsed) {
  for (const char* name : {"u8", "u64", "s16", "f8", "f8_e4m3fn", "bf16", "f64"})
    EXPECT_EQ(type_info(parse_type(name)).name, name);
  for (const char* name : {"", "f", "f3", "f322", "F32"}) {
    try {
      parse_type(name);
      ADD_FAILURE() << name << " is a type";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::invalid_argument);
      EXPECT_EQ(std::string(error.what()).rfind("[type] unknown type \"" + std::string(name) + "\"; known are ", 0), 0u)
          << error.what();
      EXPECT_NE(std::string(error.what()).find("s32"), std::string::npos);
    }
  }
}

// Nx.Type.merge, in both orders.
void expect_merge(Type a, Type b, Type expected) {
  EXPECT_EQ(type_info(merge_types(a, b)).name, type_info(expected).name);
  EXPECT_EQ(type_info(merge_types(b, a)).name, type_info(expected).name);
}

TEST(Type, MergeFollowsNx) {
  expect_merge(Type::f32, Type::f32, Type::f32);
  expect_merge(Type::f32, Type::f64, Type::f64);
  expect_merge(Type::s32, Type::s64, Type::s64);
  expect_merge(Type::u8, Type::u32, Type::u32);
  expect_merge(Type::u8, Type::s32, Type::s32);
  expect_merge(Type::u8, Type::s64, Type::s64);
  expect_merge(Type::u32, Type::s32, Type::s64);
  expect_merge(Type::u32, Type::s64, Type::s64);
  expect_merge(Type::s64, Type::f32, Type::f32);
  expect_merge(Type::u8, Type::f64, Type::f64);
  expect_merge(Type::u8, Type::s8, Type::s16);
  expect_merge(Type::u64, Type::s64, Type::s64);
  expect_merge(Type::u64, Type::s8, Type::s64);
  expect_merge(Type::s64, Type::f16, Type::f16);
  expect_merge(Type::bf16, Type::f16, Type::f16);
  expect_merge(Type::bf16, Type::f8, Type::f8);
  expect_merge(Type::bf16, Type::f32, Type::f32);
  expect_merge(Type::f8, Type::f8_e4m3fn, Type::f8_e4m3fn);
  expect_merge(Type::f8_e4m3fn, Type::f16, Type::f16);
  expect_merge(Type::c64, Type::f32, Type::c64);
  expect_merge(Type::c64, Type::f64, Type::c128);
  expect_merge(Type::c64, Type::bf16, Type::c64);
  expect_merge(Type::s64, Type::c64, Type::c64);
}

TEST(Type, FloatingAndAggregateFollowNx) {
  EXPECT_EQ(to_floating(Type::u8), Type::f32);
  EXPECT_EQ(to_floating(Type::s64), Type::f32);
  EXPECT_EQ(to_floating(Type::f64), Type::f64);
  EXPECT_EQ(to_aggregate(Type::u8), Type::u32);
  EXPECT_EQ(to_aggregate(Type::u32), Type::u32);
  EXPECT_EQ(to_aggregate(Type::s32), Type::s32);
  EXPECT_EQ(to_aggregate(Type::s64), Type::s64);
  EXPECT_EQ(to_aggregate(Type::f32), Type::f32);
  EXPECT_EQ(to_aggregate(Type::s16), Type::s32);
  EXPECT_EQ(to_aggregate(Type::u16), Type::u32);
  EXPECT_EQ(to_aggregate(Type::u64), Type::s64);
  EXPECT_EQ(to_aggregate(Type::f16), Type::f16);
  EXPECT_EQ(to_floating(Type::u64), Type::f32);
  EXPECT_EQ(to_floating(Type::bf16), Type::bf16);
}

}  // namespace
}  // namespace nxv
