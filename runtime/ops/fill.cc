#include "runtime/ops/fill.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "runtime/ops/attrs.h"
#include "runtime/ops/strided_copy.h"

namespace nxv {
namespace {

std::string width_of(Type type) { return "b" + std::to_string(type_info(type).bits); }

uint32_t workgroup(const Traits& traits) { return std::min(256u, traits.max_workgroup_size); }

// The bits of one element, repeated over 128.
std::array<uint32_t, 4> pattern_of(const Scalar& scalar, Type type) {
  const uint64_t bits = scalar_bits(scalar, type);
  const auto low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
  switch (type_info(type).bits) {
    case 8:
      return {low * 0x01010101u, low * 0x01010101u, low * 0x01010101u, low * 0x01010101u};
    case 16:
      return {low * 0x00010001u, low * 0x00010001u, low * 0x00010001u, low * 0x00010001u};
    case 32:
      return {low, low, low, low};
    case 64:
      return {low, high, low, high};
    default:
      return {low, high, 0, 0};
  }
}

// Calls `piece(first, count)` for runs of elements that one dispatch can index and reach; every run but the last is a
// multiple of 16 elements, so that it begins at a multiple of 16 bytes.
void for_pieces(const PlanBuilder& plan, int64_t count, int64_t per_group,
                const std::function<void(int64_t first, int64_t count)>& piece) {
  const uint64_t reach = most_groups(plan.traits()) * static_cast<uint64_t>(per_group);
  const auto most = static_cast<int64_t>(std::min(plan.traits().index32_limit, reach)) / 16 * 16;
  for (int64_t first = 0; first < count; first += most) piece(first, std::min(most, count - first));
}

std::array<uint32_t, 3> groups_for(const PlanBuilder& plan, int64_t count, int64_t per_group) {
  return fold_groups(static_cast<uint64_t>((count + per_group - 1) / per_group), plan.traits());
}

Ref at(const Operand& to, int64_t element) {
  Ref ref = to.ref;
  ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(to.spec.type);
  return ref;
}

bool fits_one_dispatch(const PlanBuilder& plan, int64_t count, int64_t per_group) {
  int64_t pieces = 0;
  for_pieces(plan, count, per_group, [&](int64_t, int64_t) { ++pieces; });
  return pieces == 1;
}

// Counts from 0 along all elements of `to`.
void append_counters(PlanBuilder& plan, const Operand& to) {
  const VariantInfo& variant = require_variant("fill", "iota", type_info(to.spec.type).name, "dense", plan.traits());
  const uint32_t threads = workgroup(plan.traits());
  const int64_t per_group = int64_t{threads} * variant.elems;
  for_pieces(plan, element_count(to.spec.dims), per_group, [&](int64_t first, int64_t count) {
    StepWriter step(variant.key);
    step.constant(0, threads).constant(1, 0);
    step.push_write(at(to, first), static_cast<uint64_t>(count) * type_bytes(to.spec.type));
    step.push(static_cast<uint32_t>(count));
    step.push(static_cast<uint32_t>(first)).push(static_cast<uint32_t>(first >> 32));
    for (int word = 0; word < 5; ++word) step.push(0u);
    plan.add(step.finish(groups_for(plan, count, per_group)));
  });
}

// Counts from 0 to size - 1 along an axis, `inner` elements each.
void append_axis_counters(PlanBuilder& plan, const Operand& to, int64_t size, int64_t inner) {
  const VariantInfo& variant = require_variant("fill", "iota", type_info(to.spec.type).name, "dense", plan.traits());
  const uint32_t threads = workgroup(plan.traits());
  const int64_t per_group = int64_t{threads} * variant.elems, count = element_count(to.spec.dims);
  if (inner == 1 && size == count) return append_counters(plan, to);
  if (!fits_one_dispatch(plan, count, per_group)) {
    const Operand line = plan.temp({to.spec.type, {size}});
    append_counters(plan, line);
    const int64_t outer = count / size / inner;
    return append_copy(plan,
                       {.from = line, .to = to, .axes = {{outer, 0, size * inner}, {size, 1, inner}, {inner, 0, 1}}});
  }
  const Division by_inner = division_by(static_cast<uint32_t>(inner)),
                 by_size = division_by(static_cast<uint32_t>(size));
  StepWriter step(variant.key);
  step.constant(0, threads).constant(1, 1);
  step.push_write(to.ref, byte_size(to.spec));
  step.push(static_cast<uint32_t>(count)).push(0u).push(0u);
  step.push(by_inner.magic).push(by_inner.shift);
  step.push(static_cast<uint32_t>(size)).push(by_size.magic).push(by_size.shift);
  plan.add(step.finish(groups_for(plan, count, per_group)));
}

void append_eye(PlanBuilder& plan, const Operand& to) {
  const VariantInfo& variant = require_variant("fill", "eye", width_of(to.spec.type), "dense", plan.traits());
  const uint32_t threads = workgroup(plan.traits());
  const int64_t per_group = int64_t{threads} * 128 / type_info(to.spec.type).bits, count = element_count(to.spec.dims);
  const int64_t columns = to.spec.dims.back(), rows = to.spec.dims.end()[-2];
  if (!fits_one_dispatch(plan, count, per_group)) {
    append_fill(plan, to, {int64_t{0}});
    const Operand one = in_memory(plan, {{to.spec.type, {}}, {}, Scalar{int64_t{1}}});
    return append_copy(
        plan, {.from = one,
               .to = to,
               .axes = {{count / rows / columns, 0, rows * columns}, {std::min(rows, columns), 0, columns + 1}}});
  }
  StepWriter step(variant.key);
  step.constant(0, threads);
  step.push_write(to.ref, byte_size(to.spec)).push(static_cast<uint32_t>(count)).push(0u);
  for (uint32_t word : pattern_of({int64_t{1}}, to.spec.type)) step.push(word);
  for (int64_t side : {columns, rows}) {
    const Division division = division_by(static_cast<uint32_t>(side));
    step.push(static_cast<uint32_t>(side)).push(division.magic).push(division.shift);
  }
  plan.add(step.finish(groups_for(plan, count, per_group)));
}

}  // namespace

void append_fill(PlanBuilder& plan, const Operand& to, const Scalar& scalar) {
  const VariantInfo& variant = require_variant("fill", "constant", width_of(to.spec.type), "dense", plan.traits());
  const uint32_t threads = workgroup(plan.traits());
  const int64_t per_vector = 128 / type_info(to.spec.type).bits, per_group = threads * per_vector;
  for_pieces(plan, element_count(to.spec.dims), per_group, [&](int64_t first, int64_t count) {
    StepWriter step(variant.key);
    step.constant(0, threads);
    step.push_write(at(to, first), static_cast<uint64_t>(count) * type_bytes(to.spec.type));
    step.push(static_cast<uint32_t>(count)).push(0u);
    for (uint32_t word : pattern_of(scalar, to.spec.type)) step.push(word);
    for (int word = 0; word < 6; ++word) step.push(0u);
    plan.add(step.finish(groups_for(plan, count, per_group)));
  });
}

Operand in_memory(PlanBuilder& plan, const Operand& operand, const Dims& dims) {
  if (!operand.scalar) return operand;
  const Operand filled = plan.temp({operand.spec.type, dims});
  append_fill(plan, filled, *operand.scalar);
  return filled;
}

OpPlan plan_fill(const OpCall& call) {
  PlanBuilder plan(call.info.name, call.traits);
  AttrReader attrs(call.info.name, call.attrs);
  if (call.outs.size() != 1) plan.fail("needs the output's type and shape");
  const TensorSpec& out = call.outs[0];
  element_count(out.dims);
  const auto rank = static_cast<int64_t>(out.dims.size());
  if (call.info.name == "constant") {
    attrs.finish();
    if (call.inputs.size() != 1 || !call.inputs[0].scalar) plan.fail("takes one number");
    const Operand to = plan.output(out);
    append_fill(plan, to, *call.inputs[0].scalar);
    return plan.finish();
  }
  if (!call.inputs.empty()) plan.fail("takes no operands");
  if (call.info.name == "iota") {
    const std::optional<int64_t> axis = attrs.integer("axis");
    attrs.finish();
    if (axis && (*axis < 0 || *axis >= rank))
      plan.fail("has no axis " + std::to_string(*axis) + " in " + to_string(out));
    const Operand to = plan.output(out);
    if (!axis) {
      append_counters(plan, to);
    } else {
      const auto place = out.dims.begin() + *axis;
      append_axis_counters(plan, to, *place, element_count(Dims(place + 1, out.dims.end())));
    }
    return plan.finish();
  }
  attrs.finish();
  if (rank < 2) plan.fail("needs two axes at least, not " + to_string(out));
  append_eye(plan, plan.output(out));
  return plan.finish();
}

}  // namespace nxv
