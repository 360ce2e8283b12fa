#include "runtime/ops/fused.h"

#include <algorithm>

#include "runtime/core/caps.h"
#include "runtime/core/error.h"
#include "runtime/core/linker.h"
#include "runtime/ops/builder.h"

namespace nxv {
namespace {

uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

class Fused {
 public:
  Fused(const Pack& pack, const FusedProgram& program, std::span<const Input> inputs, const Traits& traits)
      : pack_(pack), program_(program), plan_("fused", traits) {
    for (uint32_t i = 0; i < inputs.size(); ++i) add_input(plan_.input(inputs, i));
    if (!shaped_) plan_.fail("needs a tensor among its inputs");
    for (const FusedCall& call : program.calls) add_call(call);
    for (const uint32_t value : program.outputs) add_output(value);
  }

  OpPlan plan() {
    const Traits& traits = plan_.traits();
    const VariantInfo& frame = require_variant("link", "frame", "b32", "entry", traits);
    const uint32_t elems = frame.elems, workgroup = std::min(256u, traits.max_workgroup_size);
    const auto count = static_cast<uint64_t>(element_count(dims_));
    const bool large = count / elems >= uint64_t{traits.compute_units} * workgroup * 16;
    link_.frame = frame.key;
    link_.vectors = !large ? 1 : traits.cpu ? 4 : 2;
    const std::shared_ptr<const LinkedKernel> kernel = link(pack_, link_);
    if (const uint32_t missing = kernel->caps & ~traits.caps) plan_.unsupported("device lacks " + caps_text(missing));

    const uint64_t per_group = uint64_t{workgroup} * link_.vectors * elems;
    const uint64_t most = std::max<uint64_t>(traits.index32_limit / per_group, 1);
    const uint64_t limit = std::min(most_groups(traits), most) * per_group;
    for (uint64_t at = 0; at < count; at += limit) {
      const uint64_t n = std::min(limit, count - at);
      StepWriter step(kernel->key);
      step.constant(0, workgroup).constant(1, link_.vectors);
      for (const Operand& input : inputs_) {
        if (input.scalar) {
          step.push(scalar_bits(*input.scalar, input.spec.type));
        } else {
          step.push_read(placed(input, at), n * type_bytes(input.spec.type));
        }
      }
      for (const Operand& output : outputs_) step.push_write(placed(output, at), n * type_bytes(output.spec.type));
      for (size_t k = inputs_.size() + outputs_.size(); k < kLinkOperands; ++k) step.push(uint64_t{0});
      step.push(static_cast<uint32_t>(n));
      Step finished = step.finish(fold_groups(ceil_div(n, per_group), traits));
      finished.kernel.linked = kernel;
      plan_.add(std::move(finished));
    }
    return plan_.finish();
  }

 private:
  static Ref placed(const Operand& operand, uint64_t at) {
    Ref ref = operand.ref;
    ref.byte_offset += at * type_bytes(operand.spec.type);
    return ref;
  }

  std::string operand_key(Type type) const {
    return std::string(require_variant("link", "operand", type_info(type).name, "function", plan_.traits()).key);
  }

  void add_input(const Operand& input) {
    if (!input.scalar) {
      if (input.alignment % 16 != 0) plan_.fail("a tensor's address is not a multiple of 16");
      if (shaped_ && input.spec.dims != dims_) plan_.fail("tensors of different shapes");
      dims_ = input.spec.dims;
      shaped_ = true;
    }
    link_.inputs.push_back({operand_key(input.spec.type), input.scalar.has_value()});
    inputs_.push_back(input);
    types_.push_back(input.spec.type);
  }

  Type type_of(uint32_t value) const {
    if (value >= types_.size()) plan_.fail("value " + std::to_string(value) + " is not there yet");
    return types_[value];
  }

  void add_call(const FusedCall& call) {
    const OpInfo* op = find_op(call.op);
    if (!op) plan_.fail("no op " + call.op);
    if (call.operands.size() != op->inputs) {
      plan_.fail(call.op + " takes " + std::to_string(op->inputs) + " operands, not " +
                 std::to_string(call.operands.size()));
    }
    std::vector<Type> operands;
    for (const uint32_t value : call.operands) operands.push_back(type_of(value));
    const SignatureInfo* signature = signature_for(*op, operands, call.out);
    if (!signature) {
      std::string given;
      for (const Type type : operands) given += (given.empty() ? "" : ", ") + std::string(type_info(type).name);
      plan_.unsupported(call.op + " has no kernel for " + given + "; types: " + types_of(op->family, op->name));
    }
    const VariantInfo& variant = require_variant(op->family, op->name, signature->types, "function", plan_.traits());
    link_.calls.push_back({std::string(variant.key), call.operands});
    types_.push_back(is_width(signature->out) ? operands.back() : parse_type(signature->out));
  }

  static bool is_width(std::string_view name) { return name[0] == 'b' && name[1] >= '0' && name[1] <= '9'; }

  // Whether a kernel that reads `name` reads elements of `type`: widths take every type of as many bits.
  static bool reads(std::string_view name, Type type) {
    const TypeInfo& info = type_info(type);
    return is_width(name) ? name.substr(1) == std::to_string(info.bits) : name == info.name;
  }

  static const SignatureInfo* signature_for(const OpInfo& op, const std::vector<Type>& operands, Type out) {
    for (const SignatureInfo& one : catalog_signatures()) {
      if (one.family != op.family || one.op != op.name) continue;
      std::string_view rest = one.inputs;
      bool good = true;
      for (const Type type : operands) {
        const size_t end = rest.find(',');
        good = good && reads(rest.substr(0, end), type);
        rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
      }
      if (good && (op.family != "cast" || one.out == type_info(out).name) && same_width(one, operands)) return &one;
    }
    return nullptr;
  }

  // What only moves bits moves those of one type.
  static bool same_width(const SignatureInfo& signature, const std::vector<Type>& operands) {
    return !is_width(signature.out) || operands.size() < 2 || operands[operands.size() - 2] == operands.back();
  }

  void add_output(uint32_t value) {
    const Type type = type_of(value);
    link_.outputs.push_back({operand_key(type), value});
    outputs_.push_back(plan_.output({type, dims_}));
  }

  const Pack& pack_;
  const FusedProgram& program_;
  PlanBuilder plan_;
  LinkProgram link_;
  Dims dims_;
  bool shaped_ = false;
  std::vector<Operand> inputs_, outputs_;
  std::vector<Type> types_;
};

}  // namespace

OpPlan plan_fused(const Pack& pack, const FusedProgram& program, std::span<const Input> inputs, const Traits& traits) {
  return Fused(pack, program, inputs, traits).plan();
}

}  // namespace nxv
