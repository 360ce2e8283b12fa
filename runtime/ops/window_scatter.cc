#include "runtime/ops/window_scatter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/reduce_steps.h"
#include "runtime/ops/window_axes.h"

namespace nxv {
namespace {

class WindowScatter {
 public:
  explicit WindowScatter(const OpCall& call) : call_(call), plan_(call.info.name, call.traits) {}

  OpPlan plan() {
    if (call_.info.nx.empty()) plan_.fail("is a kernel, not an operation");
    if (call_.inputs.size() != 3) plan_.fail("takes 3 operands, not " + std::to_string(call_.inputs.size()));
    if (call_.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call_.outs.size()));
    const Operand tensor = plan_.input(call_.inputs, 0), source = plan_.input(call_.inputs, 1),
                  initial = plan_.input(call_.inputs, 2);
    AttrReader attrs(call_.info.name, call_.attrs);
    const std::vector<WindowAxis> axes = read_window_axes(plan_, attrs, tensor.spec.dims);
    attrs.finish();
    for (const WindowAxis& axis : axes) {
      if (axis.dilation != 1) plan_.fail("has no dilations");
    }
    check_shapes(axes, source, initial);
    axes_ = collapse_windows(axes);
    check_window_range(plan_, axes_);

    // The padding takes part in the comparison: it holds the initial value.
    const Type compared = merge_types(tensor.spec.type, initial.spec.type);
    const Operand to = plan_.output(out_spec(tensor, source, initial));
    const Operand picks = plan_.temp({Type::u32, source.spec.dims});
    pick(memory(tensor, compared), memory(initial, compared), picks);
    collect(memory(source, to.spec.type), memory(initial, to.spec.type), picks, to);
    return plan_.finish();
  }

 private:
  void check_shapes(const std::vector<WindowAxis>& axes, const Operand& source, const Operand& initial) const {
    const Dims positions = window_positions(axes);
    if (source.spec.dims != positions) {
      plan_.fail("has windows at " + to_string({source.spec.type, positions}) + ", not " + to_string(source.spec));
    }
    if (!initial.spec.dims.empty()) plan_.fail("takes a number to start from, not " + to_string(initial.spec));
    int64_t count = 1;
    for (const WindowAxis& axis : axes) count *= axis.extent;
    const auto limit = static_cast<int64_t>(call_.traits.index32_limit);
    if (std::max(count, element_count(positions)) > limit) {
      plan_.unsupported("more than " + std::to_string(limit) + " elements");
    }
  }

  TensorSpec out_spec(const Operand& tensor, const Operand& source, const Operand& initial) const {
    const Dims& dims = tensor.spec.dims;
    if (call_.outs.empty()) return {merge_types(source.spec.type, initial.spec.type), dims};
    if (call_.outs[0].dims != dims) {
      plan_.fail("gives " + to_string({call_.outs[0].type, dims}) + ", not " + to_string(call_.outs[0]));
    }
    return call_.outs[0];
  }

  Operand memory(const Operand& operand, Type type) { return in_memory(plan_, cast_to(plan_, operand, type)); }

  uint32_t threads() const { return std::min(call_.traits.cpu ? 64u : 256u, call_.traits.max_workgroup_size); }

  static Ref at(const Operand& operand, int64_t element) {
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(operand.spec.type);
    return ref;
  }

  StepWriter writer(std::string_view op, Type from, Type to, std::string_view access) const {
    StepWriter step(require_variant("window_scatter", op, reduce_types(from, to), access, call_.traits).key);
    step.constant(0, threads());
    step.constant(1, static_cast<uint32_t>(axes_.size())).constant(2, window_mask(axes_));
    return step;
  }

  // Calls `dispatch(first, count)` for as many invocations at once as the grid has.
  template <typename Dispatch>
  void in_grids(int64_t invocations, Dispatch dispatch) {
    const int64_t most = static_cast<int64_t>(most_groups(call_.traits)) * threads();
    for (int64_t first = 0; first < invocations; first += most) dispatch(first, std::min(most, invocations - first));
  }

  void add(StepWriter& step, int64_t invocations) {
    put_window_axes(step, axes_);
    const auto groups = static_cast<uint64_t>((invocations + threads() - 1) / threads());
    plan_.add(step.finish(fold_groups(groups, call_.traits)));
  }

  void pick(const Operand& from, const Operand& initial, const Operand& picks) {
    const std::vector<WindowShare> shares = window_shares(axes_, call_.traits.cpu);
    in_grids(element_count(picks.spec.dims), [&](int64_t first, int64_t count) {
      for (const WindowShare& share : shares) {
        StepWriter step = writer(call_.info.name, from.spec.type, Type::u32, "pick");
        step.push_read(from.ref, byte_size(from.spec));
        step.push_write(at(picks, first), static_cast<uint64_t>(count) * 4);
        step.push_read(initial.ref, byte_size(initial.spec));
        step.push_params();
        for (int64_t number : {count, first, share.row_begin, share.row_end, share.k_begin, share.k_end}) {
          step.push(static_cast<uint32_t>(number));
        }
        step.push(&share != &shares.front() ? 1u : 0u);
        add(step, count);
      }
    });
  }

  // The most windows that lie over one element.
  int64_t covering() const {
    int64_t most = 1;
    for (const WindowAxis& axis : axes_) {
      if (axis.has_window) most *= std::min(axis.out, (axis.window + axis.stride - 1) / axis.stride);
    }
    return most;
  }

  void collect(const Operand& source, const Operand& initial, const Operand& picks, const Operand& to) {
    const int64_t windows = covering(), each = most_covering_windows(call_.traits.cpu, axes_.size());
    const Type type = to.spec.type;
    std::optional<Operand> partial;
    if (windows > each) {
      const bool narrow = type_info(type).bits < 32;
      partial = plan_.temp({narrow ? (is_float(type) ? Type::f32 : Type::u32) : type, to.spec.dims});
    }
    in_grids(element_count(to.spec.dims), [&](int64_t first, int64_t count) {
      for (int64_t begin = 0; begin < windows; begin += each) {
        StepWriter step = writer("window_collect", type, type, "collect");
        step.push_read(source.ref, byte_size(source.spec));
        step.push_write(at(to, first), static_cast<uint64_t>(count) * type_bytes(type));
        step.push_read(initial.ref, byte_size(initial.spec));
        step.push_read(picks.ref, byte_size(picks.spec));
        if (partial) {
          step.push_write(at(*partial, first), static_cast<uint64_t>(count) * type_bytes(partial->spec.type));
        } else {
          step.push(uint64_t{0});
        }
        step.push_params();
        for (int64_t number : {count, first, begin, begin + each}) step.push(static_cast<uint32_t>(number));
        step.push(begin > 0 ? 1u : 0u).push(begin + each < windows ? 1u : 0u);
        add(step, count);
      }
    });
  }

  const OpCall& call_;
  PlanBuilder plan_;
  std::vector<WindowAxis> axes_;
};

}  // namespace

OpPlan plan_window_scatter(const OpCall& call) { return WindowScatter(call).plan(); }

}  // namespace nxv
