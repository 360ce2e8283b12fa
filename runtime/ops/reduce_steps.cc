#include "runtime/ops/reduce_steps.h"

#include <algorithm>
#include <bit>

namespace nxv {
namespace {

constexpr int64_t kChunk = 8192;
constexpr int64_t kAccumulators = 128;

int64_t chunks_of(int64_t n) { return (n + kChunk - 1) / kChunk; }

class ReduceSteps {
 public:
  ReduceSteps(PlanBuilder& plan, std::string_view op) : plan_(plan), op_(op) {}

  // `runs` runs of n consecutive elements.
  void rows(const Operand& from, int64_t runs, int64_t n, const Operand& to) {
    const int64_t chunks = chunks_of(n);
    if (chunks == 1) return row_pass(from, runs, n, to);
    const Operand partial = plan_.temp({to.spec.type, {runs, chunks}});
    row_pass(from, runs, n, partial);
    rows(partial, runs, chunks, to);
  }

  // from[outer][n][inner] over n.
  void columns(const Operand& from, int64_t outer, int64_t n, int64_t inner, const Operand& to) {
    const int64_t chunks = chunks_of(n);
    if (chunks == 1) return column_pass(from, outer, n, inner, to);
    const Operand partial = plan_.temp({to.spec.type, {outer, chunks, inner}});
    column_pass(from, outer, n, inner, partial);
    columns(partial, outer, chunks, inner, to);
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

  // The results of all chunks, to[run][chunk]; as many dispatches as indices and grid ask for.
  void row_pass(const Operand& from, int64_t runs, int64_t n, const Operand& to) {
    const Traits& traits = plan_.traits();
    const bool serial = traits.cpu;
    const VariantInfo& kernel = variant(from.spec.type, to.spec.type, serial ? "serial_row" : "row");
    const uint32_t threads = std::min(serial ? serial_threads(n) : 256u, traits.max_workgroup_size);
    const uint32_t lanes = lanes_for(n);
    const bool vectors = n % 4 == 0 && aligned_to_quads(from);
    const int64_t units_per_group = serial ? threads : threads / lanes;
    const int64_t most_units = static_cast<int64_t>(most_groups(traits)) * units_per_group;

    const auto dispatch = [&](int64_t first, int64_t first_to, int64_t some_runs, int64_t length) {
      const int64_t chunks = chunks_of(length), units = some_runs * chunks;
      StepWriter step(kernel.key);
      step.constant(0, threads);
      if (!serial) step.constant(1, lanes);
      step.constant(2, vectors ? 1 : 0);
      step.push_read(at(from, first), bytes(from, some_runs * length));
      step.push_write(at(to, first_to), bytes(to, units));
      const Division division = division_by(static_cast<uint32_t>(chunks));
      step.push(static_cast<uint32_t>(units)).push(static_cast<uint32_t>(length));
      step.push(static_cast<uint32_t>(chunks)).push(division.magic).push(division.shift);
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

  // Few choices, since each is a pipeline of its own.
  static uint32_t lanes_for(int64_t n) { return n <= 8 ? 2 : n <= 32 ? 8 : 32; }

  // A CPU device takes few long workgroups; short runs share one.
  static uint32_t serial_threads(int64_t n) { return n >= 512 ? 8 : 64; }

  struct ColumnShape {
    uint32_t parts = 1, wide = 1, used = 1;
  };

  // How the invocations of a workgroup share columns and accumulators.
  ColumnShape column_shape(int64_t n, int64_t inner) const {
    ColumnShape shape;
    shape.used = n <= 8 ? 8 : n <= 32 ? 32 : 128;
    const int64_t quads = (inner + 3) / 4;
    if (plan_.traits().cpu) {
      shape.wide = 8;
      return shape;
    }
    // 512 invocations, 16 a column: both axes' sums of 2^28 f32 and f64 pass 4.3 TB/s on an H200; 256 by 8 stays
    // at 3.5.
    const uint32_t threads = std::bit_floor(std::min(512u, plan_.traits().max_workgroup_size));
    shape.parts = std::min({quads >= 32 ? 16u : quads >= 8 ? 64u : 128u, shape.used, threads});
    shape.wide = threads / shape.parts;
    return shape;
  }

  // Columns first … first + count - 1.
  struct Slab {
    int64_t first = 0, count = 0;
  };

  void column_pass(const Operand& from, int64_t outer, int64_t n, int64_t inner, const Operand& to) {
    const int64_t strip = 4 * int64_t{column_shape(n, inner).wide};
    const auto most = static_cast<int64_t>(most_groups(plan_.traits())) * strip;
    for (int64_t first = 0; first < inner; first += most) {
      column_slab(from, {outer, n, inner}, {first, std::min(most, inner - first)}, to);
    }
  }

  void column_slab(const Operand& from, const ReduceShape& shape, const Slab& slab, const Operand& to) {
    const Traits& traits = plan_.traits();
    const VariantInfo& kernel = variant(from.spec.type, to.spec.type, traits.cpu ? "serial_col" : "col");
    const ColumnShape sharing = column_shape(shape.n, shape.inner);
    const bool vectors = shape.inner % 4 == 0 && aligned_to_quads(from);
    const int64_t strip = 4 * int64_t{sharing.wide}, strips = (slab.count + strip - 1) / strip;

    const auto dispatch = [&](int64_t first_row, int64_t first_to, int64_t some_outer, int64_t length) {
      const int64_t chunks = chunks_of(length), outers = some_outer * chunks;
      StepWriter step(kernel.key);
      step.constant(0, sharing.parts * sharing.wide);
      if (!traits.cpu) step.constant(1, sharing.parts);
      step.constant(2, sharing.used).constant(3, vectors ? 1 : 0);
      step.push_read(at(from, first_row * shape.inner + slab.first),
                     bytes(from, (some_outer * length - 1) * shape.inner + slab.count));
      step.push_write(at(to, first_to * shape.inner + slab.first), bytes(to, (outers - 1) * shape.inner + slab.count));
      step.push(static_cast<uint32_t>(outers)).push(static_cast<uint32_t>(length));
      step.push(static_cast<uint32_t>(shape.inner)).push(static_cast<uint32_t>(slab.count));
      for (int64_t divisor : {chunks, strips}) {
        const Division division = division_by(static_cast<uint32_t>(divisor));
        step.push(static_cast<uint32_t>(divisor)).push(division.magic).push(division.shift);
      }
      plan_.add(step.finish(fold_groups(static_cast<uint64_t>(outers * strips), traits)));
    };

    const auto [outer, n, inner] = shape;
    const int64_t chunks = chunks_of(n), reach = static_cast<int64_t>(traits.index32_limit);
    const auto most = static_cast<int64_t>(most_groups(traits));
    if (n * inner <= reach && chunks * strips <= most) {
      const int64_t most_outer = std::min(reach / (n * inner), most / (chunks * strips));
      for (int64_t first = 0; first < outer; first += most_outer) {
        dispatch(first * n, first * chunks, std::min(most_outer, outer - first), n);
      }
      return;
    }
    const int64_t most_chunks = std::max<int64_t>(std::min(reach / (kChunk * inner), most / strips), 1);
    for (int64_t first = 0; first < outer; ++first) {
      for (int64_t chunk = 0; chunk < chunks; chunk += most_chunks) {
        const int64_t begin = chunk * kChunk;
        dispatch(first * n + begin, first * chunks + chunk, 1, std::min(most_chunks * kChunk, n - begin));
      }
    }
  }

  PlanBuilder& plan_;
  std::string_view op_;
};

}  // namespace

void append_reduce(PlanBuilder& plan, std::string_view op, const Operand& from, const ReduceShape& shape,
                   const Operand& to) {
  ReduceSteps steps(plan, op);
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
