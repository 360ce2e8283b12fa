#include "runtime/ops/axis_shape.h"

#include <string>

#include "runtime/ops/strided_copy.h"

namespace nxv {

AxisShape axis_shape(const Dims& dims, int64_t axis) {
  AxisShape shape;
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t& part = d < static_cast<size_t>(axis)    ? shape.outer
                    : d == static_cast<size_t>(axis) ? shape.n
                                                     : shape.inner;
    part *= dims[d];
  }
  return shape;
}

Operand axis_last(PlanBuilder& plan, const Operand& from, const AxisShape& shape) {
  const auto [outer, n, inner] = shape;
  const Operand to = plan.temp({from.spec.type, {outer, inner, n}});
  append_copy(plan, {.from = from, .to = to, .axes = {{outer, n * inner, n * inner}, {n, inner, 1}, {inner, 1, n}}});
  return to;
}

void axis_back(PlanBuilder& plan, const Operand& from, const AxisShape& shape, const Operand& to) {
  const auto [outer, n, inner] = shape;
  append_copy(plan, {.from = from, .to = to, .axes = {{outer, n * inner, n * inner}, {inner, n, 1}, {n, 1, inner}}});
}

int64_t checked_axis(const PlanBuilder& plan, int64_t axis, const Dims& dims) {
  if (axis < 0 || axis >= static_cast<int64_t>(dims.size())) {
    plan.fail("has no axis " + std::to_string(axis) + " in rank " + std::to_string(dims.size()));
  }
  return axis;
}

Ref element_at(const Operand& operand, int64_t element) {
  Ref ref = operand.ref;
  ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(operand.spec.type);
  return ref;
}

}  // namespace nxv
