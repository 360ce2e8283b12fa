#include "runtime/ops/scan.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "runtime/ops/attrs.h"
#include "runtime/ops/fill.h"
#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

constexpr int64_t kSegment = 8;
constexpr int64_t kTile = 2048;

int64_t tiles_of(int64_t n) { return (n + kTile - 1) / kTile; }

// What numbers of the type are added up as.
Type wide_type(Type type) {
  const TypeInfo& info = type_info(type);
  if (info.bits >= 32) return type;
  return is_float(type) ? Type::f32 : info.kind == Kind::sint ? Type::s32 : Type::u32;
}

class ScanSteps {
 public:
  ScanSteps(PlanBuilder& plan, std::string_view op) : plan_(plan), op_(op) {}

  void whole(const Operand& from, const AxisShape& shape, bool reverse, const Operand& to) {
    const auto [outer, n, inner] = shape;
    const bool rows = inner == 1 || !fits_columns(shape) || (!plan_.traits().cpu && !enough_columns(shape));
    if (!rows || inner == 1) return passes(from, shape, reverse, to);
    const Operand moved = plan_.temp({to.spec.type, {outer, inner, n}});
    passes(axis_last(plan_, from, shape), {outer * inner, n, 1}, reverse, moved);
    axis_back(plan_, moved, shape, to);
  }

 private:
  int64_t reach() const { return std::max(static_cast<int64_t>(plan_.traits().index32_limit), kTile); }

  bool fits_columns(const AxisShape& shape) const { return std::min(shape.n, kTile) * shape.inner <= reach(); }

  // An invocation goes down each column's tile: that pays where there are many.
  bool enough_columns(const AxisShape& shape) const {
    return shape.outer * shape.inner * tiles_of(shape.n) >= int64_t{plan_.traits().compute_units} * 256;
  }

  void passes(const Operand& from, const AxisShape& shape, bool reverse, const Operand& to) {
    const auto [outer, n, inner] = shape;
    const int64_t tiles = tiles_of(n);
    if (tiles == 1) return pass({.from = from, .to = to, .reverse = reverse}, shape);
    const TensorSpec totals{wide_type(from.spec.type), {outer, tiles, inner}};
    const Operand total = plan_.temp(totals), carry = plan_.temp(totals);
    pass({.from = from, .to = to, .totals = total, .reverse = reverse, .gives_totals = true}, shape);
    passes(total, {outer, tiles, inner}, false, carry);
    pass({.from = from, .to = to, .totals = carry, .reverse = reverse}, shape);
  }

  struct Pass {
    Operand from, to;
    std::optional<Operand> totals = std::nullopt;
    bool reverse = false, gives_totals = false;
  };

  // Whole outer indices together as far as indices reach, else tiles of one.
  void pass(const Pass& pass, const AxisShape& shape) {
    const auto [outer, n, inner] = shape;
    const int64_t tiles = tiles_of(n);
    if (n * inner <= reach()) {
      const int64_t most_outers = reach() / (n * inner);
      for (int64_t o = 0; o < outer; o += most_outers) {
        units(pass, {std::min(most_outers, outer - o), n, inner}, {o * n * inner, o * tiles * inner, 0});
      }
      return;
    }
    const int64_t most_tiles = std::max<int64_t>(reach() / (kTile * inner), 1);
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t t = 0; t < tiles; t += most_tiles) {
        const int64_t begin = t * kTile, length = std::min(most_tiles * kTile, n - begin);
        const int64_t row = pass.reverse ? n - begin - length : begin;
        const int64_t before = !pass.gives_totals && t > 0 ? 1 : 0;
        units(pass, {1, length, inner}, {(o * n + row) * inner, (o * tiles + t - before) * inner, before});
      }
    }
  }

  struct Origin {
    int64_t element = 0, total = 0;
    int64_t before = 0;  // totals begin with the tile before
  };

  uint32_t lanes(int64_t n, uint32_t threads) const {
    return std::min(std::bit_ceil(static_cast<uint32_t>(std::min((n + kSegment - 1) / kSegment, kTile / kSegment))),
                    threads);
  }

  // The kernel by rows needs all segments of a tile in one workgroup, and the tile in shared memory.
  bool by_rows(const Type type, int64_t inner) const {
    const Traits& traits = plan_.traits();
    const uint64_t bytes = type_bytes(wide_type(type)) * static_cast<uint64_t>(kTile);
    return inner == 1 && !traits.cpu && traits.max_workgroup_size >= 256 && traits.max_shared_bytes >= bytes;
  }

  void units(const Pass& pass, const AxisShape& shape, const Origin& origin) {
    const Traits& traits = plan_.traits();
    const auto [outer, n, inner] = shape;
    const Type type = pass.from.spec.type;
    const bool rows = by_rows(type, inner);
    const VariantInfo& variant = require_variant("scan", op_, type_info(type).name, rows ? "row" : "serial", traits);
    const int64_t tiles = tiles_of(n), columns = outer * inner, units = tiles * columns;
    const uint32_t threads = rows ? 256u : std::min(traits.cpu ? 8u : 64u, traits.max_workgroup_size);
    const uint32_t share = rows ? lanes(n, threads) : 1;
    const int64_t together = threads / share, most = static_cast<int64_t>(most_groups(traits)) * together;
    const uint64_t bytes = static_cast<uint64_t>(columns * n) * type_bytes(type);
    for (int64_t first = 0; first < units; first += most) {
      const int64_t some = std::min(most, units - first);
      StepWriter step(variant.key);
      step.constant(0, threads);
      if (rows) step.constant(1, share);
      step.constant(2, pass.gives_totals ? 1 : 0).constant(3, pass.reverse ? 1 : 0);
      step.constant(4, pass.totals && !pass.gives_totals ? 1 : 0);
      step.push_read(element_at(pass.from, origin.element), bytes);
      if (pass.gives_totals) {
        step.push(uint64_t{0});
      } else {
        step.push_write(element_at(pass.to, origin.element), bytes);
      }
      push_totals(step, pass, origin, units + origin.before * inner);
      step.push(static_cast<uint32_t>(n));
      push_divisor(step, inner);
      push_divisor(step, columns);
      step.push(static_cast<uint32_t>(units)).push(static_cast<uint32_t>(first));
      step.push(static_cast<uint32_t>(tiles)).push(static_cast<uint32_t>(origin.before));
      plan_.add(step.finish(fold_groups(static_cast<uint64_t>((some + together - 1) / together), traits)));
    }
  }

  static void push_totals(StepWriter& step, const Pass& pass, const Origin& origin, int64_t count) {
    if (!pass.totals) {
      step.push(uint64_t{0});
      return;
    }
    const uint64_t bytes = static_cast<uint64_t>(count) * type_bytes(pass.totals->spec.type);
    const Ref ref = element_at(*pass.totals, origin.total);
    if (pass.gives_totals) {
      step.push_write(ref, bytes);
    } else {
      step.push_read(ref, bytes);
    }
  }

  static void push_divisor(StepWriter& step, int64_t value) {
    const Division division = division_by(static_cast<uint32_t>(value));
    step.push(static_cast<uint32_t>(value)).push(division.magic).push(division.shift);
  }

  PlanBuilder& plan_;
  std::string_view op_;
};

class Scan {
 public:
  explicit Scan(const OpCall& call)
      : call_(call), plan_(call.info.name, call.traits), attrs_(call.info.name, call.attrs) {}

  OpPlan plan() {
    if (call_.inputs.size() != 1) plan_.fail("takes 1 operand, not " + std::to_string(call_.inputs.size()));
    if (call_.outs.size() > 1) plan_.fail("has one output, not " + std::to_string(call_.outs.size()));
    const Operand operand = plan_.input(call_.inputs, 0);
    const Dims& dims = operand.spec.dims;
    const int64_t axis = checked_axis(plan_, attrs_.integer("axis", 0), dims);
    const bool reverse = attrs_.integer("reverse", 0) != 0;
    attrs_.finish();
    const TensorSpec spec = call_.outs.empty() ? operand.spec : call_.outs[0];
    if (spec.dims != dims) plan_.fail("gives the shape of its operand, not " + to_string(spec));
    const Operand to = plan_.output(spec);
    const Operand from = in_memory(plan_, cast_to(plan_, operand, spec.type), dims);
    append_scan(plan_, call_.info.name, from, axis_shape(dims, axis), reverse, to);
    return plan_.finish();
  }

 private:
  const OpCall& call_;
  PlanBuilder plan_;
  AttrReader attrs_;
};

}  // namespace

void append_scan(PlanBuilder& plan, std::string_view op, const Operand& from, const AxisShape& shape, bool reverse,
                 const Operand& to) {
  ScanSteps(plan, op).whole(from, shape, reverse, to);
}

OpPlan plan_scan(const OpCall& call) { return Scan(call).plan(); }

}  // namespace nxv
