#include "runtime/ops/window.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "runtime/ops/attrs.h"
#include "runtime/ops/copy_layout.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/reduce_steps.h"
#include "runtime/ops/window_axes.h"

namespace nxv {
namespace {

// A box of positions: where its first element and its first result are.
struct Piece {
  std::vector<WindowAxis> axes;  // outermost first
  int64_t from_origin = 0, to_origin = 0;

  int64_t count() const {
    int64_t count = 1;
    for (const WindowAxis& axis : axes) count *= axis.out;
    return count;
  }
  // Elements from the first that a window may touch to the last.
  int64_t span() const {
    int64_t span = 1;
    for (const WindowAxis& axis : axes) span += (axis.extent - 1) * axis.elements;
    return span;
  }
};

class Window {
 public:
  explicit Window(const OpCall& call) : call_(call), plan_(call.info.name, call.traits) {}

  OpPlan plan() {
    if (call_.inputs.size() != 1) plan_.fail("takes 1 operand, not " + std::to_string(call_.inputs.size()));
    if (call_.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call_.outs.size()));
    const Operand operand = plan_.input(call_.inputs, 0);
    AttrReader attrs(call_.info.name, call_.attrs);
    const std::vector<WindowAxis> axes = read_window_axes(plan_, attrs, operand.spec.dims);
    attrs.finish();
    to_ = plan_.output(out_spec({operand.spec.type, window_positions(axes)}));
    from_ = in_memory(plan_, cast_to(plan_, operand, to_.spec.type));
    const Piece whole{collapse_windows(axes)};
    check_window_range(plan_, whole.axes);
    if (reduces(whole.axes)) return plan_.finish();
    shares_ = window_shares(whole.axes, call_.traits.cpu);
    if (shares_.size() > 1) partial_ = plan_.temp({accumulator(), to_.spec.dims});
    append(whole);
    return plan_.finish();
  }

 private:
  TensorSpec out_spec(const TensorSpec& inferred) const {
    if (call_.outs.empty()) return inferred;
    if (call_.outs[0].dims != inferred.dims) {
      plan_.fail("gives " + to_string(inferred) + ", not " + to_string(call_.outs[0]));
    }
    return call_.outs[0];
  }

  // Where any order gives the same result and the windows are whole rows or columns, a reduction does it at once.
  bool reduces(const std::vector<WindowAxis>& axes) {
    const std::string_view op = call_.info.name;
    const bool extreme = op == "window_max" || op == "window_min";
    const Type type = from_.spec.type;
    if (!extreme && is_float(type)) return false;
    const size_t at = innermost_window(axes);
    if (!axes[at].is_covered()) return false;
    ReduceShape shape{.n = axes[at].extent};
    for (size_t d = 0; d < axes.size(); ++d) {
      if (d != at && axes[d].has_window) return false;
      (d < at ? shape.outer : shape.inner) *= d == at ? 1 : axes[d].extent;
    }
    if (shape.n < 32 || (shape.inner != 1 && !fits_columns(shape, call_.traits))) return false;
    const Type gives = extreme ? type : to_aggregate(type);
    const Operand to = gives == type ? to_ : plan_.temp({gives, to_.spec.dims});
    append_reduce(plan_, extreme ? (op == "window_max" ? "reduce_max" : "reduce_min") : op.substr(7), from_, shape, to);
    if (gives != type) cast_steps(plan_, to, to_);
    return true;
  }

  Type accumulator() const { return is_narrow_float(to_.spec.type) ? Type::f32 : wide(to_.spec.type); }
  static Type wide(Type type) { return type_info(type).bits < 32 ? Type::u32 : type; }

  // Neighbours that one invocation computes.
  int64_t each(const Piece& piece) const {
    const WindowAxis& inner = piece.axes.back();
    const auto aligned = [](const Operand& operand, int64_t origin) {
      const TypeInfo& type = type_info(operand.spec.type);
      return alignment_at(operand.alignment, origin, type.bits) >= std::min<uint64_t>(16, type.bits / 8 * 4);
    };
    const bool has_window = innermost_window(piece.axes) == piece.axes.size() - 1;
    if (has_window || inner.elements != 1 || inner.extent % 4 != 0 || !strides_of_fours(piece)) return 1;
    return aligned(from_, piece.from_origin) && aligned(to_, piece.to_origin) ? 4 : 1;
  }

  static bool strides_of_fours(const Piece& piece) {
    return std::all_of(piece.axes.begin(), piece.axes.end() - 1,
                       [](const WindowAxis& axis) { return axis.elements % 4 == 0; });
  }

  uint32_t threads() const { return std::min(call_.traits.cpu ? 64u : 256u, call_.traits.max_workgroup_size); }

  void append(const Piece& piece) {
    const auto limit = static_cast<int64_t>(call_.traits.index32_limit);
    const int64_t most = static_cast<int64_t>(most_groups(call_.traits)) * threads() * each(piece);
    if (std::max(piece.span(), piece.count()) <= limit && piece.count() <= most) {
      for (const WindowShare& share : shares_) plan_.add(dispatch(piece, share));
      return;
    }
    const auto cut = std::ranges::find_if(piece.axes, [](const WindowAxis& axis) { return axis.out > 1; });
    if (cut == piece.axes.end()) plan_.unsupported("a window over more than " + std::to_string(limit) + " elements");
    const auto d = static_cast<size_t>(cut - piece.axes.begin());
    const int64_t half = (cut->out + 1) / 2;
    append(part(piece, d, 0, half));
    append(part(piece, d, half, cut->out));
  }

  // Positions begin … end − 1 along axis d, and no more elements than their windows may touch.
  static Piece part(const Piece& piece, size_t d, int64_t begin, int64_t end) {
    Piece result = piece;
    WindowAxis& axis = result.axes[d];
    const int64_t first = begin * axis.stride - axis.low,
                  last = (end - 1) * axis.stride - axis.low + (axis.window - 1) * axis.dilation;
    const int64_t base = std::clamp<int64_t>(first, 0, axis.extent - 1);
    axis.out = end - begin;
    axis.extent = std::clamp<int64_t>(last + 1, base + 1, axis.extent) - base;
    axis.low = base - first;
    result.from_origin += base * axis.elements;
    int64_t inner = 1;
    for (size_t i = d + 1; i < piece.axes.size(); ++i) inner *= piece.axes[i].out;
    result.to_origin += begin * inner;
    return result;
  }

  static Ref at(const Operand& operand, int64_t element) {
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(operand.spec.type);
    return ref;
  }

  Step dispatch(const Piece& piece, const WindowShare& share) const {
    const Type type = to_.spec.type;
    const VariantInfo& kernel = require_variant("window", call_.info.name, type_info(type).name, "fold", call_.traits);
    const int64_t each = this->each(piece), count = piece.count(), invocations = count / each;
    const bool resumes = share.row_begin > 0 || share.k_begin > 0;
    const bool suspends = &share != &shares_.back();
    StepWriter step(kernel.key);
    step.constant(0, threads());
    step.constant(1, static_cast<uint32_t>(piece.axes.size())).constant(2, window_mask(piece.axes));
    step.constant(3, each == 4 ? 1 : 0);
    const uint64_t bytes = type_bytes(type);
    step.push_read(at(from_, piece.from_origin), static_cast<uint64_t>(piece.span()) * bytes);
    step.push_write(at(to_, piece.to_origin), static_cast<uint64_t>(count) * bytes);
    if (partial_) {
      const uint64_t touched = static_cast<uint64_t>(count) * type_bytes(partial_->spec.type);
      step.push_write(at(*partial_, piece.to_origin), touched);
    } else {
      step.push(uint64_t{0});
    }
    step.push_params();
    step.push(static_cast<uint32_t>(invocations));
    for (int64_t bound : {share.row_begin, share.row_end, share.k_begin, share.k_end}) {
      step.push(static_cast<uint32_t>(bound));
    }
    step.push(resumes ? 1u : 0u).push(suspends ? 1u : 0u);
    put_window_axes(step, piece.axes);
    const auto groups = static_cast<uint64_t>((invocations + threads() - 1) / threads());
    return step.finish(fold_groups(groups, call_.traits));
  }

  const OpCall& call_;
  PlanBuilder plan_;
  Operand from_, to_;
  std::vector<WindowShare> shares_;
  std::optional<Operand> partial_;
};

}  // namespace

OpPlan plan_window(const OpCall& call) { return Window(call).plan(); }

}  // namespace nxv
