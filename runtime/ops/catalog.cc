#include "runtime/ops/catalog.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/core/traits.h"

namespace nxv {
namespace {

// Sorted by name.
constexpr OpInfo kOps[] = {
#define NXV_OP(family, name, inputs, nx) {family, name, inputs, nx},
#include "generated/catalog.inc"
#undef NXV_OP
};

// Sorted by op, then by types.
constexpr SignatureInfo kSignatures[] = {
#define NXV_SIGNATURE(family, op, types, inputs, out, ulp) {family, op, types, inputs, out, ulp},
#include "generated/catalog.inc"
#undef NXV_SIGNATURE
};

struct FamilyInfo {
  std::string_view name;
  bool contract;
};
constexpr FamilyInfo kFamilies[] = {
#define NXV_FAMILY(name, contract) {name, contract},
#include "generated/catalog.inc"
#undef NXV_FAMILY
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
std::span<const SignatureInfo> catalog_signatures() { return kSignatures; }
std::span<const VariantInfo> catalog_variants() { return kVariants; }

const OpInfo* find_op(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kOps, name, {}, &OpInfo::name);
  return found != std::end(kOps) && found->name == name ? found : nullptr;
}

const SignatureInfo* find_signature(std::string_view family, std::string_view op, std::string_view types) {
  const auto names = [](const SignatureInfo& one) { return std::pair(one.op, one.types); };
  const auto* found = std::ranges::lower_bound(kSignatures, std::pair(op, types), {}, names);
  return found != std::end(kSignatures) && names(*found) == std::pair(op, types) && found->family == family ? found
                                                                                                            : nullptr;
}

bool is_contracted(std::string_view family) {
  const auto* found = std::ranges::find(kFamilies, family, &FamilyInfo::name);
  return found != std::end(kFamilies) && found->contract;
}

const VariantInfo* find_variant(std::string_view key) {
  const auto* found = std::ranges::lower_bound(kVariants, key, {}, &VariantInfo::key);
  return found != std::end(kVariants) && found->key == key ? found : nullptr;
}

const VariantInfo* find_variant(std::string_view family, std::string_view op, std::string_view types,
                                std::string_view access) {
  std::string key = prefix_of(family, op);
  key += types;
  key += '.';
  key += access;
  return find_variant(key);
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
