// Functions, which the linker makes kernels of: each alone between loads and stores.

#include <array>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/core/linker.h"
#include "runtime/ops/fused.h"

namespace nxv::cli {

namespace {

// As in the launches of the op's own kernels, so that the digest is that of the dense one.
constexpr std::array<int64_t, 2> kCounts{4099, 1};

Launch launch(const RecipeCall& call, const FusedProgram& program, std::span<const ElementKind> kinds, ElementKind out,
              uint64_t number) {
  const Dims dims{kCounts[number]};
  Launch launch{.plan = {}, .inputs = {}, .out = out};
  std::vector<Input> inputs;
  for (size_t k = 0; k < kinds.size(); ++k) {
    inputs.push_back({.spec = {kinds[k].type, dims}, .scalar = std::nullopt});
    ValueSource source(call.name(), number * 8 + k, call.values);
    launch.inputs.push_back(source.take(kinds[k], dims[0], {.first_special = number >= 2}));
  }
  launch.plan = plan_fused(call.pack, program, inputs, call.traits);
  // The kernel's own key is a hash of the program's. plan_fused finds no other function for this op and these types.
  launch.linked.emplace_back(call.variant.key);
  return launch;
}

}  // namespace

std::vector<Launch> linked_launches(const RecipeCall& call) {
  auto kinds = element_kinds(call.signature.inputs);
  auto out = element_kind(call.signature.out);
  if (!kinds || !out) return {};
  FusedProgram program;
  if (call.signature.family == "link") {
    // What stands around every function shows by itself where there is none: a copy.
    kinds->push_back(*out);
    program.outputs = {0};
  } else {
    FusedCall function{std::string(call.signature.op), {}, out->type};
    for (uint32_t k = 0; k < kinds->size(); ++k) function.operands.push_back(k);
    program = {{function}, {static_cast<uint32_t>(kinds->size())}};
  }
  std::vector<Launch> launches;
  for (uint64_t number = 0; number < kCounts.size(); ++number) {
    launches.push_back(launch(call, program, *kinds, *out, number));
  }
  return launches;
}

}  // namespace nxv::cli
