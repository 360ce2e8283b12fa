// constant, iota and eye.

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/fill.h"

namespace nxv::cli {

namespace {

constexpr int64_t kElements = 4099, kRows = 37, kColumns = 45, kNumber = 113;

Launch planned(const RecipeCall& call, ElementKind out, Dims dims, const Attrs& attrs) {
  TensorSpec spec{out.type, std::move(dims)};
  OpPlan plan = plan_op(call.signature.op, attrs, std::array{spec}, {}, call.traits);
  return {std::move(plan), {}, out, {}};
}

// Widths that no integer of the table has: the dispatch as the family's planner writes it, for the same number.
Launch patterned(const RecipeCall& call, uint32_t width) {
  const uint32_t threads = std::min(256u, call.traits.max_workgroup_size);
  const bool eye = call.signature.op == "eye";
  const int64_t count = eye ? kRows * kColumns : kElements;
  const uint64_t per_group = uint64_t{threads} * 128 / width, bytes = static_cast<uint64_t>(count) * width / 8;
  LaunchBuilder builder(call.signature.op, call.traits);
  const ElementKind out{parse_type("u8"), true};
  const Operand to = builder.plan().output({out.type, {static_cast<int64_t>(bytes)}});
  StepWriter step(call.variant.key);
  step.constant(0, threads).push_write(to.ref, bytes).push(static_cast<uint32_t>(count)).push(0u);
  std::array<std::byte, 16> pattern{};
  for (size_t i = 0; i < pattern.size(); i += width / 8) pattern[i] = static_cast<std::byte>(eye ? 1 : kNumber);
  std::array<uint32_t, 4> words{};
  std::memcpy(words.data(), pattern.data(), sizeof words);
  for (uint32_t word : words) step.push(word);
  if (eye) {
    for (int64_t side : {kColumns, kRows}) {
      const Division division = division_by(static_cast<uint32_t>(side));
      step.push(static_cast<uint32_t>(side)).push(division.magic).push(division.shift);
    }
  } else {
    for (int word = 0; word < 6; ++word) step.push(0u);
  }
  builder.plan().add(step.finish(fold_groups((static_cast<uint64_t>(count) + per_group - 1) / per_group, call.traits)));
  return builder.finish(out);
}

}  // namespace

std::vector<Launch> fill_launches(const RecipeCall& call) {
  auto out = element_kind(call.signature.out);
  if (call.signature.op == "iota") {
    if (!out) return {};
    return {planned(call, *out, {kElements}, {}), planned(call, *out, {kRows, kColumns}, {{"axis", int64_t{0}}})};
  }
  if (!call.signature.out.starts_with("b")) return {};
  if (!out || is_float(out->type))
    return {patterned(call, static_cast<uint32_t>(std::stoul(std::string(call.signature.out.substr(1)))))};
  if (call.signature.op == "eye") return {planned(call, *out, {kRows, kColumns}, {})};
  if (call.signature.op != "constant") return {};
  LaunchBuilder builder(call.signature.op, call.traits);
  append_fill(builder.plan(), builder.plan().output({out->type, {kElements}}), {kNumber});
  return {builder.finish(*out)};
}

}  // namespace nxv::cli
