#include "runtime/ops/elementwise.h"

#include <optional>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/ops/attrs.h"
#include "runtime/ops/broadcast.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

class Elementwise {
 public:
  explicit Elementwise(const OpCall& call) : call_(call), plan_(call.info.name, call.traits) {
    const std::string given = std::to_string(call.inputs.size());
    if (call.inputs.size() != call.info.inputs) {
      plan_.fail("takes " + std::to_string(call.info.inputs) + " operands, not " + given);
    }
    if (call.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call.outs.size()));
    AttrReader(call.info.name, call.attrs).finish();
    for (uint32_t i = 0; i < call.inputs.size(); ++i) operands_.push_back(plan_.input(call.inputs, i));
  }

  OpPlan plan() {
    const std::string_view op = call_.info.name;
    if (call_.info.family == "cast") {
      if (!wanted()) plan_.fail("needs the output's type");
      cast_steps(plan_, operands_[0], plan_.output(shaped(wanted()->type)));
    } else if (op == "identity") {
      const Type type = wanted() ? wanted()->type : operands_[0].spec.type;
      cast_steps(plan_, operands_[0], plan_.output(shaped(type)));
    } else if (op == "select") {
      select();
    } else if (gives_part()) {
      part();
    } else if (fixed_out()) {
      test();
    } else {
      compute();
    }
    return plan_.finish();
  }

 private:
  const TensorSpec* wanted() const { return call_.outs.empty() ? nullptr : &call_.outs[0]; }

  // The output: `type`, and the shape that is wanted or that the operands meet in.
  TensorSpec shaped(Type type) const {
    if (!wanted()) {
      std::vector<TensorSpec> specs;
      for (const Operand& operand : operands_) specs.push_back(operand.spec);
      return {type, broadcast_dims(call_.info.name, specs)};
    }
    element_count(wanted()->dims);
    if (operands_.size() > 1) {
      std::vector<TensorSpec> specs;
      for (const Operand& operand : operands_) specs.push_back(operand.spec);
      broadcast_dims(call_.info.name, specs);
    }
    for (const Operand& operand : operands_) check_broadcast(call_.info.name, operand.spec, *wanted());
    return {type, wanted()->dims};
  }

  Type merged(size_t first) const {
    Type type = operands_[first].spec.type;
    for (size_t i = first + 1; i < operands_.size(); ++i) type = merge_types(type, operands_[i].spec.type);
    return type;
  }

  // The op's kernel from complex numbers to real ones.
  const VariantInfo* part_variant(Type type) const {
    const std::string types = std::string(type_info(type).name) + "-" + std::string(type_info(to_real(type)).name);
    return find_variant(call_.info.family, call_.info.name, types, "dense");
  }

  // abs of a complex number; real and imag of any.
  bool gives_part() const {
    const Type type = merged(0);
    return part_variant(to_complex(type)) && (type_info(type).kind == Kind::complex || !variant(Type::f32));
  }

  void part() {
    const Type type = to_complex(merged(0)), gives = to_real(type);
    const Operand output = plan_.output(shaped(wanted() ? wanted()->type : gives));
    const Operand result = output.spec.type == gives ? output : plan_.temp({gives, output.spec.dims});
    const Operand operand = cast_to(plan_, operands_[0], type);
    map_steps(plan_, call_.info.family, call_.info.name, part_variant(type)->types, {&operand, 1}, result);
    if (output.spec.type != gives) cast_steps(plan_, result, output);
  }

  const VariantInfo* variant(Type type) const {
    return find_variant(call_.info.family, call_.info.name, type_info(type).name, "dense");
  }

  // Integers meet in a float where the op has none for them, and numbers in a complex one where it has only such;
  // errors then name the type that was asked for.
  Type served(Type type) const {
    if (variant(type)) return type;
    if (!is_float(type) && variant(to_floating(type))) return to_floating(type);
    return variant(to_complex(type)) && !variant(Type::f32) ? to_complex(type) : type;
  }

  // The op gives one type whatever it reads: comparisons, logic, tests.
  bool fixed_out() const {
    for (const Type type : {parse_type("f32"), parse_type("s32")}) {
      if (const VariantInfo* found = variant(type)) return found->out != found->types;
    }
    return false;
  }

  void map(Type type, const Operand& to) {
    std::vector<Operand> operands;
    for (const Operand& operand : operands_) operands.push_back(cast_to(plan_, operand, type));
    map_steps(plan_, call_.info.family, call_.info.name, type_info(type).name, operands, to);
  }

  void compute() {
    if (wanted()) {
      map(wanted()->type, plan_.output(shaped(wanted()->type)));
    } else {
      const Type type = served(merged(0));
      map(type, plan_.output(shaped(type)));
    }
  }

  // Which operand of a comparison is signed where the other one is u64: no type holds both.
  std::optional<size_t> signed_beside_u64() const {
    if (operands_.size() != 2 || call_.info.name.starts_with("logical")) return std::nullopt;
    for (size_t i : {0, 1}) {
      if (type_info(operands_[i].spec.type).kind == Kind::sint && operands_[1 - i].spec.type == Type::u64) return i;
    }
    return std::nullopt;
  }

  // Compares as u64; below zero the answer is known.
  void compare_beside_u64(size_t negative) {
    const std::string_view op = call_.info.name;
    const bool first = negative == 0;
    const bool below = op == "not_equal" || (first ? op.starts_with("less") : op.starts_with("greater"));
    const Operand output = plan_.output(shaped(wanted() ? wanted()->type : Type::u8));
    const Operand bits = plan_.temp({Type::u8, output.spec.dims}), sign = plan_.temp({Type::u8, output.spec.dims});
    map(Type::u64, bits);
    const Operand operands[] = {operands_[negative], {{operands_[negative].spec.type, {}}, {}, Scalar{int64_t{0}}}};
    map_steps(plan_, "map2", below ? "less" : "greater_equal", type_info(operands[0].spec.type).name, operands, sign);
    const Operand both[] = {bits, sign};
    const Operand result = output.spec.type == Type::u8 ? output : plan_.temp({Type::u8, output.spec.dims});
    map_steps(plan_, "map2", below ? "bitwise_or" : "bitwise_and", "u8", both, result);
    if (output.spec.type != Type::u8) cast_steps(plan_, result, output);
  }

  void test() {
    if (const auto negative = signed_beside_u64()) return compare_beside_u64(*negative);
    const Type type = served(merged(0));
    const VariantInfo* found = variant(type);
    const Type gives = found ? parse_type(found->out) : type;
    const Operand output = plan_.output(shaped(wanted() ? wanted()->type : gives));
    if (output.spec.type == gives) {
      map(type, output);
    } else {
      const Operand result = plan_.temp({gives, output.spec.dims});
      map(type, result);
      cast_steps(plan_, result, output);
    }
  }

  void select() {
    const Operand output = plan_.output(shaped(wanted() ? wanted()->type : merged(1)));
    const Type type = output.spec.type;
    const Operand operands[] = {truth_of(plan_, operands_[0]), cast_to(plan_, operands_[1], type),
                                cast_to(plan_, operands_[2], type)};
    map_steps(plan_, "map3", "select", "b" + std::to_string(type_info(type).bits), operands, output);
  }

  const OpCall& call_;
  PlanBuilder plan_;
  std::vector<Operand> operands_;
};

}  // namespace

OpPlan plan_elementwise(const OpCall& call) { return Elementwise(call).plan(); }

}  // namespace nxv
