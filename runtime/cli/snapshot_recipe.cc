#include "runtime/cli/snapshot_recipe.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nxv::cli {

std::string RecipeCall::name() const {
  return std::string(signature.family) + "." + std::string(signature.op) + "." + std::string(signature.types);
}

Traits RecipeCall::traits_as(bool cpu) const {
  Traits changed = traits;
  changed.cpu = cpu;
  return changed;
}

Recipe find_recipe(std::string_view family) {
  static constexpr std::pair<std::string_view, Recipe> kRecipes[] = {
      {"arg", arg_launches},
      {"cast", elementwise_launches},
      {"conv", conv_launches},
      {"copy", copy_launches},
      {"dot", dot_launches},
      {"fill", fill_launches},
      {"indexed", indexed_launches},
      {"link", linked_launches},
      {"map1", elementwise_launches},
      {"map2", elementwise_launches},
      {"map3", elementwise_launches},
      {"packed", packed_launches},
      {"reduce", reduce_launches},
      {"scan", scan_launches},
      {"sort", sort_launches},
      {"window", window_launches},
      {"window_scatter", window_scatter_launches},
  };
  const auto* found = std::ranges::find(kRecipes, family, &std::pair<std::string_view, Recipe>::first);
  return found == std::end(kRecipes) ? nullptr : found->second;
}

bool may_flush(const SignatureInfo& signature) {
  static constexpr std::array<std::string_view, 23> kKeep{
      "abs",         "all",    "any",  "clip",       "equal",     "greater",     "greater_equal", "identity",
      "is_infinity", "is_nan", "less", "less_equal", "logical",   "logical_and", "logical_not",   "logical_or",
      "logical_xor", "max",    "min",  "negate",     "not_equal", "select",      "sign",
  };
  if (std::ranges::find(kKeep, signature.op) != kKeep.end()) return false;
  if (signature.op.ends_with("_max") || signature.op.ends_with("_min")) return false;
  auto out = element_kind(signature.out);
  // Casts from f32 keep them, casts to it may not.
  if (signature.family == "cast") return out && has_f32_exponents(out->type);
  auto kinds = element_kinds(signature.inputs);
  return (out && has_f32_exponents(out->type)) ||
         (kinds && std::ranges::any_of(*kinds, [](const ElementKind& kind) { return has_f32_exponents(kind.type); }));
}

bool sees_subnormals(const SignatureInfo& signature) {
  auto kinds = element_kinds(signature.inputs);
  return kinds && std::ranges::any_of(*kinds, [](const ElementKind& kind) {
           return !kind.bits_only && is_float(kind.type) && type_info(kind.type).bits / parts_of(kind.type) >= 16 &&
                  type_info(kind.type).npy != "<f2";
         });
}

}  // namespace nxv::cli
