#include "runtime/ops/dot.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/broadcast.h"
#include "runtime/ops/dot_steps.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/strided_copy.h"

namespace nxv {
namespace {

using Axes = std::vector<int64_t>;

// The axes of one operand by their part in the product.
struct Side {
  Operand operand;
  Axes batch, kept, contracted;

  int64_t extent(const Axes& axes) const {
    int64_t extent = 1;
    for (int64_t axis : axes) extent *= operand.spec.dims[static_cast<size_t>(axis)];
    return extent;
  }

  // One stride for these axes taken together, if there is one.
  std::optional<int64_t> stride(const Axes& axes) const {
    Dims dims;
    std::vector<int64_t> strides;
    for (int64_t axis : axes) {
      const auto after = operand.spec.dims.begin() + axis + 1;
      dims.push_back(operand.spec.dims[static_cast<size_t>(axis)]);
      strides.push_back(std::accumulate(after, operand.spec.dims.end(), int64_t{1}, std::multiplies<>()));
    }
    const std::vector<Axis> joined = collapse(dims, std::array{strides});
    if (joined.size() != 1) return std::nullopt;
    return joined[0].extent == 1 ? 0 : joined[0].strides[0];
  }

  bool is_matrix() const { return stride(batch) && stride(kept) && stride(contracted); }
};

class Dot {
 public:
  explicit Dot(const OpCall& call) : call_(call), plan_("dot", call.traits), attrs_("dot", call.attrs) {
    if (call.inputs.size() != 2) plan_.fail("takes 2 operands, not " + std::to_string(call.inputs.size()));
    if (call.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call.outs.size()));
  }

  OpPlan plan() {
    Side a{plan_.input(call_.inputs, 0), {}, {}, {}}, b{plan_.input(call_.inputs, 1), {}, {}, {}};
    read_axes(a, b);
    const Operand to = plan_.output(out_spec(a, b));
    for (Side* side : {&a, &b}) side->operand = in_memory(plan_, cast_to(plan_, side->operand, to.spec.type));
    if (a.extent(a.contracted) == 1 && is_outer(a, b)) {
      outer(a, b, to);
      return plan_.finish();
    }
    if (!a.is_matrix()) rearrange(a, {&a.batch, &a.kept, &a.contracted});
    if (!b.is_matrix()) rearrange(b, {&b.batch, &b.contracted, &b.kept});
    MatrixProduct product = product_of(a, b, to);
    if (wants_dense_columns(product, call_.traits) && product.b_n != 1) {
      rearrange(b, {&b.batch, &b.contracted, &b.kept});
      product = product_of(a, b, to);
    }
    append_product(plan_, product);
    return plan_.finish();
  }

 private:
  Axes axes_of(std::string_view name, const Side& side, const std::optional<Axes>& absent) {
    const std::optional<Axes> given = attrs_.list(name);
    const Axes axes = given ? *given : absent.value_or(Axes{});
    const auto rank = static_cast<int64_t>(side.operand.spec.dims.size());
    for (int64_t axis : axes) {
      if (axis < 0 || axis >= rank)
        plan_.fail("has no axis " + std::to_string(axis) + " in rank " + std::to_string(rank));
    }
    return axes;
  }

  void read_axes(Side& a, Side& b) {
    const auto rank_a = static_cast<int64_t>(a.operand.spec.dims.size()),
               rank_b = static_cast<int64_t>(b.operand.spec.dims.size());
    const bool inner = rank_a > 0 && rank_b > 0;
    a.contracted = axes_of("contract_a", a, inner ? Axes{rank_a - 1} : Axes{});
    b.contracted = axes_of("contract_b", b, inner ? Axes{std::max<int64_t>(rank_b - 2, 0)} : Axes{});
    a.batch = axes_of("batch_a", a, {});
    b.batch = axes_of("batch_b", b, {});
    attrs_.finish();
    check_pairs(a, a.contracted, b, b.contracted, "contracts");
    check_pairs(a, a.batch, b, b.batch, "batches");
    for (Side* side : {&a, &b}) {
      std::vector<int> uses(side->operand.spec.dims.size());
      for (const Axes* axes : {&side->batch, &side->contracted}) {
        for (int64_t axis : *axes) ++uses[static_cast<size_t>(axis)];
      }
      for (size_t axis = 0; axis < uses.size(); ++axis) {
        if (uses[axis] > 1)
          plan_.fail("uses axis " + std::to_string(axis) + " of " + to_string(side->operand.spec) + " twice");
        if (uses[axis] == 0) side->kept.push_back(static_cast<int64_t>(axis));
      }
    }
  }

  void check_pairs(const Side& a, const Axes& a_axes, const Side& b, const Axes& b_axes, std::string_view does) const {
    const auto extents = [](const Side& side, const Axes& axes) {
      Dims dims;
      for (int64_t axis : axes) dims.push_back(side.operand.spec.dims[static_cast<size_t>(axis)]);
      return dims;
    };
    if (extents(a, a_axes) == extents(b, b_axes)) return;
    plan_.fail(std::string(does) + " axes of " + to_string(a.operand.spec) + " and " + to_string(b.operand.spec) +
               " that differ in length");
  }

  TensorSpec out_spec(const Side& a, const Side& b) const {
    TensorSpec spec{merge_types(a.operand.spec.type, b.operand.spec.type), {}};
    for (const auto& [side, axes] : {std::pair{&a, &a.batch}, {&a, &a.kept}, {&b, &b.kept}}) {
      for (int64_t axis : *axes) spec.dims.push_back(side->operand.spec.dims[static_cast<size_t>(axis)]);
    }
    if (call_.outs.empty()) return spec;
    if (call_.outs[0].dims != spec.dims) plan_.fail("gives " + to_string(spec) + ", not " + to_string(call_.outs[0]));
    return call_.outs[0];
  }

  // Nothing is contracted, and both operands lie in memory as batch ++ kept axes.
  bool is_outer(const Side& a, const Side& b) const {
    const auto dense = [](const Side& side) {
      const std::optional<int64_t> batch = side.stride(side.batch), kept = side.stride(side.kept);
      return batch && kept && *kept <= 1 && (*batch == 0 || *batch == side.extent(side.kept));
    };
    return dense(a) && dense(b);
  }

  void outer(const Side& a, const Side& b, const Operand& to) {
    const int64_t batches = a.extent(a.batch), m = a.extent(a.kept), n = b.extent(b.kept);
    Operand left = a.operand, right = b.operand, result = to;
    left.spec.dims = {batches, m, 1};
    right.spec.dims = {batches, 1, n};
    result.spec.dims = {batches, m, n};
    map_steps(plan_, "map2", "multiply", type_info(to.spec.type).name, std::array{left, right}, result);
  }

  // Brings the operand's axes into this order in a temporary.
  void rearrange(Side& side, std::initializer_list<Axes*> order) {
    const Dims& dims = side.operand.spec.dims;
    Dims sorted;
    std::vector<int64_t> strides;
    for (const Axes* axes : order) {
      for (int64_t axis : *axes) {
        sorted.push_back(dims[static_cast<size_t>(axis)]);
        strides.push_back(std::accumulate(dims.begin() + axis + 1, dims.end(), int64_t{1}, std::multiplies<>()));
      }
    }
    const Operand to = plan_.temp({side.operand.spec.type, sorted});
    StridedCopy copy{.from = side.operand, .to = to};
    int64_t stride = 1;
    for (size_t d = sorted.size(); d-- > 0;) {
      copy.axes.insert(copy.axes.begin(), {sorted[d], strides[d], stride});
      stride *= sorted[d];
    }
    append_copy(plan_, copy);
    side.operand = to;
    int64_t next = 0;
    for (Axes* axes : order) {
      for (int64_t& axis : *axes) axis = next++;
    }
  }

  static MatrixProduct product_of(const Side& a, const Side& b, const Operand& to) {
    MatrixProduct product{.a = a.operand, .b = b.operand, .z = to};
    product.batches = a.extent(a.batch);
    product.m = a.extent(a.kept);
    product.n = b.extent(b.kept);
    product.k = a.extent(a.contracted);
    product.a_batch = a.stride(a.batch).value_or(0);
    product.a_m = a.stride(a.kept).value_or(0);
    product.a_k = a.stride(a.contracted).value_or(0);
    product.b_batch = b.stride(b.batch).value_or(0);
    product.b_k = b.stride(b.contracted).value_or(0);
    product.b_n = b.stride(b.kept).value_or(0);
    return product;
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
};

}  // namespace

OpPlan plan_dot(const OpCall& call) { return Dot(call).plan(); }

}  // namespace nxv
