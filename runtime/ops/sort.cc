#include "runtime/ops/sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/order_bits.h"
#include "runtime/ops/scan.h"
#include "runtime/ops/strided_copy.h"

namespace nxv {
namespace {

constexpr int64_t kDigits = 256;
constexpr int64_t kItems = 16;  // an invocation of sort_tile.glsl
constexpr int64_t kSerialTile = 4096;

class SortSteps {
 public:
  SortSteps(PlanBuilder& plan, int64_t rows, int64_t n, bool descending)
      : plan_(plan), rows_(rows), n_(n), descending_(descending) {}

  void sort(const Operand& from, const Sorted& to) {
    if (n_ > reach()) {
      plan_.unsupported("rows of " + std::to_string(n_) + " elements, a dispatch reaches " + std::to_string(reach()));
    }
    const Stage whole{.from = from, .to = to};
    if (n_ <= (plan_.traits().cpu ? 128 : 64)) return by_rank(whole);
    if (!plan_.traits().cpu && n_ <= int64_t{most_threads()} * kItems) return by_block(whole);
    by_digits(whole);
  }

 private:
  struct Stage {
    Operand from;
    std::optional<Operand> from_indices = std::nullopt;
    Sorted to = {};
    std::optional<Operand> counts = std::nullopt;
    uint32_t shift = 0;
    bool counting = false;
  };

  // How a kernel's invocations share the work.
  struct Share {
    std::string_view access;
    uint32_t threads = 256;
    int64_t tiles = 1;  // of a row, as divisor of units
    int64_t units_of_a_row = 1;
    int64_t units_of_a_group = 1;
  };

  int64_t reach() const { return static_cast<int64_t>(plan_.traits().index32_limit); }

  // Of a tile's workgroup: 16 words an invocation and one a digit in shared memory.
  uint32_t most_threads() const {
    const Traits& traits = plan_.traits();
    const uint32_t fitting = (traits.max_shared_bytes - std::min(traits.max_shared_bytes, 1024u)) / 64;
    const uint32_t threads = std::min({std::bit_floor(fitting), std::bit_floor(traits.max_workgroup_size), 256u});
    if (threads < 32) plan_.unsupported("the device has too little shared memory");
    return threads;
  }

  void by_rank(const Stage& stage) {
    const uint32_t threads = std::min(plan_.traits().cpu ? 64u : 256u, plan_.traits().max_workgroup_size);
    dispatches(stage, {"rank", threads, n_, n_, threads}, n_);
  }

  void by_block(const Stage& stage) {
    const auto wanted = std::bit_ceil(static_cast<uint32_t>((n_ + kItems - 1) / kItems));
    dispatches(stage, {"block", std::max(wanted, 32u)}, n_);
  }

  void by_digits(const Stage& whole) {
    const bool cpu = plan_.traits().cpu;
    const uint32_t threads = cpu ? 8 : most_threads();
    const int64_t tile = cpu ? kSerialTile : int64_t{threads} * kItems, tiles = (n_ + tile - 1) / tile;
    const Share count{cpu ? "serial_count" : "count", threads, tiles, tiles, cpu ? threads : 1};
    const Share scatter{cpu ? "serial_scatter" : "scatter", threads, tiles, tiles, cpu ? threads : 1};
    const int64_t reached = std::max(n_, kDigits * tiles);
    if (reached > reach()) plan_.unsupported("rows of " + std::to_string(n_) + " elements, which index counters");

    const Type type = whole.from.spec.type;
    const uint32_t passes = type_info(type).bits / 8;
    const TensorSpec values{type, {rows_, n_}}, indices{Type::u32, {rows_, n_}};
    const TensorSpec counters{Type::u32, {rows_, kDigits * tiles}};
    const Operand counts = plan_.temp(counters), places = plan_.temp(counters);
    std::array<Sorted, 2> between;
    for (uint32_t i = 0; i < 2 && i + 1 < passes; ++i) {
      between[i].values = plan_.temp(values);
      if (whole.to.indices) between[i].indices = plan_.temp(indices);
    }
    Stage stage = whole;
    for (uint32_t pass = 0; pass < passes; ++pass) {
      stage.shift = 8 * pass;
      stage.to = pass + 1 == passes ? whole.to : between[pass % 2];
      Stage counting = stage;
      counting.counting = true;
      counting.counts = counts;
      dispatches(counting, count, reached);
      append_scan(plan_, "cumulative_sum", counts, {rows_, kDigits * tiles, 1}, false, places);
      stage.counts = places;
      dispatches(stage, scatter, reached);
      stage.from = pass + 1 == passes ? stage.from : *stage.to.values;
      stage.from_indices = stage.to.indices;
    }
  }

  // As many rows together as indices reach, where a row asks for `reached` of them.
  void dispatches(const Stage& stage, const Share& share, int64_t reached) {
    const int64_t most_rows = reach() / reached;
    for (int64_t row = 0; row < rows_; row += most_rows) units(stage, share, row, std::min(most_rows, rows_ - row));
  }

  void units(const Stage& stage, const Share& share, int64_t row, int64_t rows) {
    const Traits& traits = plan_.traits();
    const Type type = stage.from.spec.type;
    const VariantInfo& variant = require_variant("sort", "order", width_name(type), share.access, traits);
    const int64_t count = rows * share.units_of_a_row,
                  most = static_cast<int64_t>(most_groups(traits)) * share.units_of_a_group;
    const int64_t element = row * n_;
    const auto elements = static_cast<uint64_t>(rows * n_);
    for (int64_t first = 0; first < count; first += most) {
      const int64_t some = std::min(most, count - first);
      StepWriter step(variant.key);
      step.constant(0, share.threads).constant(1, descending_ ? 1 : 0);
      if (!stage.counting) {
        step.constant(2, stage.to.indices ? (stage.from_indices ? 2 : 1) : 0).constant(3, stage.to.values ? 1 : 0);
      }
      order_bits(type).add_to(step);
      step.push_read(element_at(stage.from, element), elements * type_bytes(type));
      push_operand(step, stage.counting ? std::nullopt : stage.to.values, element, elements, true);
      push_operand(step, stage.counting ? std::nullopt : stage.from_indices, element, elements, false);
      push_operand(step, stage.counting ? std::nullopt : stage.to.indices, element, elements, true);
      const int64_t counters = kDigits * share.tiles;
      // A CPU device's scatter counts in the scan itself.
      push_operand(step, stage.counts, row * counters, static_cast<uint64_t>(rows * counters),
                   stage.counting || traits.cpu);
      step.push(static_cast<uint32_t>(n_));
      const Division division = division_by(static_cast<uint32_t>(share.tiles));
      step.push(static_cast<uint32_t>(share.tiles)).push(division.magic).push(division.shift);
      step.push(static_cast<uint32_t>(count)).push(static_cast<uint32_t>(first)).push(stage.shift);
      const auto groups = static_cast<uint64_t>((some + share.units_of_a_group - 1) / share.units_of_a_group);
      plan_.add(step.finish(fold_groups(groups, traits)));
    }
  }

  static void push_operand(StepWriter& step, const std::optional<Operand>& operand, int64_t element, uint64_t count,
                           bool write) {
    if (!operand) {
      step.push(uint64_t{0});
      return;
    }
    const uint64_t bytes = count * type_bytes(operand->spec.type);
    if (write) {
      step.push_write(element_at(*operand, element), bytes);
    } else {
      step.push_read(element_at(*operand, element), bytes);
    }
  }

  PlanBuilder& plan_;
  int64_t rows_, n_;
  bool descending_;
};

class Sort {
 public:
  explicit Sort(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {}

  OpPlan plan() {
    const bool top_k = call_.info.name == "top_k";
    if (call_.info.name == "order") plan_.fail("is a kernel, not an operation");
    if (call_.inputs.size() != 1) plan_.fail("takes 1 operand, not " + std::to_string(call_.inputs.size()));
    if (!call_.outs.empty() && call_.outs.size() != (top_k ? 2 : 1)) {
      plan_.fail("has " + std::string(top_k ? "two outputs" : "one output") + ", not " +
                 std::to_string(call_.outs.size()));
    }
    const Operand operand = plan_.input(call_.inputs, 0);
    if (type_info(operand.spec.type).kind == Kind::complex) plan_.unsupported("complex numbers have no order");
    const Operand from = in_memory(plan_, operand);
    if (top_k) {
      largest(from);
    } else {
      along_axis(from);
    }
    return plan_.finish();
  }

 private:
  TensorSpec wanted(size_t index, const TensorSpec& inferred) const {
    if (call_.outs.empty()) return inferred;
    if (call_.outs[index].dims != inferred.dims)
      plan_.fail("gives " + to_string(inferred) + ", not " + to_string(call_.outs[index]));
    return call_.outs[index];
  }

  void along_axis(const Operand& from) {
    const Dims& dims = from.spec.dims;
    const int64_t axis = attrs_.integer("axis", 0);
    const std::string direction = attrs_.text("direction").value_or("asc");
    attrs_.integer("stable");
    attrs_.finish();
    if (direction != "asc" && direction != "desc") plan_.fail("direction is asc or desc, not " + direction);
    const AxisShape shape = dims.empty() ? AxisShape{} : axis_shape(dims, checked_axis(plan_, axis, dims));
    const bool indices = call_.info.name == "argsort";
    const Operand to = plan_.output(wanted(0, {indices ? Type::s32 : from.spec.type, dims}));
    const Type type = indices ? Type::u32 : from.spec.type;
    const bool moved = shape.inner != 1;
    const Operand rows = moved ? axis_last(plan_, from, shape) : from;
    const bool direct = is_word(to.spec.type, type);
    const Operand sorted = moved    ? plan_.temp({type, {shape.outer, shape.inner, shape.n}})
                           : direct ? to
                                    : plan_.temp({type, dims});
    append_sort(plan_, rows, shape.outer * shape.inner, shape.n, direction == "desc",
                indices ? Sorted{.indices = sorted} : Sorted{.values = sorted});
    if (moved && direct) return axis_back(plan_, sorted, shape, to);
    if (moved) {
      const Operand back = plan_.temp({type, dims});
      axis_back(plan_, sorted, shape, back);
      return cast_steps(plan_, back, to);
    }
    if (!direct) cast_steps(plan_, sorted, to);
  }

  void largest(const Operand& from) {
    const Dims& dims = from.spec.dims;
    const int64_t k = attrs_.integer("k", 1);
    attrs_.finish();
    if (dims.empty()) plan_.fail("takes a tensor of one axis at least");
    if (k < 1 || k > dims.back()) plan_.fail("k is " + std::to_string(k) + " of " + std::to_string(dims.back()));
    const AxisShape shape = axis_shape(dims, static_cast<int64_t>(dims.size()) - 1);
    Dims kept = dims;
    kept.back() = k;
    const Operand values = plan_.output(wanted(0, {from.spec.type, kept}));
    const Operand indices = plan_.output(wanted(1, {Type::s32, kept}));
    const Operand sorted = plan_.temp(from.spec), places = plan_.temp({Type::u32, dims});
    append_sort(plan_, from, shape.outer, shape.n, true, {.values = sorted, .indices = places});
    first_of_rows(sorted, shape, k, values);
    first_of_rows(places, shape, k, indices);
  }

  void first_of_rows(const Operand& from, const AxisShape& shape, int64_t k, const Operand& to) {
    const bool direct = is_word(to.spec.type, from.spec.type);
    const Operand cut = direct ? to : plan_.temp({from.spec.type, to.spec.dims});
    // A copy moves elements of one type.
    Operand written = cut;
    written.spec.type = from.spec.type;
    append_copy(plan_, {.from = from, .to = written, .axes = {{shape.outer, shape.n, k}, {k, 1, 1}}});
    if (!direct) cast_steps(plan_, cut, to);
  }

  // Whether `type` holds what the kernels write as `made`.
  static bool is_word(Type type, Type made) { return type == made || (made == Type::u32 && type == Type::s32); }

  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
};

}  // namespace

void append_sort(PlanBuilder& plan, const Operand& from, int64_t rows, int64_t n, bool descending, const Sorted& to) {
  SortSteps(plan, rows, n, descending).sort(from, to);
}

OpPlan plan_sort(const OpCall& call) { return Sort(call).plan(); }

}  // namespace nxv
