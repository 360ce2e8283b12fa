#include "runtime/ops/packed.h"

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/ops/builder.h"
#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

// The type of a byte that holds one such element.
Type byte_type(Type type) {
  if (!is_packed(type)) return type;
  return type_info(type).kind == Kind::sint ? Type::s8 : Type::u8;
}

TensorSpec byte_spec(const TensorSpec& spec) { return {byte_type(spec.type), spec.dims}; }

// `element` is a multiple of 16, so that it begins at a byte.
Ref at(const Operand& operand, int64_t element) {
  Ref ref = operand.ref;
  ref.byte_offset += static_cast<uint64_t>(element) * type_info(operand.spec.type).bits / 8;
  return ref;
}

// `type` is the packed one. An invocation reads or writes `each` elements.
void dispatch(PlanBuilder& plan, std::string_view op, const Operand& from, const Operand& to, Type type,
              uint32_t each) {
  const Traits& traits = plan.traits();
  const VariantInfo& variant = require_variant("packed", op, "b8", "dense", traits);
  const TypeInfo& info = type_info(type);
  const uint32_t threads = std::min(256u, traits.max_workgroup_size);
  const uint64_t reach = std::min(traits.index32_limit, most_groups(traits) * threads * each);
  const int64_t count = element_count(to.spec.dims), most = static_cast<int64_t>(reach / 16 * 16);
  for (int64_t first = 0; first < count; first += most) {
    const int64_t some = std::min(most, count - first);
    StepWriter step(variant.key);
    step.constant(0, threads).constant(1, info.bits).constant(2, info.kind == Kind::sint ? 1 : 0);
    step.push_read(at(from, first), byte_size({from.spec.type, {some}}));
    step.push_write(at(to, first), byte_size({to.spec.type, {some}}));
    step.push(static_cast<uint32_t>(some));
    const auto invocations = static_cast<uint64_t>((some + each - 1) / each);
    plan.add(step.finish(fold_groups((invocations + threads - 1) / threads, traits)));
  }
}

class Packed {
 public:
  Packed(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs, std::span<const Input> inputs,
         const Traits& traits)
      : attrs_(attrs), inputs_(inputs), plan_(op, traits), outs_(outs.begin(), outs.end()) {}

  OpPlan plan() {
    const std::string_view op = plan_.op();
    if (op == "count_leading_zeros" || op == "population_count") plan_.unsupported("counts bits of whole bytes only");
    if (outs_.empty()) infer();
    std::vector<TensorSpec> bytes;
    for (const TensorSpec& out : outs_) bytes.push_back(byte_spec(out));
    OpPlan inner = plan_op(op, attrs_, bytes, byte_inputs(), plan_.traits());
    if (outs_.empty()) outs_ = inner.outputs;
    for (uint32_t i = 0; i < inputs_.size(); ++i) replaced_inputs_.push_back(unpacked(i));
    std::vector<Operand> outputs;
    for (const TensorSpec& out : outs_) {
      outputs.push_back(plan_.output(out));
      const bool packed = is_packed(out.type);
      replaced_outputs_.push_back(packed ? plan_.temp(byte_spec(out)) : outputs.back());
    }
    for (uint64_t size : inner.plan.temp_bytes) {
      replaced_temps_.push_back(plan_.temp({Type::u8, {static_cast<int64_t>(size)}}));
    }
    for (Step& step : inner.plan.steps) plan_.add(moved(std::move(step)));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (is_packed(outs_[i].type)) pack_steps(plan_, saturated(replaced_outputs_[i], outs_[i].type), outputs[i]);
    }
    return plan_.finish();
  }

 private:
  std::vector<Input> byte_inputs() const {
    std::vector<Input> bytes(inputs_.begin(), inputs_.end());
    for (Input& input : bytes) {
      const Type type = input.spec.type;
      if (!is_packed(type)) continue;
      if (input.scalar) input.scalar = held_scalar(*input.scalar, type);
      input.spec.type = byte_type(type);
      input.address_alignment = 256;
    }
    return bytes;
  }

  // Where the operation gives the type that its operands meet in, it gives the packed one. 16 bits tell: sums of them
  // are wider, comparisons narrower.
  void infer() {
    std::vector<Input> probe = byte_inputs();
    for (Input& input : probe) input.spec.type = Type::s16;
    const std::vector<TensorSpec> outs = plan_op(plan_.op(), attrs_, {}, probe, plan_.traits()).outputs;
    const bool keeps = std::ranges::all_of(outs, [](const TensorSpec& out) { return out.type == Type::s16; });
    if (!keeps) return;
    Type type = inputs_.back().spec.type;
    if (find_op(plan_.op())->family == "indexed") {
      type = inputs_[0].spec.type;  // not that of the indices
      if (inputs_.size() > 2) type = merge_types(type, inputs_[2].spec.type);
    } else if (plan_.op() != "select") {
      for (const Input& input : inputs_) type = merge_types(type, input.spec.type);
    } else {
      type = merge_types(inputs_[1].spec.type, inputs_[2].spec.type);
    }
    for (const TensorSpec& out : outs) outs_.push_back({type, out.dims});
  }

  Operand unpacked(uint32_t index) {
    const Input& input = inputs_[index];
    const Operand from{input.spec, {Ref::Kind::input, index, 0}, std::nullopt, input.address_alignment};
    if (input.scalar || !is_packed(input.spec.type)) return from;
    const Operand to = plan_.temp(byte_spec(input.spec));
    unpack_steps(plan_, from, to);
    return to;
  }

  // What was a float saturates at the limits of the packed type.
  Operand saturated(const Operand& bytes, Type type) {
    if (plan_.op() != "as_type" || !is_float(inputs_[0].spec.type)) return bytes;
    const TypeInfo& info = type_info(type);
    const bool sint = info.kind == Kind::sint;
    const int64_t most = (int64_t{1} << (info.bits - (sint ? 1 : 0))) - 1, least = sint ? -most - 1 : 0;
    const auto limit = [&](int64_t value) { return Operand{{bytes.spec.type, {}}, {}, Scalar{value}}; };
    const Operand operands[] = {bytes, limit(least), limit(most)};
    const Operand clipped = plan_.temp(bytes.spec);
    map_steps(plan_, "map3", "clip", type_info(bytes.spec.type).name, operands, clipped);
    return clipped;
  }

  void replace(Ref::Kind& kind, uint32_t& index, uint64_t& offset) const {
    const Operand& now = kind == Ref::Kind::input    ? replaced_inputs_[index]
                         : kind == Ref::Kind::output ? replaced_outputs_[index]
                                                     : replaced_temps_[index];
    kind = now.ref.kind;
    index = now.ref.index;
    offset += now.ref.byte_offset;
  }

  Step moved(Step step) const {
    for (auto* slots : {&step.addresses, &step.params_addresses}) {
      for (AddressSlot& slot : *slots) replace(slot.ref.kind, slot.ref.index, slot.ref.byte_offset);
    }
    for (Access& access : step.accesses) {
      uint64_t offset = 0;
      replace(access.kind, access.index, offset);
      access.begin += offset;
      access.end += offset;
    }
    return step;
  }

  const Attrs& attrs_;
  std::span<const Input> inputs_;
  PlanBuilder plan_;
  std::vector<TensorSpec> outs_;
  std::vector<Operand> replaced_inputs_, replaced_outputs_, replaced_temps_;
};

}  // namespace

void pack_steps(PlanBuilder& plan, const Operand& bytes, const Operand& to) {
  dispatch(plan, "pack", bytes, to, to.spec.type, 8 / type_info(to.spec.type).bits);
}

void unpack_steps(PlanBuilder& plan, const Operand& packed, const Operand& to) {
  dispatch(plan, "unpack", packed, to, packed.spec.type, 4);
}

bool has_packed(std::span<const TensorSpec> outs, std::span<const Input> inputs) {
  return std::ranges::any_of(outs, [](const TensorSpec& out) { return is_packed(out.type); }) ||
         std::ranges::any_of(inputs, [](const Input& input) { return is_packed(input.spec.type); });
}

OpPlan plan_packed(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs,
                   std::span<const Input> inputs, const Traits& traits) {
  return Packed(op, attrs, outs, inputs, traits).plan();
}

}  // namespace nxv
