#include "runtime/ops/builder.h"

#include <algorithm>
#include <bit>

#include "runtime/core/caps.h"
#include "runtime/core/error.h"
#include "runtime/ops/float_format.h"

namespace nxv {
Scalar held_scalar(const Scalar& scalar, Type type) {
  const TypeInfo& info = type_info(type);
  const uint64_t bits = scalar_bits(scalar, type);
  if (info.kind == Kind::uint) return {bits};
  if (info.kind == Kind::sint) return {static_cast<int64_t>(bits << (64 - info.bits)) >> (64 - info.bits)};
  return {decode_float(bits, float_format(type))};
}

void PlanBuilder::fail(const std::string& message) const {
  throw Error(Code::invalid_argument, "[" + op_ + "] " + message);
}

void PlanBuilder::unsupported(const std::string& message) const {
  throw Error(Code::unsupported, "[" + op_ + "] " + message);
}

Operand PlanBuilder::input(std::span<const Input> inputs, uint32_t index) const {
  const Input& input = inputs[index];
  element_count(input.spec.dims);
  if (input.scalar) {
    if (!input.spec.dims.empty()) fail("operand " + std::to_string(index) + " is a number and cannot have dimensions");
    return {input.spec, {}, held_scalar(*input.scalar, input.spec.type)};
  }
  if (input.address_alignment % std::max<uint64_t>(type_bytes(input.spec.type), 1) != 0) {
    fail("operand " + std::to_string(index) + " is not aligned to its elements");
  }
  return {input.spec, {Ref::Kind::input, index, 0}, std::nullopt, input.address_alignment};
}

Operand PlanBuilder::output(const TensorSpec& spec) {
  const auto index = static_cast<uint32_t>(plan_.outputs.size());
  plan_.outputs.push_back(spec);
  plan_.plan.output_bytes.push_back(byte_size(spec));
  return {spec, {Ref::Kind::output, index, 0}, std::nullopt};
}

Operand PlanBuilder::temp(const TensorSpec& spec) {
  const auto index = static_cast<uint32_t>(plan_.plan.temp_bytes.size());
  plan_.plan.temp_bytes.push_back(byte_size(spec));
  return {spec, {Ref::Kind::temp, index, 0}, std::nullopt};
}

const VariantInfo& require_variant(std::string_view family, std::string_view op, std::string_view types,
                                   std::string_view access, const Traits& traits) {
  const VariantInfo* variant = find_variant(family, op, types, access);
  if (!variant) {
    throw Error(Code::unsupported,
                "[" + std::string(op) + "] has no " + std::string(types) + "; types: " + types_of(family, op));
  }
  if (const uint32_t missing = variant->caps & ~traits.caps) {
    throw Error(Code::unsupported, "[" + std::string(variant->key) + "] device lacks " + caps_text(missing));
  }
  return *variant;
}

StepWriter& StepWriter::constant(uint32_t id, uint32_t value) {
  step_.kernel.constants.push_back({id, value});
  return *this;
}

void StepWriter::touch(const Ref& ref, uint64_t bytes, bool write) {
  step_.accesses.push_back({ref.kind, ref.index, ref.byte_offset, ref.byte_offset + bytes, write});
}

StepWriter& StepWriter::push_address(const Ref& ref, uint64_t bytes, bool write) {
  step_.addresses.push_back({static_cast<uint32_t>(step_.push.size()), ref});
  touch(ref, bytes, write);
  return push(uint64_t{0});
}

StepWriter& StepWriter::push_params() {
  step_.params_offset = static_cast<uint32_t>(step_.push.size());
  return push(uint64_t{0});
}

StepWriter& StepWriter::param_read(const Ref& ref, uint64_t bytes) {
  step_.params_addresses.push_back({static_cast<uint32_t>(step_.params.size()), ref});
  touch(ref, bytes, false);
  return param(uint64_t{0});
}

Step StepWriter::finish(const std::array<uint32_t, 3>& groups) {
  if (step_.push.size() > 128) {
    throw Error(Code::internal,
                "[" + step_.kernel.key + "] " + std::to_string(step_.push.size()) + " bytes of push constants");
  }
  step_.groups = groups;
  return std::move(step_);
}

uint64_t most_groups(const Traits& traits) {
  return std::min(uint64_t{traits.max_groups[0]} * traits.max_groups[1], (uint64_t{1} << 31) - 1);
}

std::array<uint32_t, 3> fold_groups(uint64_t groups, const Traits& traits) {
  const uint64_t rows = (groups + traits.max_groups[0] - 1) / traits.max_groups[0];
  return {static_cast<uint32_t>((groups + rows - 1) / rows), static_cast<uint32_t>(rows), 1};
}

Division division_by(uint32_t divisor) {
  const auto shift = static_cast<uint32_t>(std::bit_width(divisor - 1));
  return {static_cast<uint32_t>(((uint64_t{1} << (31 + shift)) + divisor - 1) / divisor), shift};
}

}  // namespace nxv
