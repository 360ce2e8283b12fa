#include "runtime/ops/map_steps.h"

#include <algorithm>
#include <string>

#include "runtime/ops/broadcast.h"
#include "runtime/ops/fill.h"

namespace nxv {
namespace {

// Modes of an operand, as map_body.glsl numbers them.
enum Mode : uint32_t {
  kDense = 0,     // strided: element by element
  kInline = 1,    // a scalar in the push constants
  kOne = 2,       // a scalar read through its address
  kColumns = 3,   // inner: an element a column
  kRows = 4,      // inner: an element a row
  kAlong = 5,     // strided: vectors along the innermost axis
  kRepeated = 6,  // strided: one element along the innermost axis
};

uint64_t ceil_div(uint64_t a, uint64_t b) { return (a + b - 1) / b; }

// One kernel and what it works on; cuts the work into dispatches.
class MapWriter {
 public:
  MapWriter(PlanBuilder& plan, std::string_view family, std::string_view op, std::string_view types,
            std::span<const Operand> operands, const Operand& to)
      : plan_(plan), family_(family), op_(op), types_(types), operands_(operands), to_(to) {
    elems_ = static_cast<int64_t>(require_variant(family, op, types, "dense", plan.traits()).elems);
    const Traits& traits = plan.traits();
    workgroup_ = std::min(256u, traits.max_workgroup_size);
    const uint64_t vectors =
        ceil_div(static_cast<uint64_t>(element_count(to.spec.dims)), static_cast<uint64_t>(elems_));
    // A CPU runs four vectors an invocation for less each, once there is work for every unit. An H200 streams 2^28 f32
    // at 4.35 TB/s with two wherever the buffers lie; one reaches 4.38 at best and 4.08 with many buffers in flight.
    const bool large = vectors >= uint64_t{traits.compute_units} * workgroup_ * 16;
    vectors_ = !large ? 1 : traits.cpu ? 4 : 2;
    const uint64_t per_group = uint64_t{workgroup_} * vectors_ * static_cast<uint64_t>(elems_);
    const uint64_t groups = most_groups(traits);
    limit_ = static_cast<int64_t>(std::min(
        traits.index32_limit, groups > traits.index32_limit / per_group ? traits.index32_limit : groups * per_group));
    limit_ = std::max(limit_ / elems_ * elems_, elems_);
  }

  void write() {
    std::vector<std::vector<int64_t>> strides;
    for (const Operand& operand : operands_) {
      strides.push_back(broadcast_strides(operand.spec.dims, to_.spec.dims));
    }
    cut(collapse(to_.spec.dims, strides), std::vector<int64_t>(operands_.size(), 0), 0);
  }

 private:
  // `at` and `to_at`: where the operands and the output stand, in elements.
  void cut(std::vector<Axis> axes, const std::vector<int64_t>& at, int64_t to_at) {
    int64_t inner = 1;
    for (size_t d = 1; d < axes.size(); ++d) inner *= axes[d].extent;
    if (axes[0].extent * inner <= limit_) {
      dispatch(axes, at, to_at);
      return;
    }
    const int64_t extent = axes[0].extent;
    int64_t rows = limit_ / inner;
    if (rows == 0) rows = 1;
    if (rows >= elems_) rows -= rows % elems_;  // the parts stay aligned to vectors
    for (int64_t row = 0; row < extent; row += rows) {
      std::vector<int64_t> part_at = at;
      for (size_t t = 0; t < at.size(); ++t) part_at[t] += row * axes[0].strides[t];
      std::vector<Axis> part = axes;
      part[0].extent = std::min(rows, extent - row);
      if (part[0].extent == 1 && part.size() > 1) part.erase(part.begin());
      cut(std::move(part), part_at, to_at + row * inner);
    }
  }

  bool aligned(const Operand& operand, int64_t at) const {
    const uint64_t bytes = type_bytes(operand.spec.type), vector = bytes * static_cast<uint64_t>(elems_);
    const uint64_t need = std::min<uint64_t>(vector, 16);
    return operand.alignment % need == 0 && static_cast<uint64_t>(at) * bytes % need == 0;
  }

  // Modes for dense, scalar and inner kernels: nothing where these cannot serve.
  std::optional<std::vector<uint32_t>> plain_modes(const std::vector<Axis>& axes, const std::vector<int64_t>& at,
                                                   int64_t to_at) const {
    if (axes.size() > 2 || !aligned(to_, to_at)) return std::nullopt;
    const int64_t columns = axes.back().extent;
    if (axes.size() == 2 && columns % elems_ != 0) return std::nullopt;
    std::vector<uint32_t> modes;
    for (size_t t = 0; t < operands_.size(); ++t) {
      const int64_t row = axes.size() == 2 ? axes[0].strides[t] : 0, column = axes.back().strides[t];
      if (operands_[t].scalar) {
        modes.push_back(kInline);
      } else if (row == 0 && column == 0 && (axes[0].extent * columns > 1 || !aligned(operands_[t], at[t]))) {
        modes.push_back(kOne);
      } else if (column == 0 && row == 1) {
        modes.push_back(kRows);
      } else if (!aligned(operands_[t], at[t])) {
        return std::nullopt;
      } else if (row == 0 && axes.size() == 2) {
        modes.push_back(kColumns);
      } else {
        modes.push_back(kDense);
      }
    }
    return modes;
  }

  static std::string_view access_of(const std::vector<Axis>& axes, const std::vector<uint32_t>& modes) {
    if (axes.size() == 2) return "inner";
    return std::ranges::all_of(modes, [](uint32_t mode) { return mode == kDense; }) ? "dense" : "scalar";
  }

  uint32_t strided_mode(size_t t, const std::vector<Axis>& axes, int64_t at) const {
    if (operands_[t].scalar) return kInline;
    const Axis& last = axes.back();
    const bool whole = axes.size() == 1 || last.extent % elems_ == 0;
    if (whole && last.strides[t] == 0) return kRepeated;
    bool vectors = whole && last.strides[t] == 1 && aligned(operands_[t], at);
    for (size_t d = 0; d + 1 < axes.size(); ++d) vectors = vectors && axes[d].strides[t] % elems_ == 0;
    return vectors ? kAlong : kDense;
  }

  void dispatch(const std::vector<Axis>& axes, const std::vector<int64_t>& at, int64_t to_at) {
    int64_t count = 1;
    for (const Axis& axis : axes) count *= axis.extent;
    std::optional<std::vector<uint32_t>> modes = plain_modes(axes, at, to_at);
    if (modes && !find_variant(family_, op_, types_, access_of(axes, *modes))) modes.reset();
    const bool strided = !modes.has_value();
    if (strided) {
      modes.emplace();
      for (size_t t = 0; t < operands_.size(); ++t) modes->push_back(strided_mode(t, axes, at[t]));
    }
    const std::string_view access = strided ? "strided" : access_of(axes, *modes);
    const VariantInfo& variant = require_variant(family_, op_, types_, access, plan_.traits());

    StepWriter step(variant.key);
    step.constant(0, workgroup_).constant(1, vectors_);
    uint32_t packed = 0;
    for (size_t t = 0; t < modes->size(); ++t) packed |= (*modes)[t] << (4 * t);
    if (access != "dense") step.constant(2, packed);
    if (strided) {
      step.constant(3, static_cast<uint32_t>(axes.size())).constant(4, aligned(to_, to_at) ? 1 : 0);
    }
    for (size_t t = 0; t < operands_.size(); ++t) push_operand(step, t, axes, at[t]);
    Ref to = to_.ref;
    to.byte_offset += static_cast<uint64_t>(to_at) * type_bytes(to_.spec.type);
    step.push_write(to, static_cast<uint64_t>(count) * type_bytes(to_.spec.type));
    if (strided) step.push_params();
    step.push(static_cast<uint32_t>(count));
    if (access == "inner") {
      const auto columns = static_cast<uint32_t>(axes[1].extent / elems_);
      const Division division = division_by(columns);
      step.push(columns).push(division.magic).push(division.shift);
    }
    if (strided) params(step, axes);
    const uint64_t vectors = ceil_div(static_cast<uint64_t>(count), static_cast<uint64_t>(elems_));
    plan_.add(step.finish(fold_groups(ceil_div(vectors, uint64_t{workgroup_} * vectors_), plan_.traits())));
  }

  void push_operand(StepWriter& step, size_t t, const std::vector<Axis>& axes, int64_t at) const {
    const Operand& operand = operands_[t];
    if (operand.scalar) {
      step.push(scalar_bits(*operand.scalar, operand.spec.type));
      return;
    }
    int64_t reach = 1;
    for (const Axis& axis : axes) reach += (axis.extent - 1) * axis.strides[t];
    const uint64_t bytes = type_bytes(operand.spec.type);
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(at) * bytes;
    step.push_read(ref, static_cast<uint64_t>(reach) * bytes);
  }

  static void params(StepWriter& step, const std::vector<Axis>& axes) {
    for (const Axis& axis : axes) {
      const Division division = division_by(static_cast<uint32_t>(axis.extent));
      step.param(static_cast<uint32_t>(axis.extent)).param(division.magic).param(division.shift);
      for (size_t t = 0; t < 3; ++t) {
        step.param(t < axis.strides.size() ? static_cast<uint32_t>(axis.strides[t]) : 0u);
      }
    }
  }

  PlanBuilder& plan_;
  std::string_view family_, op_, types_;
  std::span<const Operand> operands_;
  const Operand& to_;
  int64_t elems_ = 1;
  uint32_t workgroup_ = 256, vectors_ = 1;
  int64_t limit_ = 0;  // elements a dispatch, a multiple of elems_
};

std::string width_of(Type type) { return "b" + std::to_string(type_info(type).bits); }

}  // namespace

void map_steps(PlanBuilder& plan, std::string_view family, std::string_view op, std::string_view types,
               std::span<const Operand> operands, const Operand& to) {
  const auto wide = [](const Operand& operand) { return type_info(operand.spec.type).bits > 64; };
  if (std::ranges::none_of(operands, wide)) return MapWriter(plan, family, op, types, operands, to).write();
  // Push constants have no room for an imaginary part of 64 bits, and a constant zero there is optimised by drivers.
  std::vector<Operand> placed(operands.begin(), operands.end());
  for (Operand& operand : placed) {
    if (wide(operand)) operand = in_memory(plan, operand);
  }
  MapWriter(plan, family, op, types, placed, to).write();
}

void cast_steps(PlanBuilder& plan, const Operand& operand, const Operand& to) {
  Operand from = operand;
  if (from.scalar) from = cast_to(plan, operand, to.spec.type);
  if (from.spec.type == to.spec.type) {
    map_steps(plan, "map1", "identity", width_of(to.spec.type), {&from, 1}, to);
    return;
  }
  const std::string types =
      std::string(type_info(from.spec.type).name) + "-" + std::string(type_info(to.spec.type).name);
  map_steps(plan, "cast", "as_type", types, {&from, 1}, to);
}

Operand cast_to(PlanBuilder& plan, const Operand& operand, Type type) {
  if (operand.spec.type == type) return operand;
  const TensorSpec spec{type, operand.spec.dims};
  if (operand.scalar) return {spec, {}, held_scalar(*operand.scalar, type)};
  Operand temp = plan.temp(spec);
  cast_steps(plan, operand, temp);
  return temp;
}

Operand truth_of(PlanBuilder& plan, const Operand& operand) {
  const Type u8 = parse_type("u8");
  if (operand.spec.type == u8) return operand;
  const TensorSpec spec{u8, operand.spec.dims};
  if (operand.scalar) {
    const bool zero = std::visit([](auto value) { return value == 0; }, operand.scalar->value);
    return {spec, {}, Scalar{uint64_t{zero ? 0u : 1u}}};
  }
  Operand temp = plan.temp(spec);
  map_steps(plan, "map1", "logical", type_info(operand.spec.type).name, {&operand, 1}, temp);
  return temp;
}

}  // namespace nxv
