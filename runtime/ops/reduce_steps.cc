#include "runtime/ops/reduce_steps.h"

#include <algorithm>
#include <bit>

#include "runtime/ops/map_steps.h"

namespace nxv {
namespace {

constexpr int64_t kChunk = 8192;
constexpr int64_t kAccumulators = 128;
constexpr int64_t kLeft = 32;       // accumulators that a chunk leaves to the next dispatch on a CPU device
constexpr int64_t kSideBySide = 8;  // invocations that share such a chunk

int64_t chunks_of(int64_t n) { return (n + kChunk - 1) / kChunk; }

class ReduceSteps {
 public:
  ReduceSteps(PlanBuilder& plan, std::string_view op) : plan_(plan), op_(op) {}

  // `runs` runs of n consecutive elements.
  void rows(const Operand& from, int64_t runs, int64_t n, const Operand& to) {
    const int64_t chunks = chunks_of(n);
    const Operand results = chunks == 1 ? to : plan_.temp({to.spec.type, {runs, chunks}});
    if (plan_.traits().cpu && n > kLeft) {
      const Operand left = plan_.temp({to.spec.type, {runs, chunks, kLeft}});
      row_pass(from, runs, n, left);
      row_pass(left, runs * chunks, kLeft, results);
    } else {
      row_pass(from, runs, n, results);
    }
    if (chunks > 1) rows(results, runs, chunks, to);
  }

  // from[outer][n][inner] over n.
  void columns(const Operand& from, int64_t outer, int64_t n, int64_t inner, const Operand& to) {
    const int64_t chunks = chunks_of(n);
    if (chunks == 1) return column_pass(from, {outer, n, inner}, to);
    const Operand partial = plan_.temp({to.spec.type, {outer, chunks, inner}});
    column_pass(from, {outer, n, inner}, partial);
    columns(partial, outer, chunks, inner, to);
  }

  bool takes_one_pass(const ReduceShape& shape) const {
    return chunks_of(shape.n) == 1 && (shape.inner > 1 || !plan_.traits().cpu || shape.n <= kLeft);
  }

 private:
  const VariantInfo& variant(Type from, Type to, std::string_view access) const {
    return require_variant("reduce", op_, reduce_types(from, to), access, plan_.traits());
  }

  static bool aligned_to_quads(const Operand& operand) {
    return operand.alignment % std::min<uint64_t>(16, 4 * type_bytes(operand.spec.type)) == 0;
  }

  static Ref at(const Operand& operand, int64_t element) {
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(operand.spec.type);
    return ref;
  }

  static uint64_t bytes(const Operand& operand, int64_t elements) {
    return static_cast<uint64_t>(elements) * type_bytes(operand.spec.type);
  }

  // 32-bit indices reach this far; a chunk is never cut.
  int64_t reach() const { return std::max(static_cast<int64_t>(plan_.traits().index32_limit), kChunk); }

  // The results of all chunks, to[run][chunk], or what they leave, to[run][chunk][kLeft]; as many dispatches as indices
  // and grid ask for.
  void row_pass(const Operand& from, int64_t runs, int64_t n, const Operand& to) {
    const Traits& traits = plan_.traits();
    const bool serial = traits.cpu;
    const VariantInfo& kernel = variant(from.spec.type, to.spec.type, serial ? "serial_row" : "row");
    const uint32_t threads = std::min(serial ? serial_threads(n) : 256u, traits.max_workgroup_size);
    const RowSharing sharing = row_sharing(n);
    const bool vectors = n % 4 == 0 && aligned_to_quads(from);
    const bool is_short = n <= kLeft;
    const int64_t units_per_group = serial ? (is_short ? threads : threads / kSideBySide) : threads / sharing.lanes;
    const int64_t results = serial && !is_short ? kLeft : 1;  // of a chunk
    const int64_t most_units = static_cast<int64_t>(most_groups(traits)) * units_per_group;

    const auto dispatch = [&](int64_t first, int64_t first_to, int64_t some_runs, int64_t length) {
      const int64_t chunks = chunks_of(length), units = some_runs * chunks;
      StepWriter step(kernel.key);
      step.constant(0, threads);
      step.constant(1, serial ? (is_short ? 1 : 0) : sharing.lanes).constant(2, vectors ? 1 : 0);
      if (!serial) step.constant(3, sharing.quads);
      step.push_read(at(from, first), bytes(from, some_runs * length));
      step.push_write(at(to, first_to * results), bytes(to, units * results));
      step.push(static_cast<uint32_t>(units)).push(static_cast<uint32_t>(length));
      push_divisor(step, chunks);
      plan_.add(
          step.finish(fold_groups(static_cast<uint64_t>((units + units_per_group - 1) / units_per_group), traits)));
    };

    const int64_t chunks = chunks_of(n);
    if (n <= reach() && chunks <= most_units) {
      const int64_t most_runs = std::min(reach() / n, most_units / chunks);
      for (int64_t run = 0; run < runs; run += most_runs) {
        dispatch(run * n, run * chunks, std::min(most_runs, runs - run), n);
      }
      return;
    }
    const int64_t most_chunks = std::min(reach() / kChunk, most_units);
    for (int64_t run = 0; run < runs; ++run) {
      for (int64_t chunk = 0; chunk < chunks; chunk += most_chunks) {
        const int64_t begin = chunk * kChunk;
        dispatch(run * n + begin, run * chunks + chunk, 1, std::min(most_chunks * kChunk, n - begin));
      }
    }
  }

  // Lanes of a chunk and, where n is short, their vectors. Few choices, since each is a pipeline of its own.
  struct RowSharing {
    uint32_t lanes = 32, quads = 0;
  };
  static RowSharing row_sharing(int64_t n) {
    if (n <= 4) return {1, 1};
    if (n <= 16) return {4, 1};
    if (n <= 64) return {4, 4};
    if (n <= 128) return {8, 4};
    return {};
  }

  // A CPU device takes few long workgroups; short runs share one.
  static uint32_t serial_threads(int64_t n) { return n >= 512 ? 8 : 64; }

  // How the invocations of a workgroup share columns and accumulators.
  struct ColumnSharing {
    uint32_t parts = 1, wide = 8;
    bool is_short = false;
  };

  ColumnSharing column_sharing(const ReduceShape& shape) const {
    const Traits& traits = plan_.traits();
    if (traits.cpu) return {1, 8, shape.n <= 8};
    ColumnSharing sharing{.is_short = shape.n <= kAccumulators};
    // Long columns: 512 invocations, 16 a column. 2^28 f32 pass 4.3 TB/s on an H200; 256 by 8 stay at 3.9.
    const uint32_t threads = std::bit_floor(std::min(sharing.is_short ? 256u : 512u, traits.max_workgroup_size));
    if (sharing.is_short) {
      sharing.parts = shape.n <= 8 ? 1 : shape.n <= 32 ? 4 : 16;
    } else {
      const int64_t quads = (shape.outer * shape.inner + 3) / 4 * chunks_of(shape.n);
      const int64_t busy = int64_t{traits.compute_units} * 256;
      sharing.parts = quads * 16 >= busy ? 16 : quads * 64 >= busy ? 64 : std::min(128u, threads);
    }
    sharing.wide = threads / sharing.parts;
    return sharing;
  }

  void column_pass(const Operand& from, const ReduceShape& shape, const Operand& to) {
    const auto [outer, n, inner] = shape;
    const int64_t chunks = chunks_of(n), reach = static_cast<int64_t>(plan_.traits().index32_limit);
    const auto most = static_cast<int64_t>(most_groups(plan_.traits()));
    if (n * inner <= reach && chunks <= most) {
      const int64_t most_outer = reach / (n * inner);
      for (int64_t first = 0; first < outer; first += most_outer) {
        const int64_t some = std::min(most_outer, outer - first);
        column_steps(from, {some, n, inner}, first * n * inner, to, first * chunks * inner);
      }
      return;
    }
    const int64_t most_chunks = std::clamp<int64_t>(reach / (kChunk * inner), 1, most);
    for (int64_t first = 0; first < outer; ++first) {
      for (int64_t chunk = 0; chunk < chunks; chunk += most_chunks) {
        const int64_t begin = chunk * kChunk;
        column_steps(from, {1, std::min(most_chunks * kChunk, n - begin), inner}, (first * n + begin) * inner, to,
                     (first * chunks + chunk) * inner);
      }
    }
  }

  // Dispatches over as many columns as the grid allows.
  void column_steps(const Operand& from, const ReduceShape& shape, int64_t from_origin, const Operand& to,
                    int64_t to_origin) {
    const Traits& traits = plan_.traits();
    const VariantInfo& kernel = variant(from.spec.type, to.spec.type, traits.cpu ? "serial_col" : "col");
    const ColumnSharing sharing = column_sharing(shape);
    const bool vectors = shape.inner % 4 == 0 && aligned_to_quads(from);
    const int64_t chunks = chunks_of(shape.n), columns = shape.outer * shape.inner;
    const int64_t strip = 4 * int64_t{sharing.wide}, strips = (columns + strip - 1) / strip;
    const int64_t most_strips = static_cast<int64_t>(most_groups(traits)) / chunks;
    for (int64_t first = 0; first < strips; first += most_strips) {
      const int64_t some = std::min(most_strips, strips - first);
      StepWriter step(kernel.key);
      step.constant(0, sharing.parts * sharing.wide);
      if (!traits.cpu) step.constant(1, sharing.parts);
      step.constant(2, sharing.is_short ? 1 : 0).constant(3, vectors ? 1 : 0);
      step.push_read(at(from, from_origin), bytes(from, shape.outer * shape.n * shape.inner));
      step.push_write(at(to, to_origin), bytes(to, chunks * columns));
      step.push(static_cast<uint32_t>(shape.n));
      push_divisor(step, shape.inner);
      step.push(static_cast<uint32_t>(columns)).push(static_cast<uint32_t>(first * strip));
      step.push(static_cast<uint32_t>(chunks));
      push_divisor(step, some);
      plan_.add(step.finish(fold_groups(static_cast<uint64_t>(chunks * some), traits)));
    }
  }

  static void push_divisor(StepWriter& step, int64_t value) {
    const Division division = division_by(static_cast<uint32_t>(value));
    step.push(static_cast<uint32_t>(value)).push(division.magic).push(division.shift);
  }

  PlanBuilder& plan_;
  std::string_view op_;
};

}  // namespace

void append_reduce(PlanBuilder& plan, std::string_view op, const Operand& from, const ReduceShape& shape,
                   const Operand& to) {
  ReduceSteps steps(plan, op);
  if ((op == "sum" || op == "product") && is_narrow_float(to.spec.type) && !steps.takes_one_pass(shape)) {
    const Operand wide = plan.temp({Type::f32, to.spec.dims});
    append_reduce(plan, op, from, shape, wide);
    return cast_steps(plan, wide, to);
  }
  if (shape.inner == 1) {
    steps.rows(from, shape.outer, shape.n, to);
  } else {
    steps.columns(from, shape.outer, shape.n, shape.inner, to);
  }
}

bool fits_columns(const ReduceShape& shape, const Traits& traits) {
  return std::min(shape.n, kChunk) * shape.inner <= static_cast<int64_t>(traits.index32_limit);
}

std::string reduce_types(Type from, Type to) {
  std::string types(type_info(from).name);
  if (from != to) types += "-" + std::string(type_info(to).name);
  return types;
}

}  // namespace nxv
