#include "runtime/ops/dot_steps.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <iterator>
#include <string_view>
#include <vector>

#include "runtime/ops/copy_layout.h"
#include "runtime/ops/map_steps.h"
#include "runtime/ops/reduce_steps.h"

namespace nxv {
namespace {

constexpr int64_t kSplitUnit = 256;  // the k of a split is a multiple of it
constexpr uint32_t kRows = 16;
constexpr uint32_t kBand = 8;              // tiles side by side that share what the cache holds of b
constexpr int64_t kLongestLoop = 1 << 15;  // on CPU devices: llvmpipe of Mesa 22.3 leaves every loop after 65,535 turns

// What one dispatch computes, or what still has to be cut for one.
struct Piece {
  int64_t splits = 1, batches = 1, m = 1, n = 1, k = 1;
  int64_t a_origin = 0, b_origin = 0, z_origin = 0;
};

enum class Way { block, rows, line, column };

class ProductPlanner {
 public:
  ProductPlanner(PlanBuilder& plan, const MatrixProduct& product, const BlockChoice* block)
      : plan_(plan), product_(product) {
    // A row times a matrix is the transposed matrix times a column.
    if (product.m == 1 && product.n > 1) {
      product_.a = product.b;
      product_.b = product.a;
      product_.m = product.n;
      product_.n = 1;
      product_.a_batch = product.b_batch;
      product_.a_m = product.b_n;
      product_.a_k = product.b_k;
      product_.b_batch = product.a_batch;
      product_.b_k = product.a_k;
      product_.b_n = 0;
    }
    way_ = choose_way();
    if (way_ != Way::block) return;
    const MatrixProduct& p = product_;
    const BlockChoice choice =
        block ? *block : choose_block({p.batches, p.m, p.n, p.k}, element_bytes(), plan.traits());
    shape_ = choice.shape;
    splits_ = choice.splits;
  }

  void append() {
    const MatrixProduct& p = product_;
    choose_splits();
    z_ = p.z;
    if (splits_ == 1) return append({1, p.batches, p.m, p.n, p.k});
    // Sums of narrow floats are rounded when they are complete, narrow integers are added up as wider ones.
    const Type parts = is_narrow_float(p.z.spec.type) ? Type::f32 : p.z.spec.type, whole = to_aggregate(parts);
    z_ = plan_.temp({parts, {splits_, p.batches, p.m, p.n}});
    append({splits_, p.batches, p.m, p.n, p.k});
    const Operand sums = whole != p.z.spec.type ? plan_.temp({whole, p.z.spec.dims}) : p.z;
    append_reduce(plan_, "sum", z_, {1, splits_, p.batches * p.m * p.n}, sums);
    if (whole != p.z.spec.type) cast_steps(plan_, sums, p.z);
  }

 private:
  const Traits& traits() const { return plan_.traits(); }
  bool cpu() const { return traits().cpu; }
  uint32_t threads() const {
    const uint32_t most = std::bit_floor(std::min(256u, traits().max_workgroup_size));
    if (way_ == Way::block) return shape_.threads();
    return cpu() ? std::min(8u, most) : most;
  }

  Way choose_way() const {
    if (product_.n == 1) return product_.a_m == 1 && product_.a_k != 1 && product_.m >= 8 ? Way::column : Way::line;
    return cpu() ? Way::rows : Way::block;
  }

  // What one takes in the shared memory of the kernel: narrow types are computed in 32 bits.
  uint64_t element_bytes() const { return std::max<uint64_t>(4, type_bytes(product_.z.spec.type)); }

  std::string_view access() const {
    switch (way_) {
      case Way::block:
        return "block";
      case Way::rows:
        return "rows";
      case Way::line:
        return cpu() ? "serial_line" : "line";
      case Way::column:
        return cpu() ? "serial_column" : "column";
    }
    return "";
  }

  // Lanes of a row (line) or parts of k (column).
  uint32_t shared_by() const {
    if (cpu()) return 1;
    if (way_ == Way::column) return 8;
    return product_.m >= 1024 || product_.k <= 2048 ? 32 : 256;
  }

  // Rows and columns of z that one workgroup computes.
  int64_t group_m() const {
    switch (way_) {
      case Way::block:
        return shape_.m;
      case Way::rows:
        return kRows;
      case Way::line:
        return 1;
      case Way::column:
        return int64_t{4} * (threads() / shared_by());
    }
    return 1;
  }
  int64_t group_n() const { return way_ == Way::block ? shape_.n : way_ == Way::rows ? int64_t{4} * threads() : 1; }

  static int64_t tiles(int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; }

  int64_t jobs(const Piece& piece) const {
    return piece.splits * piece.batches * tiles(piece.m, group_m()) * tiles(piece.n, group_n());
  }
  int64_t groups(const Piece& piece) const {
    return way_ == Way::line ? tiles(jobs(piece), threads() / shared_by()) : jobs(piece);
  }

  // Cuts k where there are too few workgroups otherwise, or too many elements for 32-bit indices.
  void choose_splits() {
    const MatrixProduct& p = product_;
    const int64_t whole = groups({1, p.batches, p.m, p.n, p.k});
    const bool streams = way_ == Way::line || way_ == Way::column;
    const int64_t wanted = (cpu() ? 1 : streams ? 8 : 2) * int64_t{traits().compute_units};
    const int64_t least = cpu() ? 16384 : streams ? 4 * kSplitUnit : kSplitUnit;
    int64_t splits = way_ == Way::block ? splits_ : std::clamp<int64_t>(wanted / whole, 1, tiles(p.k, least));
    const int64_t step = std::max({p.a_k, p.b_k, int64_t{1}});
    int64_t reach = std::max<int64_t>(static_cast<int64_t>(traits().index32_limit) / step / 4, 1);
    if (cpu()) reach = std::min(reach, kLongestLoop);
    splits = std::max(splits, tiles(p.k, reach));
    splits_ = 1;
    if (splits == 1) {
      k_each_ = p.k;
      return;
    }
    const int64_t unit = reach < kSplitUnit ? 1 : way_ == Way::block ? 4 * int64_t{shape_.k} : kSplitUnit;
    k_each_ = tiles(tiles(p.k, splits), unit) * unit;
    if (k_each_ > reach) k_each_ = reach / unit * unit;
    splits_ = tiles(p.k, k_each_);
  }

  int64_t z_unit() const { return product_.m * product_.n; }

  void append(const Piece& piece) {
    const MatrixProduct& p = product_;
    const auto limit = static_cast<int64_t>(traits().index32_limit);
    const int64_t a = (piece.batches - 1) * p.a_batch + (piece.m - 1) * p.a_m + (piece.k - 1) * p.a_k + 1;
    const int64_t b = (piece.batches - 1) * p.b_batch + (piece.n - 1) * p.b_n + (piece.k - 1) * p.b_k + 1;
    const int64_t z = (piece.splits * piece.batches - 1) * z_unit() + (piece.m - 1) * p.n + piece.n;
    const bool many = groups(piece) > static_cast<int64_t>(most_groups(traits()));
    if (std::max({a, b, z}) <= limit && !many) return plan_.add(dispatch(piece));
    Piece first = piece, second = piece;
    if (piece.splits > 1) {
      first.splits = piece.splits / 2;
      second.splits -= first.splits;
      first.k = first.splits * k_each_;
      second.k -= first.k;
      second.a_origin += first.k * p.a_k;
      second.b_origin += first.k * p.b_k;
      second.z_origin += first.splits * p.batches * z_unit();
    } else if (piece.batches > 1) {
      first.batches = piece.batches / 2;
      second.batches -= first.batches;
      second.a_origin += first.batches * p.a_batch;
      second.b_origin += first.batches * p.b_batch;
      second.z_origin += first.batches * z_unit();
    } else if (piece.m > 1 && (piece.m >= piece.n || (a > limit && b <= limit))) {
      first.m = half(piece.m);
      second.m -= first.m;
      second.a_origin += first.m * p.a_m;
      second.z_origin += first.m * p.n;
    } else if (piece.n > 1) {
      first.n = half(piece.n);
      second.n -= first.n;
      second.b_origin += first.n * p.b_n;
      second.z_origin += first.n;
    } else {
      plan_.unsupported("strides of more than " + std::to_string(limit) + " elements");
    }
    append(first);
    append(second);
  }

  static int64_t half(int64_t extent) { return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent)) / 2); }

  static Ref at(const Operand& operand, int64_t origin) {
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(origin) * type_bytes(operand.spec.type);
    return ref;
  }

  static bool aligned(const Operand& operand, int64_t origin) {
    const TypeInfo& type = type_info(operand.spec.type);
    return alignment_at(operand.alignment, origin, type.bits) >= std::min<uint64_t>(16, type.bits / 8 * 4);
  }

  static bool fours(std::convertible_to<int64_t> auto... values) { return ((values % 4 == 0) && ...); }

  // Whether a block reads the operand as vectors of 4 that lie along k or across it.
  bool along_m() const { return product_.a_m < product_.a_k; }
  bool along_n() const { return product_.b_n <= product_.b_k; }
  bool vectors_a(const Piece& piece) const {
    const MatrixProduct& p = product_;
    if (!fours(p.a_batch) || !aligned(p.a, piece.a_origin)) return false;
    return along_m() ? p.a_m == 1 && fours(piece.m, p.a_k) : p.a_k == 1 && fours(piece.k, k_each_, p.a_m);
  }
  bool vectors_b(const Piece& piece) const {
    const MatrixProduct& p = product_;
    if (!fours(p.b_batch) || !aligned(p.b, piece.b_origin)) return false;
    return along_n() ? p.b_n == 1 && fours(piece.n, p.b_k) : p.b_k == 1 && fours(piece.k, k_each_, p.b_n);
  }
  bool whole(const Piece& piece) const {
    return piece.m % shape_.m == 0 && piece.n % shape_.n == 0 && piece.k % shape_.k == 0 && k_each_ % shape_.k == 0;
  }

  // Whether the operands of the piece can be read as vectors of 4.
  bool vectors(const Piece& piece) const {
    const MatrixProduct& p = product_;
    switch (way_) {
      case Way::block:
        return vectors_a(piece) && vectors_b(piece);
      case Way::rows:
        return p.b_n == 1 && fours(piece.n, p.b_k, p.b_batch) && aligned(p.b, piece.b_origin);
      case Way::line:
        return p.a_k == 1 && p.b_k == 1 && fours(piece.k, k_each_, p.a_batch, p.b_batch) &&
               (p.m == 1 || fours(p.a_m)) && aligned(p.a, piece.a_origin) && aligned(p.b, piece.b_origin);
      case Way::column:
        return p.a_m == 1 && fours(piece.m, p.a_k, p.a_batch) && aligned(p.a, piece.a_origin);
    }
    return false;
  }

  Step dispatch(const Piece& piece) const {
    const MatrixProduct& p = product_;
    const Type type = p.a.spec.type;
    const uint64_t bytes = type_bytes(type);
    const VariantInfo& kernel = require_variant("dot", "dot", reduce_types(type, z_.spec.type), access(), traits());
    StepWriter step(kernel.key);
    step.constant(0, threads());
    if (way_ == Way::block) {
      const bool vectors_z = fours(p.n, piece.n) && aligned(z_, piece.z_origin);
      const uint32_t values[] = {shape_.m,
                                 shape_.n,
                                 shape_.k,
                                 shape_.reg_m,
                                 shape_.reg_n,
                                 shape_.lanes_m,
                                 std::min(32u, shape_.threads()),
                                 kBand,
                                 along_m(),
                                 along_n(),
                                 vectors_a(piece),
                                 vectors_b(piece),
                                 vectors_z,
                                 whole(piece)};
      for (uint32_t id = 1; uint32_t value : values) step.constant(id++, value);
    } else {
      if (way_ == Way::rows) step.constant(1, kRows);
      if (way_ != Way::rows && !cpu()) step.constant(1, shared_by());
      step.constant(2, vectors(piece) ? 1 : 0);
    }
    const auto span = [&](int64_t last) { return static_cast<uint64_t>(last + 1) * bytes; };
    step.push_read(at(p.a, piece.a_origin),
                   span((piece.batches - 1) * p.a_batch + (piece.m - 1) * p.a_m + (piece.k - 1) * p.a_k));
    step.push_read(at(p.b, piece.b_origin),
                   span((piece.batches - 1) * p.b_batch + (piece.n - 1) * p.b_n + (piece.k - 1) * p.b_k));
    const int64_t last = (piece.splits * piece.batches - 1) * z_unit() + (piece.m - 1) * p.n + piece.n - 1;
    step.push_write(at(z_, piece.z_origin), static_cast<uint64_t>(last + 1) * type_bytes(z_.spec.type));
    const auto push = [&](int64_t value) { step.push(static_cast<uint32_t>(value)); };
    const auto push_divisor = [&](int64_t value) {
      const Division division = division_by(static_cast<uint32_t>(value));
      push(value);
      step.push(division.magic).push(division.shift);
    };
    for (int64_t value : {piece.m, piece.n, piece.k, p.a_batch, p.a_m, p.a_k, p.b_batch, p.b_k, p.b_n}) push(value);
    push(z_unit());
    push(p.n);
    push(piece.splits * piece.batches);
    push_divisor(piece.batches);
    push(k_each_);
    push_divisor(tiles(piece.m, group_m()));
    push_divisor(tiles(piece.n, group_n()));
    return step.finish(fold_groups(static_cast<uint64_t>(groups(piece)), traits()));
  }

  PlanBuilder& plan_;
  MatrixProduct product_;
  Way way_ = Way::block;
  BlockShape shape_{};
  Operand z_;
  int64_t splits_ = 1, k_each_ = 1;
};

}  // namespace

bool wants_dense_columns(const MatrixProduct& product, const Traits& traits) {
  return traits.cpu && product.m > 1 && product.n > 1;
}

void append_product(PlanBuilder& plan, const MatrixProduct& product, const BlockChoice* block) {
  ProductPlanner(plan, product, block).append();
}

}  // namespace nxv
