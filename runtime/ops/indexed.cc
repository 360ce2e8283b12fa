#include "runtime/ops/indexed.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/gather_steps.h"
#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

std::vector<int64_t> strides_of(const Dims& dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) strides[d] = stride;
  return strides;
}

class IndexedOps {
 public:
  explicit IndexedOps(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {
    if (call.inputs.size() != 2) plan_.fail("takes 2 operands, not " + std::to_string(call.inputs.size()));
    if (call.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call.outs.size()));
    for (uint32_t i = 0; i < call.inputs.size(); ++i) operands_.push_back(plan_.input(call.inputs, i));
    if (is_float(operands_[1].spec.type)) {
      plan_.fail("indices must be integers, not " + to_string(operands_[1].spec));
    }
  }

  OpPlan plan() {
    const std::string_view op = call_.info.name;
    if (op == "gather") {
      gather();
    } else if (op == "take") {
      take();
    } else {
      take_along_axis();
    }
    return plan_.finish();
  }

 private:
  int64_t axis_of(int64_t axis) const {
    const auto rank = static_cast<int64_t>(operands_[0].spec.dims.size());
    if (axis < 0 || axis >= rank) {
      plan_.fail("has no axis " + std::to_string(axis) + " in rank " + std::to_string(rank));
    }
    return axis;
  }

  // The axes that the last axis of the indices speaks of.
  std::vector<int64_t> named_axes() {
    const Dims& indices = operands_[1].spec.dims;
    if (indices.empty()) plan_.fail("needs indices of rank 1 at least");
    std::optional<std::vector<int64_t>> axes = attrs_.list("axes");
    attrs_.finish();
    if (!axes) {
      axes.emplace(static_cast<size_t>(std::min<int64_t>(indices.back(), 1 << 16)));
      std::iota(axes->begin(), axes->end(), 0);
    }
    if (static_cast<int64_t>(axes->size()) != indices.back()) {
      plan_.fail("has " + std::to_string(axes->size()) + " axes for " + std::to_string(indices.back()) + " indices");
    }
    for (int64_t axis : *axes) {
      if (std::ranges::count(*axes, axis_of(axis)) > 1) plan_.fail("names axis " + std::to_string(axis) + " twice");
    }
    return *axes;
  }

  Operand output(const Dims& dims) {
    const Type type = call_.outs.empty() ? operands_[0].spec.type : call_.outs[0].type;
    if (!call_.outs.empty() && call_.outs[0].dims != dims) {
      plan_.fail("gives " + to_string({type, dims}) + ", not " + to_string(call_.outs[0]));
    }
    element_count(dims);
    return plan_.output({type, dims});
  }

  void append(Gather&& gather) {
    gather.to = output(gather.dims);
    gather.from = in_memory(plan_, cast_to(plan_, operands_[0], gather.to.spec.type));
    gather.indices = in_memory(plan_, operands_[1]);
    append_gather(plan_, gather);
  }

  void gather() {
    const std::vector<int64_t> axes = named_axes();
    const Dims &from = operands_[0].spec.dims, &indices = operands_[1].spec.dims;
    const std::vector<int64_t> strides = strides_of(from), index_strides = strides_of(indices);
    Gather gather;
    for (int64_t axis : axes) {
      gather.indexed.push_back({from[static_cast<size_t>(axis)], strides[static_cast<size_t>(axis)]});
    }
    for (size_t d = 0; d + 1 < indices.size(); ++d) add_dim(gather, indices[d], 0, index_strides[d]);
    for (size_t d = 0; d < from.size(); ++d) {
      if (std::ranges::count(axes, static_cast<int64_t>(d)) == 0) add_dim(gather, from[d], strides[d], 0);
    }
    append(std::move(gather));
  }

  void take() {
    const int64_t axis = axis_of(attrs_.integer("axis", 0));
    attrs_.finish();
    const Dims &from = operands_[0].spec.dims, &indices = operands_[1].spec.dims;
    const std::vector<int64_t> strides = strides_of(from), index_strides = strides_of(indices);
    const auto at = static_cast<size_t>(axis);
    Gather gather{.indexed = {{from[at], strides[at]}}};
    for (size_t d = 0; d < from.size(); ++d) {
      if (d != at) {
        add_dim(gather, from[d], strides[d], 0);
        continue;
      }
      for (size_t i = 0; i < indices.size(); ++i) add_dim(gather, indices[i], 0, index_strides[i]);
    }
    append(std::move(gather));
  }

  void take_along_axis() {
    const int64_t axis = axis_of(attrs_.integer("axis", 0));
    attrs_.finish();
    const Dims &from = operands_[0].spec.dims, &indices = operands_[1].spec.dims;
    const auto at = static_cast<size_t>(axis);
    Dims wanted = from;
    if (indices.size() == from.size()) wanted[at] = indices[at];
    if (wanted != indices) {
      plan_.fail("has indices " + to_string(operands_[1].spec) + " for " + to_string(operands_[0].spec) +
                 " along axis " + std::to_string(axis));
    }
    const std::vector<int64_t> strides = strides_of(from), index_strides = strides_of(indices);
    Gather gather{.indexed = {{from[at], strides[at]}}};
    for (size_t d = 0; d < from.size(); ++d) add_dim(gather, indices[d], d == at ? 0 : strides[d], index_strides[d]);
    append(std::move(gather));
  }

  static void add_dim(Gather& gather, int64_t extent, int64_t from_stride, int64_t index_stride) {
    gather.dims.push_back(extent);
    gather.from_strides.push_back(from_stride);
    gather.index_strides.push_back(index_stride);
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
  std::vector<Operand> operands_;
};

}  // namespace

OpPlan plan_indexed(const OpCall& call) { return IndexedOps(call).plan(); }

}  // namespace nxv
