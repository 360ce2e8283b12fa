#include "runtime/ops/reduce.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/reduce_steps.h"
#include "runtime/ops/strided_copy.h"

namespace nxv {
namespace {

// Neighbouring axes of one sort, as one.
struct Run {
  int64_t extent = 1;
  bool reduced = false;
};

std::vector<Run> runs_of(const Dims& dims, const std::vector<bool>& reduced) {
  std::vector<Run> runs;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    if (!runs.empty() && runs.back().reduced == reduced[d]) {
      runs.back().extent *= dims[d];
    } else {
      runs.push_back({dims[d], reduced[d]});
    }
  }
  return runs;
}

class Reduction {
 public:
  explicit Reduction(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {}

  OpPlan plan() {
    if (call_.inputs.size() != 1) plan_.fail("takes 1 operand, not " + std::to_string(call_.inputs.size()));
    if (call_.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call_.outs.size()));
    const Operand operand = plan_.input(call_.inputs, 0);
    const std::vector<bool> reduced = reduced_axes(operand.spec.dims);
    const Operand to = plan_.output(out_spec(operand.spec, reduced));
    const bool truth = call_.info.name == "all" || call_.info.name == "any";
    Type gives = truth ? parse_type("u8") : to.spec.type;
    // Narrow integers are added up as wider ones.
    if (!has_kernel(gives, gives) && !has_kernel(operand.spec.type, gives)) gives = to_aggregate(gives);
    const Operand from = in_memory(plan_, readable(operand, gives));
    if (gives == to.spec.type) {
      reduce(from, reduced, to);
    } else {
      const Operand result = plan_.temp({gives, to.spec.dims});
      reduce(from, reduced, result);
      cast_steps(plan_, result, to);
    }
    return plan_.finish();
  }

 private:
  std::vector<bool> reduced_axes(const Dims& dims) {
    const std::optional<std::vector<int64_t>> axes = attrs_.list("axes");
    keep_axes_ = attrs_.integer("keep_axes", 0) != 0;
    attrs_.finish();
    std::vector<bool> reduced(dims.size(), !axes);
    if (!axes) return reduced;
    for (int64_t axis : *axes) {
      if (axis < 0 || axis >= static_cast<int64_t>(dims.size())) {
        plan_.fail("has no axis " + std::to_string(axis) + " in rank " + std::to_string(dims.size()));
      }
      if (reduced[static_cast<size_t>(axis)]) plan_.fail("names axis " + std::to_string(axis) + " twice");
      reduced[static_cast<size_t>(axis)] = true;
    }
    return reduced;
  }

  TensorSpec out_spec(const TensorSpec& from, const std::vector<bool>& reduced) const {
    Dims kept, with_ones;
    for (size_t d = 0; d < from.dims.size(); ++d) {
      if (!reduced[d]) kept.push_back(from.dims[d]);
      with_ones.push_back(reduced[d] ? 1 : from.dims[d]);
    }
    if (!call_.outs.empty()) {
      const TensorSpec& wanted = call_.outs[0];
      if (wanted.dims != kept && wanted.dims != with_ones) {
        plan_.fail("gives " + to_string({wanted.type, kept}) + ", not " + to_string(wanted));
      }
      return wanted;
    }
    const std::string_view op = call_.info.name;
    const Type type = op == "sum" || op == "product"             ? to_aggregate(from.type)
                      : op == "reduce_max" || op == "reduce_min" ? from.type
                                                                 : parse_type("u8");
    return {type, keep_axes_ ? with_ones : kept};
  }

  bool has_kernel(Type from, Type gives) const {
    return find_variant("reduce", call_.info.name, reduce_types(from, gives), "row") != nullptr;
  }

  // The operand as a type that a kernel reads when it gives `gives`.
  Operand readable(const Operand& operand, Type gives) {
    if (has_kernel(operand.spec.type, gives)) return operand;
    return cast_to(plan_, operand, gives);
  }

  void reduce(const Operand& from, const std::vector<bool>& reduced, const Operand& to) {
    const std::vector<Run> runs = runs_of(from.spec.dims, reduced);
    const int64_t count = element_count(from.spec.dims), kept = element_count(to.spec.dims), n = count / kept;
    const size_t spans = static_cast<size_t>(std::ranges::count(runs, true, &Run::reduced));
    const std::string_view op = call_.info.name;
    if (spans == 0 || (spans == 1 && runs.back().reduced)) return append_reduce(plan_, op, from, {kept, n, 1}, to);
    if (spans == 1) {
      const int64_t inner = runs.back().extent;
      const ReduceShape shape{kept / inner, n, inner};
      if (fits_columns(shape, call_.traits)) return append_reduce(plan_, op, from, shape, to);
    }
    append_reduce(plan_, op, reduced_last(from, reduced), {kept, n, 1}, to);
  }

  // The operand with its reduced axes last, in their order.
  Operand reduced_last(const Operand& from, const std::vector<bool>& reduced) {
    const Dims& dims = from.spec.dims;
    std::vector<int64_t> from_strides(dims.size());
    int64_t stride = 1;
    for (size_t d = dims.size(); d-- > 0;) {
      from_strides[d] = stride;
      stride *= dims[d];
    }
    const Operand to = plan_.temp(from.spec);
    StridedCopy copy{.from = from, .to = to};
    copy.axes.resize(dims.size());
    stride = 1;
    for (bool pass : {true, false}) {
      for (size_t d = dims.size(); d-- > 0;) {
        if (reduced[d] != pass) continue;
        copy.axes[d] = {dims[d], from_strides[d], stride};
        stride *= dims[d];
      }
    }
    append_copy(plan_, copy);
    return to;
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
  bool keep_axes_ = false;
};

}  // namespace

OpPlan plan_reduce(const OpCall& call) { return Reduction(call).plan(); }

}  // namespace nxv
