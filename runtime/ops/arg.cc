#include "runtime/ops/arg.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/order_bits.h"

namespace nxv {
namespace {

constexpr int64_t kLongestChunk = 32768;  // within the iterations that every driver gives a loop
constexpr int64_t kShortestChunk = 2048;

class ArgSteps {
 public:
  ArgSteps(PlanBuilder& plan, const ArgChoice& choice) : plan_(plan), choice_(choice) {}

  void whole(const Operand& from, const AxisShape& shape, const Operand& to) {
    pass({.values = from, .order = order_bits(from.spec.type), .choice = choice_}, shape, to);
  }

 private:
  // What one pass reads: elements, or the keys and indices that the pass before has left.
  struct Source {
    Operand values;
    OrderBits order;
    ArgChoice choice;
    std::optional<Operand> indices = std::nullopt;
  };

  struct Sharing {
    uint32_t threads = 256, parts = 1;
    bool vectors = false;
    int64_t wide() const { return threads / parts; }
  };

  struct Chunks {
    int64_t length = 1, count = 1;
  };

  int64_t reach() const { return static_cast<int64_t>(plan_.traits().index32_limit); }

  Sharing sharing(const Source& source, const AxisShape& shape) const {
    const Traits& traits = plan_.traits();
    Sharing sharing{.threads = std::bit_floor(std::min(traits.cpu ? 8u : 256u, traits.max_workgroup_size))};
    const int64_t elems = kernel(source).elems, bytes = static_cast<int64_t>(type_bytes(source.values.spec.type));
    sharing.vectors = shape.inner == 1 && !source.indices && shape.n % elems == 0 &&
                      source.values.alignment % static_cast<uint64_t>(std::min<int64_t>(16, elems * bytes)) == 0;
    if (traits.cpu) return sharing;
    if (shape.inner == 1) {
      const int64_t steps = (shape.n + (sharing.vectors ? elems : 1) - 1) / (sharing.vectors ? elems : 1);
      sharing.parts = steps <= 4 ? 1 : steps <= 64 ? 8 : steps <= 512 ? 32 : sharing.threads;
    } else {
      sharing.parts = shape.n <= 8 ? 1 : shape.n <= 256 ? 8 : 16;
      if (shape.inner < 16) sharing.parts = shape.n <= 8 ? 1 : 64;
    }
    sharing.parts = std::min(sharing.parts, sharing.threads);
    return sharing;
  }

  // Enough chunks to keep the device busy, and none too long for a loop or for 32-bit indices.
  Chunks chunks(const AxisShape& shape, const Sharing& sharing) const {
    const int64_t strips = (shape.outer * shape.inner + sharing.wide() - 1) / sharing.wide();
    const int64_t busy = int64_t{plan_.traits().compute_units} * 8;
    const int64_t wanted =
        std::clamp<int64_t>((busy + strips - 1) / strips, 1, (shape.n + kShortestChunk - 1) / kShortestChunk);
    int64_t length = std::min((shape.n + wanted - 1) / wanted, kLongestChunk);
    length = (length + 15) / 16 * 16;
    if (length * shape.inner > reach()) length = std::max<int64_t>(reach() / shape.inner / 16 * 16, 2);
    if (length >= shape.n) return {shape.n, 1};
    return {length, (shape.n + length - 1) / length};
  }

  const VariantInfo& kernel(const Source& source) const {
    const std::string width = width_name(source.values.spec.type);
    return require_variant("arg", "extremum", width == "b32" ? width : width + "-b32",
                           plan_.traits().cpu ? "serial" : "shared", plan_.traits());
  }

  void pass(const Source& source, const AxisShape& shape, const Operand& to) {
    const Sharing share = sharing(source, shape);
    const Chunks cut = chunks(shape, share);
    if (cut.count == 1) return dispatches(source, shape, share, cut, to, std::nullopt);
    const Dims dims{shape.outer, cut.count, shape.inner};
    const Operand indices = plan_.temp({Type::u32, dims});
    const Operand keys = plan_.temp({source.values.spec.type, dims});
    dispatches(source, shape, share, cut, indices, keys);
    const OrderBits order{.kind = source.order.kind >= 2 ? 3u : 0u};
    pass({.values = keys, .order = order, .choice = {.last = choice_.last}, .indices = indices},
         {shape.outer, cut.count, shape.inner}, to);
  }

  // Whole outer indices together as far as indices reach, else chunks of one.
  void dispatches(const Source& source, const AxisShape& shape, const Sharing& share, const Chunks& cut,
                  const Operand& to, const std::optional<Operand>& keys) {
    const auto [outer, n, inner] = shape;
    const auto most = static_cast<int64_t>(most_groups(plan_.traits()));
    const auto part = [&](int64_t first_outer, int64_t outers, int64_t first_chunk, int64_t count) {
      const int64_t begin = first_chunk * cut.length, length = std::min(count * cut.length, n - begin);
      const int64_t from = (first_outer * n + begin) * inner, result = (first_outer * cut.count + first_chunk) * inner;
      strips(source, {outers, length, inner}, share, {cut.length, count}, {from, result, begin}, to, keys);
    };
    if (n * inner <= reach() && cut.count <= most) {
      const int64_t most_outers = reach() / (n * inner);
      for (int64_t o = 0; o < outer; o += most_outers) part(o, std::min(most_outers, outer - o), 0, cut.count);
      return;
    }
    const int64_t most_chunks = std::clamp<int64_t>(reach() / (cut.length * inner), 1, most);
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t c = 0; c < cut.count; c += most_chunks) part(o, 1, c, std::min(most_chunks, cut.count - c));
    }
  }

  struct Origin {
    int64_t from = 0, to = 0, row = 0;
  };

  void strips(const Source& source, const AxisShape& shape, const Sharing& share, const Chunks& cut,
              const Origin& origin, const Operand& to, const std::optional<Operand>& keys) {
    const Traits& traits = plan_.traits();
    const VariantInfo& variant = kernel(source);
    const int64_t columns = shape.outer * shape.inner, strips = (columns + share.wide() - 1) / share.wide();
    const int64_t most_strips = std::max<int64_t>(static_cast<int64_t>(most_groups(traits)) / cut.count, 1);
    const auto elements = static_cast<uint64_t>(columns * shape.n),
               results = static_cast<uint64_t>(columns * cut.count);
    for (int64_t first = 0; first < strips; first += most_strips) {
      const int64_t some = std::min(most_strips, strips - first);
      StepWriter step(variant.key);
      step.constant(0, share.threads);
      if (!traits.cpu) step.constant(1, share.parts);
      step.constant(2, share.vectors && cut.length % variant.elems == 0 ? 1 : 0).constant(3, shape.inner == 1 ? 1 : 0);
      step.constant(4, source.choice.smallest ? 1 : 0).constant(5, source.choice.last ? 1 : 0);
      step.constant(6, source.indices ? 1 : 0).constant(7, keys ? 1 : 0);
      source.order.add_to(step);
      const Type type = source.values.spec.type;
      step.push_read(element_at(source.values, origin.from), elements * type_bytes(type));
      step.push_write(element_at(to, origin.to), results * 4);
      if (source.indices) {
        step.push_read(element_at(*source.indices, origin.from), elements * 4);
      } else {
        step.push(uint64_t{0});
      }
      if (keys) {
        step.push_write(element_at(*keys, origin.to), results * type_bytes(type));
      } else {
        step.push(uint64_t{0});
      }
      step.push(static_cast<uint32_t>(shape.n));
      push_divisor(step, shape.inner);
      step.push(static_cast<uint32_t>(columns)).push(static_cast<uint32_t>(first * share.wide()));
      step.push(static_cast<uint32_t>(cut.length)).push(static_cast<uint32_t>(cut.count));
      push_divisor(step, some);
      step.push(static_cast<uint32_t>(origin.row));
      plan_.add(step.finish(fold_groups(static_cast<uint64_t>(some * cut.count), traits)));
    }
  }

  static void push_divisor(StepWriter& step, int64_t value) {
    const Division division = division_by(static_cast<uint32_t>(value));
    step.push(static_cast<uint32_t>(value)).push(division.magic).push(division.shift);
  }

  PlanBuilder& plan_;
  ArgChoice choice_;
};

class Arg {
 public:
  explicit Arg(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {}

  OpPlan plan() {
    if (call_.info.name == "extremum") plan_.fail("is a kernel, not an operation");
    if (call_.inputs.size() != 1) plan_.fail("takes 1 operand, not " + std::to_string(call_.inputs.size()));
    if (call_.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call_.outs.size()));
    const Operand operand = plan_.input(call_.inputs, 0);
    const Dims& dims = operand.spec.dims;
    if (type_info(operand.spec.type).kind == Kind::complex) plan_.unsupported("complex numbers have no order");
    const std::optional<int64_t> axis = attrs_.integer("axis");
    const std::string tie_break = attrs_.text("tie_break").value_or("low");
    const bool keep_axis = attrs_.integer("keep_axis", 0) != 0;
    attrs_.finish();
    if (tie_break != "low" && tie_break != "high") plan_.fail("tie_break is low or high, not " + tie_break);
    const AxisShape shape =
        axis ? axis_shape(dims, checked_axis(plan_, *axis, dims)) : AxisShape{.n = element_count(dims)};
    if (shape.n > int64_t{UINT32_MAX}) plan_.unsupported("more than 2^32 - 1 elements along the axis");
    const Operand to = plan_.output(out_spec(dims, axis, keep_axis));
    const ArgChoice choice{.smallest = call_.info.name == "argmin", .last = tie_break == "high"};
    const Operand from = in_memory(plan_, operand);
    if (to.spec.type == Type::u32 || to.spec.type == Type::s32) {
      append_arg(plan_, choice, from, shape, to);
    } else {
      const Operand index = plan_.temp({Type::u32, to.spec.dims});
      append_arg(plan_, choice, from, shape, index);
      cast_steps(plan_, index, to);
    }
    return plan_.finish();
  }

 private:
  TensorSpec out_spec(const Dims& dims, const std::optional<int64_t>& axis, bool keep_axis) const {
    Dims kept, with_ones;
    for (size_t d = 0; d < dims.size(); ++d) {
      const bool named = !axis || d == static_cast<size_t>(*axis);
      if (!named) kept.push_back(dims[d]);
      with_ones.push_back(named ? 1 : dims[d]);
    }
    if (call_.outs.empty()) return {Type::s32, keep_axis ? with_ones : kept};
    const TensorSpec& wanted = call_.outs[0];
    if (wanted.dims != kept && wanted.dims != with_ones) {
      plan_.fail("gives " + to_string({wanted.type, kept}) + ", not " + to_string(wanted));
    }
    return wanted;
  }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
};

}  // namespace

void append_arg(PlanBuilder& plan, const ArgChoice& choice, const Operand& from, const AxisShape& shape,
                const Operand& to) {
  ArgSteps steps(plan, choice);
  if (shape.inner == 1 || 2 * shape.inner <= static_cast<int64_t>(plan.traits().index32_limit)) {
    return steps.whole(from, shape, to);
  }
  steps.whole(axis_last(plan, from, shape), {shape.outer * shape.inner, shape.n, 1}, to);
}

OpPlan plan_arg(const OpCall& call) { return Arg(call).plan(); }

}  // namespace nxv
