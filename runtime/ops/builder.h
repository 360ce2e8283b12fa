#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/ops/catalog.h"
#include "runtime/ops/op.h"

namespace nxv {

// A tensor inside a plan: an input, an output or a temporary, contiguous; or a scalar that the host knows.
struct Operand {
  TensorSpec spec;
  Ref ref;                       // where it starts; not used for a scalar
  std::optional<Scalar> scalar;  // already of spec.type
  uint64_t alignment = 256;      // of its address
};

// A number cast to `type` and back, as the type holds it: 0.1 of type f32 is not 0.1 of type f64.
Scalar held_scalar(const Scalar& scalar, Type type);

// Collects the steps of a plan.
class PlanBuilder {
 public:
  PlanBuilder(std::string_view op, const Traits& traits) : op_(op), traits_(traits) {}

  std::string_view op() const { return op_; }
  const Traits& traits() const { return traits_; }

  // Throws where the input's address isn't aligned to its elements or a scalar has dimensions.
  Operand input(std::span<const Input> inputs, uint32_t index) const;
  Operand output(const TensorSpec& spec);
  Operand temp(const TensorSpec& spec);
  void add(Step step) { plan_.plan.steps.push_back(std::move(step)); }
  OpPlan finish() { return std::move(plan_); }

  // invalid_argument and unsupported, beginning with "[op] ".
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void unsupported(const std::string& message) const;

 private:
  std::string op_;
  const Traits& traits_;
  OpPlan plan_;
};

// The variant, or unsupported: "[add] has no f16; types: …" or "[map2.add.f64.dense] device lacks float64".
const VariantInfo& require_variant(std::string_view family, std::string_view op, std::string_view types,
                                   std::string_view access, const Traits& traits);

// Writes one dispatch. Push constants and parameters are packed as the kernel's scalar block layout has them: call in
// the order of the block's members.
class StepWriter {
 public:
  explicit StepWriter(std::string_view key) { step_.kernel.key = key; }

  StepWriter& constant(uint32_t id, uint32_t value);
  template <typename T>
  StepWriter& push(T value) {
    append(step_.push, value);
    return *this;
  }
  // The address of `ref`, of which `bytes` are touched.
  StepWriter& push_read(const Ref& ref, uint64_t bytes) { return push_address(ref, bytes, false); }
  StepWriter& push_write(const Ref& ref, uint64_t bytes) { return push_address(ref, bytes, true); }
  // Of what is read and then written over.
  StepWriter& push_update(const Ref& ref, uint64_t bytes) {
    touch(ref, bytes, false);
    return push_write(ref, bytes);
  }
  // The address of the parameter block.
  StepWriter& push_params();
  template <typename T>
  StepWriter& param(T value) {
    append(step_.params, value);
    return *this;
  }
  StepWriter& param_read(const Ref& ref, uint64_t bytes);
  // Throws internal where the push constants pass 128 bytes.
  Step finish(const std::array<uint32_t, 3>& groups);

 private:
  template <typename T>
  static void append(std::vector<std::byte>& to, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const size_t at = to.size();
    to.resize(at + sizeof value);
    std::memcpy(to.data() + at, &value, sizeof value);
  }
  StepWriter& push_address(const Ref& ref, uint64_t bytes, bool write);
  void touch(const Ref& ref, uint64_t bytes, bool write);

  Step step_;
};

// The most workgroups one dispatch can have when x is folded into y, and that folding (index.glsl, linear_group).
uint64_t most_groups(const Traits& traits);
std::array<uint32_t, 3> fold_groups(uint64_t groups, const Traits& traits);

// Division of numbers below 2³¹ by `divisor` in [1, 2³¹] (index.glsl, divide_by).
struct Division {
  uint32_t magic = 0, shift = 0;
};
Division division_by(uint32_t divisor);

}  // namespace nxv
