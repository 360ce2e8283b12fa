#include "runtime/ops/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "runtime/core/pack.h"

namespace nxv {
namespace {

// Every variant of the table, found through the pack's keys "family.op.types.access".
std::vector<std::string_view> parts_of(std::string_view key) {
  std::vector<std::string_view> parts;
  for (size_t dot; (dot = key.find('.')) != std::string_view::npos; key.remove_prefix(dot + 1)) {
    parts.push_back(key.substr(0, dot));
  }
  parts.push_back(key);
  return parts;
}

TEST(Catalog, EveryPackEntryIsFound) {
  const auto pack = Pack::open_embedded();
  ASSERT_FALSE(pack->entries().empty());
  for (const PackEntry& entry : pack->entries()) {
    const auto parts = parts_of(entry.key);
    ASSERT_EQ(parts.size(), 4u) << entry.key;
    const VariantInfo* variant = find_variant(parts[0], parts[1], parts[2], parts[3]);
    ASSERT_NE(variant, nullptr) << entry.key;
    EXPECT_EQ(variant->key, entry.key);
    EXPECT_EQ(variant->op, parts[1]);
    EXPECT_EQ(variant->types, parts[2]);
    EXPECT_EQ(variant->access, parts[3]);
    EXPECT_EQ(variant->caps, entry.caps) << entry.key;
    EXPECT_GE(variant->elems, 1u);
    EXPECT_NE(find_op(parts[1]), nullptr) << entry.key;
  }
}

TEST(Catalog, OpsAreFoundByName) {
  std::set<std::string_view> names;
  for (const OpInfo& op : catalog_ops()) {
    EXPECT_EQ(find_op(op.name), &op);
    EXPECT_TRUE(names.insert(op.name).second) << op.name;
  }
  EXPECT_EQ(find_op("add")->family, "map2");
  EXPECT_EQ(find_op("add")->inputs, 2u);
  EXPECT_EQ(find_op("add")->nx, "add");
  EXPECT_EQ(find_op(""), nullptr);
  EXPECT_EQ(find_op("ad"), nullptr);
  EXPECT_EQ(find_op("zzz"), nullptr);
}

TEST(Catalog, WhatIsNotThereIsNull) {
  EXPECT_EQ(find_variant("map2", "add", "f31", "dense"), nullptr);
  EXPECT_EQ(find_variant("map2", "add", "f32", "zigzag"), nullptr);
  EXPECT_EQ(find_variant("map1", "add", "f32", "dense"), nullptr);
  EXPECT_EQ(find_variant("zzz", "zzz", "zzz", "zzz"), nullptr);
}

TEST(Catalog, TypesAreListedOnce) {
  EXPECT_EQ(types_of("map2", "add"),
            "bf16, c128, c64, f16, f32, f64, f8, f8_e4m3fn, s16, s32, s64, s8, u16, u32, u64, u8");
  EXPECT_EQ(types_of("map2", "no_such_op"), "");
}

}  // namespace
}  // namespace nxv
