#include "runtime/ops/copy.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/strided_copy.h"

namespace nxv {
namespace {

std::vector<int64_t> strides_of(const Dims& dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= dims[d];
  }
  return strides;
}

int64_t rank_of(const Operand& operand) { return static_cast<int64_t>(operand.spec.dims.size()); }

class CopyOps {
 public:
  explicit CopyOps(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {
    if (call.inputs.empty()) plan_.fail("takes an operand at least");
    if (call.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call.outs.size()));
    for (uint32_t i = 0; i < call.inputs.size(); ++i) operands_.push_back(plan_.input(call.inputs, i));
  }

  OpPlan plan() {
    const std::string_view op = call_.info.name;
    if (op == "bitcast") {
      bitcast();
    } else if (op == "broadcast") {
      broadcast();
    } else if (op == "transpose") {
      transpose();
    } else if (op == "slice") {
      slice();
    } else if (op == "put_slice") {
      put_slice();
    } else if (op == "reverse") {
      reverse();
    } else if (op == "pad") {
      pad();
    } else if (op == "concatenate") {
      concatenate();
    } else if (op == "stack") {
      stack();
    } else {
      plan_.fail("is a kernel, not an operation");
    }
    return plan_.finish();
  }

 private:
  void takes(size_t count) const {
    if (operands_.size() != count) {
      plan_.fail("takes " + std::to_string(count) + (count == 1 ? " operand" : " operands") + ", not " +
                 std::to_string(operands_.size()));
    }
  }

  // The type of the output: the wanted one, else what the first `count` operands merge to.
  Type out_type(size_t count) const {
    if (!call_.outs.empty()) return call_.outs[0].type;
    Type type = operands_[0].spec.type;
    for (size_t i = 1; i < count; ++i) type = merge_types(type, operands_[i].spec.type);
    return type;
  }

  Operand output(Type type, const Dims& dims) {
    if (!call_.outs.empty() && call_.outs[0].dims != dims) {
      plan_.fail("gives " + to_string({type, dims}) + ", not " + to_string(call_.outs[0]));
    }
    element_count(dims);
    return plan_.output({type, dims});
  }

  // Operand i in device memory, of the output's type.
  Operand in_type(size_t i, Type type) { return in_memory(plan_, cast_to(plan_, operands_[i], type)); }

  void check_axis(int64_t axis, int64_t rank) const {
    if (axis < 0 || axis >= rank) {
      plan_.fail("has no axis " + std::to_string(axis) + " in rank " + std::to_string(rank));
    }
  }

  // A list of attribute `name` with one number an axis.
  void check_length(const std::vector<int64_t>& list, std::string_view name, int64_t length) const {
    if (static_cast<int64_t>(list.size()) != length) {
      plan_.fail("needs " + std::to_string(length) + " " + std::string(name) + ", not " + std::to_string(list.size()));
    }
  }

  // The bytes, whatever they mean.
  void bitcast() {
    takes(1);
    attrs_.finish();
    if (call_.outs.empty()) plan_.fail("needs the output's type");
    const Operand& operand = operands_[0];
    const TensorSpec& wanted = call_.outs[0];
    if (type_info(operand.spec.type).bits != type_info(wanted.type).bits) {
      plan_.fail("cannot see " + to_string(operand.spec) + " as " + to_string(wanted) + ": the widths differ");
    }
    Operand to = output(wanted.type, operand.spec.dims), from = in_memory(plan_, operand);
    to.spec = from.spec = {Type::u8, {static_cast<int64_t>(byte_size(wanted))}};
    append_dense_copy(plan_, from, to);
  }

  void broadcast() {
    takes(1);
    std::optional<Dims> shape = attrs_.list("shape");
    std::optional<std::vector<int64_t>> axes = attrs_.list("axes");
    attrs_.finish();
    if (!shape && call_.outs.empty()) plan_.fail("needs a shape");
    const Dims dims = shape ? *shape : call_.outs[0].dims;
    const int64_t rank = rank_of(operands_[0]), out_rank = static_cast<int64_t>(dims.size());
    if (!axes) {
      if (rank > out_rank) plan_.fail(to_string(operands_[0].spec) + " has more axes than the shape");
      axes.emplace(static_cast<size_t>(rank));
      std::iota(axes->begin(), axes->end(), out_rank - rank);
    }
    check_length(*axes, "axes", rank);
    const Operand to = output(out_type(1), dims);
    if (operands_[0].scalar) return append_fill(plan_, to, *operands_[0].scalar);
    const Dims& from_dims = operands_[0].spec.dims;
    const std::vector<int64_t> from_strides = strides_of(from_dims), to_strides = strides_of(dims);
    StridedCopy copy{.to = to};
    for (size_t d = 0; d < dims.size(); ++d) copy.axes.push_back({dims[d], 0, to_strides[d]});
    std::vector<bool> taken(dims.size());
    for (size_t i = 0; i < axes->size(); ++i) {
      check_axis((*axes)[i], out_rank);
      const auto axis = static_cast<size_t>((*axes)[i]);
      if (taken[axis]) plan_.fail("maps two axes to axis " + std::to_string(axis));
      taken[axis] = true;
      if (from_dims[i] != 1 && from_dims[i] != dims[axis]) {
        plan_.fail(to_string(operands_[0].spec) + " does not broadcast to " + to_string(to.spec));
      }
      if (from_dims[i] != 1) copy.axes[axis].from = from_strides[i];
    }
    copy.from = in_type(0, to.spec.type);
    append_copy(plan_, copy);
  }

  void transpose() {
    takes(1);
    std::optional<std::vector<int64_t>> axes = attrs_.list("axes");
    attrs_.finish();
    const int64_t rank = rank_of(operands_[0]);
    if (!axes) {
      axes.emplace(static_cast<size_t>(rank));
      std::iota(axes->rbegin(), axes->rend(), 0);
    }
    check_length(*axes, "axes", rank);
    Dims dims;
    std::vector<bool> taken(static_cast<size_t>(rank));
    for (int64_t axis : *axes) {
      check_axis(axis, rank);
      if (taken[static_cast<size_t>(axis)]) plan_.fail("names axis " + std::to_string(axis) + " twice");
      taken[static_cast<size_t>(axis)] = true;
      dims.push_back(operands_[0].spec.dims[static_cast<size_t>(axis)]);
    }
    const Operand to = output(out_type(1), dims);
    const std::vector<int64_t> from_strides = strides_of(operands_[0].spec.dims), to_strides = strides_of(dims);
    StridedCopy copy{.from = in_type(0, to.spec.type), .to = to};
    for (size_t d = 0; d < dims.size(); ++d) {
      copy.axes.push_back({dims[d], from_strides[static_cast<size_t>((*axes)[d])], to_strides[d]});
    }
    append_copy(plan_, copy);
  }

  // Where a box of `lengths` begins in a tensor of `dims`: numbers are clamped here, tensors in the kernel.
  struct Starts {
    std::vector<int64_t> known;  // 0 where the start is a tensor
    std::vector<CopyStart> moving;
  };

  Starts starts_of(const Dims& dims, const Dims& lengths, size_t first_operand) {
    const std::vector<int64_t> strides = strides_of(dims);
    const std::optional<std::vector<int64_t>> given = attrs_.list("starts");
    Starts starts;
    starts.known.resize(dims.size());
    const size_t tensors = operands_.size() - first_operand;
    if (given ? tensors != 0 : tensors != dims.size()) {
      plan_.fail("needs " + std::to_string(dims.size()) + " starts, as an attribute or as operands");
    }
    if (given) check_length(*given, "starts", static_cast<int64_t>(dims.size()));
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t limit = dims[d] - lengths[d];
      if (given) {
        starts.known[d] = std::clamp<int64_t>((*given)[d], 0, limit);
        continue;
      }
      const Operand& start = operands_[first_operand + d];
      if (is_float(start.spec.type) || !start.spec.dims.empty()) {
        plan_.fail("start " + std::to_string(d) + " must be an integer scalar, not " + to_string(start.spec));
      }
      if (!start.scalar) {
        if (limit > 0)
          starts.moving.push_back(
              {{{start.spec.type, {}}, start.ref, {}, start.alignment}, static_cast<uint64_t>(limit), strides[d]});
      } else if (const uint64_t* above = std::get_if<uint64_t>(&start.scalar->value)) {
        starts.known[d] = static_cast<int64_t>(std::min(*above, static_cast<uint64_t>(limit)));
      } else {
        starts.known[d] = std::clamp<int64_t>(std::get<int64_t>(start.scalar->value), 0, limit);
      }
    }
    return starts;
  }

  void slice() {
    const Operand source = operands_[0];
    const Dims& dims = source.spec.dims;
    const std::vector<int64_t> lengths = attrs_.required_list("lengths");
    const std::optional<std::vector<int64_t>> steps = attrs_.list("strides");
    check_length(lengths, "lengths", rank_of(source));
    if (steps) check_length(*steps, "strides", rank_of(source));
    Dims out_dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t step = steps ? (*steps)[d] : 1;
      if (step < 1) plan_.fail("has strides of at least 1, not " + std::to_string(step));
      if (lengths[d] < 1 || lengths[d] > dims[d]) {
        plan_.fail("cannot take " + std::to_string(lengths[d]) + " of " + std::to_string(dims[d]) + " along axis " +
                   std::to_string(d));
      }
      out_dims.push_back((lengths[d] - 1) / step + 1);
    }
    Starts starts = starts_of(dims, lengths, 1);
    attrs_.finish();
    const Operand to = output(out_type(1), out_dims);
    StridedCopy copy{.from = in_type(0, to.spec.type), .to = to, .starts = std::move(starts.moving)};
    const std::vector<int64_t> from_strides = strides_of(dims), to_strides = strides_of(out_dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      copy.from_origin += starts.known[d] * from_strides[d];
      copy.axes.push_back({out_dims[d], from_strides[d] * (steps ? (*steps)[d] : 1), to_strides[d]});
    }
    append_copy(plan_, copy);
  }

  void put_slice() {
    if (operands_.size() < 2) plan_.fail("takes a tensor and a slice");
    const Dims dims = operands_[0].spec.dims, box = operands_[1].spec.dims;
    if (box.size() != dims.size())
      plan_.fail("puts " + to_string(operands_[1].spec) + " into " + to_string(operands_[0].spec));
    for (size_t d = 0; d < dims.size(); ++d) {
      if (box[d] > dims[d])
        plan_.fail(to_string(operands_[1].spec) + " is larger than " + to_string(operands_[0].spec));
    }
    Starts starts = starts_of(dims, box, 2);
    attrs_.finish();
    const Operand to = output(out_type(2), dims);
    if (box != dims && !operands_[0].scalar && operands_[0].spec.type == to.spec.type) {
      append_dense_copy(plan_, operands_[0], to);
    } else if (box != dims) {
      cast_steps(plan_, operands_[0], to);
    }
    StridedCopy copy{
        .from = in_type(1, to.spec.type), .to = to, .starts = std::move(starts.moving), .starts_move_to = true};
    const std::vector<int64_t> from_strides = strides_of(box), to_strides = strides_of(dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      copy.to_origin += starts.known[d] * to_strides[d];
      copy.axes.push_back({box[d], from_strides[d], to_strides[d]});
    }
    append_copy(plan_, copy);
  }

  void reverse() {
    takes(1);
    const std::vector<int64_t> axes = attrs_.required_list("axes");
    attrs_.finish();
    const Dims& dims = operands_[0].spec.dims;
    for (int64_t axis : axes) {
      check_axis(axis, rank_of(operands_[0]));
      if (std::ranges::count(axes, axis) > 1) plan_.fail("names axis " + std::to_string(axis) + " twice");
    }
    const Operand to = output(out_type(1), dims);
    StridedCopy copy{.from = in_type(0, to.spec.type), .to = to};
    const std::vector<int64_t> strides = strides_of(dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      const bool turned = std::ranges::count(axes, static_cast<int64_t>(d)) == 1;
      if (turned) copy.from_origin += strides[d] * (dims[d] - 1);
      copy.axes.push_back({dims[d], turned ? -strides[d] : strides[d], strides[d]});
    }
    append_copy(plan_, copy);
  }

  void pad() {
    takes(2);
    const std::vector<int64_t> config = attrs_.required_list("config");
    attrs_.finish();
    const Dims& dims = operands_[0].spec.dims;
    check_length(config, "numbers (low, high, interior of each axis)", 3 * rank_of(operands_[0]));
    if (!operands_[1].spec.dims.empty()) plan_.fail("pads with a scalar, not " + to_string(operands_[1].spec));
    Dims out_dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t low = config[3 * d], high = config[3 * d + 1], interior = config[3 * d + 2];
      if (interior < 0) plan_.fail("has interior padding of at least 0, not " + std::to_string(interior));
      int64_t inside = 0, length = 0;
      if (__builtin_mul_overflow(dims[d] - 1, interior, &inside) || __builtin_add_overflow(inside, dims[d], &inside) ||
          __builtin_add_overflow(inside, low, &length) || __builtin_add_overflow(length, high, &length)) {
        plan_.fail("makes axis " + std::to_string(d) + " longer than 2^63 elements");
      }
      out_dims.push_back(length);
      if (out_dims[d] < 1) plan_.fail("leaves nothing of axis " + std::to_string(d));
    }
    const Operand to = output(out_type(2), out_dims);
    const Operand value = cast_to(plan_, operands_[1], to.spec.type);
    StridedCopy copy{.to = to};
    const std::vector<int64_t> from_strides = strides_of(dims), to_strides = strides_of(out_dims);
    bool anything = true;
    for (size_t d = 0; d < dims.size(); ++d) {
      // Element i comes to low + i·step; those outside the output are left out.
      const int64_t low = config[3 * d], step = config[3 * d + 2] + 1;
      const int64_t first = low < 0 ? (-low + step - 1) / step : 0;
      const int64_t last = std::min(dims[d] - 1, low < out_dims[d] ? (out_dims[d] - 1 - low) / step : -1);
      if (last < first) {
        anything = false;
        break;
      }
      copy.from_origin += first * from_strides[d];
      copy.to_origin += (low + first * step) * to_strides[d];
      copy.axes.push_back({last - first + 1, from_strides[d], step * to_strides[d]});
    }
    const bool covered = anything && std::ranges::equal(copy.axes, out_dims, {}, &CopyAxis::extent);
    if (value.scalar && !covered) {
      append_fill(plan_, to, *value.scalar);
    } else if (!covered) {
      append_copy(plan_, {.from = value, .to = to, .axes = {{element_count(out_dims), 0, 1}}});
    }
    if (!anything) return;
    copy.from = in_type(0, to.spec.type);
    append_copy(plan_, copy);
  }

  // All operands along `axis`, each as `outer` runs of consecutive elements.
  void lay_side_by_side(const Operand& to, size_t axis) {
    const int64_t outer = element_count(Dims(to.spec.dims.begin(), to.spec.dims.begin() + static_cast<int64_t>(axis)));
    const int64_t row = element_count(to.spec.dims) / outer;
    int64_t at = 0;
    for (size_t i = 0; i < operands_.size(); ++i) {
      const Operand from = in_type(i, to.spec.type);
      const int64_t run = element_count(from.spec.dims) / outer;
      append_copy(plan_, {.from = from, .to = to, .to_origin = at, .axes = {{outer, run, row}, {run, 1, 1}}});
      at += run;
    }
  }

  void concatenate() {
    const int64_t axis = attrs_.integer("axis", 0);
    attrs_.finish();
    check_axis(axis, rank_of(operands_[0]));
    Dims dims = operands_[0].spec.dims;
    for (size_t i = 1; i < operands_.size(); ++i) {
      Dims other = operands_[i].spec.dims;
      if (other.size() == dims.size()) {
        dims[static_cast<size_t>(axis)] += other[static_cast<size_t>(axis)];
        other[static_cast<size_t>(axis)] = dims[static_cast<size_t>(axis)];
      }
      if (other != dims) {
        plan_.fail("cannot join " + to_string(operands_[0].spec) + " and " + to_string(operands_[i].spec) +
                   " along axis " + std::to_string(axis));
      }
    }
    lay_side_by_side(output(out_type(operands_.size()), dims), static_cast<size_t>(axis));
  }

  void stack() {
    const int64_t axis = attrs_.integer("axis", 0);
    attrs_.finish();
    check_axis(axis, rank_of(operands_[0]) + 1);
    for (const Operand& operand : operands_) {
      if (operand.spec.dims != operands_[0].spec.dims) {
        plan_.fail("cannot stack " + to_string(operands_[0].spec) + " and " + to_string(operand.spec));
      }
    }
    Dims dims = operands_[0].spec.dims;
    dims.insert(dims.begin() + axis, static_cast<int64_t>(operands_.size()));
    lay_side_by_side(output(out_type(operands_.size()), dims), static_cast<size_t>(axis));
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
  std::vector<Operand> operands_;
};

}  // namespace

OpPlan plan_copy(const OpCall& call) { return CopyOps(call).plan(); }

}  // namespace nxv
