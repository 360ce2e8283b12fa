#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/launch.h"
#include "runtime/cli/snapshot_inputs.h"
#include "runtime/core/pack.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

// A kernel to be reached, and what it shall be given.
struct RecipeCall {
  const VariantInfo& variant;
  const SignatureInfo& signature;
  Values values;
  Traits traits;  // of the device
  const Pack& pack;

  // "map2.add.f32": what seeds derive from.
  std::string name() const;
  // The device's traits as if it were a CPU device, or weren't: which loop body planners take.
  Traits traits_as(bool cpu) const;
};

// A family's launches, made so that planners come upon the variant's access; empty where it has no recipe. The caller
// keeps those that run the key, and expects at least one.
using Recipe = std::vector<Launch> (*)(const RecipeCall& call);

std::vector<Launch> arg_launches(const RecipeCall& call);
std::vector<Launch> elementwise_launches(const RecipeCall& call);
std::vector<Launch> linked_launches(const RecipeCall& call);
std::vector<Launch> fill_launches(const RecipeCall& call);
std::vector<Launch> copy_launches(const RecipeCall& call);
std::vector<Launch> reduce_launches(const RecipeCall& call);
std::vector<Launch> scan_launches(const RecipeCall& call);
std::vector<Launch> sort_launches(const RecipeCall& call);
std::vector<Launch> dot_launches(const RecipeCall& call);
std::vector<Launch> indexed_launches(const RecipeCall& call);
std::vector<Launch> packed_launches(const RecipeCall& call);
std::vector<Launch> conv_launches(const RecipeCall& call);
std::vector<Launch> window_launches(const RecipeCall& call);
std::vector<Launch> window_scatter_launches(const RecipeCall& call);

// Null where the family has none.
Recipe find_recipe(std::string_view family);

// Whether op and types do arithmetic that may flush f32 subnormals (the numeric contract's list of those that may not).
bool may_flush(const SignatureInfo& signature);

// Whether subnormals among the operands make a difference worth a digest of its own.
bool sees_subnormals(const SignatureInfo& signature);

}  // namespace nxv::cli
