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
#include "runtime/ops/strided_copy.h"
#include "runtime/ops/update_steps.h"

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
    if (plan_.op().starts_with("index_")) plan_.fail("is a kernel, not an operation");
    const size_t takes = writes() ? 3 : 2;
    if (call.inputs.size() != takes) {
      plan_.fail("takes " + std::to_string(takes) + " operands, not " + std::to_string(call.inputs.size()));
    }
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
    } else if (op == "take_along_axis") {
      take_along_axis();
    } else {
      update();
    }
    return plan_.finish();
  }

 private:
  bool writes() const { return call_.info.name == "indexed_put" || call_.info.name == "indexed_add"; }

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
    Type type = operands_[0].spec.type;
    if (writes()) type = merge_types(type, operands_[2].spec.type);
    if (!call_.outs.empty()) type = call_.outs[0].type;
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

  void update() {
    const std::vector<int64_t> axes = named_axes();
    const Dims &target = operands_[0].spec.dims, &indices = operands_[1].spec.dims;
    const std::vector<int64_t> strides = strides_of(target);
    IndexedUpdates updates;
    for (int64_t axis : axes) {
      updates.indexed.push_back({target[static_cast<size_t>(axis)], strides[static_cast<size_t>(axis)]});
    }
    Dims rows(indices.begin(), indices.end() - 1), whole;
    updates.count = element_count(rows);
    for (size_t d = 0; d < target.size(); ++d) {
      if (std::ranges::count(axes, static_cast<int64_t>(d)) != 0) continue;
      whole.push_back(target[d]);
      updates.strides.push_back(strides[d]);
    }
    updates.slice = slice_of_updates(rows, whole);
    updates.to = output(target);
    fill_with_target(updates.to);
    updates.updates = in_memory(plan_, cast_to(plan_, operands_[2], updates.to.spec.type));
    updates.indices = in_memory(plan_, operands_[1]);
    if (plan_.op() == "indexed_put") {
      append_put(plan_, updates);
    } else {
      append_add(plan_, updates);
    }
  }

  Dims slice_of_updates(const Dims& rows, const Dims& whole) const {
    const Dims& dims = operands_[2].spec.dims;
    bool fits = dims.size() == rows.size() + whole.size() && std::equal(rows.begin(), rows.end(), dims.begin());
    if (!fits) refuse_updates();
    Dims slice(dims.begin() + static_cast<std::ptrdiff_t>(rows.size()), dims.end());
    for (size_t d = 0; d < slice.size(); ++d) fits = fits && slice[d] <= whole[d];
    if (!fits) refuse_updates();
    return slice;
  }

  [[noreturn]] void refuse_updates() const {
    plan_.fail("cannot update " + to_string(operands_[0].spec) + " with " + to_string(operands_[2].spec) + " at " +
               to_string(operands_[1].spec));
  }

  void fill_with_target(const Operand& to) {
    if (operands_[0].spec.type == to.spec.type) {
      append_dense_copy(plan_, operands_[0], to);
    } else {
      cast_steps(plan_, operands_[0], to);
    }
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
