#include "runtime/ops/catalog.h"

#include <algorithm>
#include <iterator>

#include "runtime/core/traits.h"

namespace nxv {
namespace {

// Sorted by name.
constexpr OpInfo kOps[] = {
#define NXV_OP(family, name, inputs, nx) {family, name, inputs, nx},
#include "generated/catalog.inc"
#undef NXV_OP
};

// Sorted by key.
constexpr VariantInfo kVariants[] = {
#define NXV_VARIANT(key, op, types, access, caps, elems, out) {key, op, types, access, caps, elems, out},
#include "generated/catalog.inc"
#undef NXV_VARIANT
};

std::string prefix_of(std::string_view family, std::string_view op) {
  std::string prefix(family);
  prefix += '.';
  prefix += op;
  prefix += '.';
  return prefix;
}

}  // namespace

std::span<const OpInfo> catalog_ops() { return kOps; }
std::span<const VariantInfo> catalog_variants() { return kVariants; }

const OpInfo* find_op(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kOps, name, {}, &OpInfo::name);
  return found != std::end(kOps) && found->name == name ? found : nullptr;
}

const VariantInfo* find_variant(std::string_view family, std::string_view op, std::string_view types,
                                std::string_view access) {
  std::string key = prefix_of(family, op);
  key += types;
  key += '.';
  key += access;
  const auto* found = std::ranges::lower_bound(kVariants, key, {}, &VariantInfo::key);
  return found != std::end(kVariants) && found->key == key ? found : nullptr;
}

std::string types_of(std::string_view family, std::string_view op) {
  const std::string prefix = prefix_of(family, op);
  std::string list;
  std::string_view last;
  const auto* variant = std::ranges::lower_bound(kVariants, std::string_view(prefix), {}, &VariantInfo::key);
  for (; variant != std::end(kVariants) && variant->key.starts_with(prefix); ++variant) {
    if (variant->types == last) continue;
    last = variant->types;
    if (!list.empty()) list += ", ";
    list += last;
  }
  return list;
}

}  // namespace nxv
