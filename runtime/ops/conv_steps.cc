#include "runtime/ops/conv_steps.h"

#include <algorithm>
#include <string>

#include "runtime/ops/map_steps.h"
#include "runtime/ops/reduce_steps.h"

namespace nxv {
namespace {

// Shapes of the tiled kernel, the largest first: the first that the product fills and shared memory holds is taken.
struct TileShape {
  uint32_t m, n, k, reg_m, reg_n;
  int64_t least;  // of m and of n
};
constexpr TileShape kTiles[] = {
    {64, 64, 16, 4, 4, 33},
    {32, 32, 16, 2, 2, 17},
    {16, 16, 8, 2, 2, 1},
};
constexpr int64_t kLeastTiled = 12;  // fewer channels or terms aren't worth a tile
constexpr int64_t kSplitUnit = 256;  // the k of a split is a multiple of it
// Turns of all loops that one dispatch may take: llvmpipe of Mesa 22.3 leaves them after 65,535 together; a GPU must
// not seem to hang.
constexpr int64_t kTurnsCpu = 1 << 15, kTurnsGpu = 1 << 22;

// What one dispatch computes, or what still has to be cut for one.
struct Piece {
  int64_t first_split = 0, splits = 1, first_group = 0, groups = 1, first_batch = 0, batches = 1;
};

// The fewest axes that do the same.
std::vector<ConvAxis> collapse(const std::vector<ConvAxis>& axes) {
  std::vector<ConvAxis> result;
  for (const ConvAxis& axis : axes) {
    if (axis.out == 1 && axis.kernel == 1 && axis.low == 0) continue;
    if (!result.empty() && result.back().is_plain() && axis.is_plain() &&
        result.back().in_elements == axis.in_elements * axis.extent &&
        result.back().out_elements == axis.out_elements * axis.out) {
      ConvAxis& outer = result.back();
      outer.out *= axis.out;
      outer.extent *= axis.extent;
      outer.in_elements = axis.in_elements;
      outer.out_elements = axis.out_elements;
    } else {
      result.push_back(axis);
    }
  }
  if (result.empty()) result.push_back({});
  return result;
}

class ConvPlanner {
 public:
  ConvPlanner(PlanBuilder& plan, const Convolution& convolution) : plan_(plan), conv_(convolution) {
    conv_.axes = collapse(conv_.axes);
    k_ = conv_.channels;
    for (const ConvAxis& axis : conv_.axes) {
      positions_ *= axis.out;
      k_ *= axis.kernel;
    }
    check_range();
    tiled_ = !cpu() && conv_.filters >= kLeastTiled && k_ >= kLeastTiled && choose_tile();
    rows_ = cpu() && conv_.filters >= 16 ? 16 : conv_.filters >= 8 ? 8 : conv_.filters >= 4 ? 4 : 1;
  }

  void append() {
    choose_splits();
    const Convolution& c = conv_;
    z_ = c.out;
    if (splits_ == 1) return append({.groups = c.groups, .batches = c.batches});
    const Type type = c.out.spec.type, parts = is_narrow_float(type) ? Type::f32 : type;
    z_ = plan_.temp({parts, {splits_, out_count()}});
    append({.splits = splits_, .groups = c.groups, .batches = c.batches});
    const Operand sums = parts != type ? plan_.temp({parts, c.out.spec.dims}) : c.out;
    append_reduce(plan_, "sum", z_, {1, splits_, out_count()}, sums);
    if (parts != type) cast_steps(plan_, sums, c.out);
  }

 private:
  const Traits& traits() const { return plan_.traits(); }
  bool cpu() const { return traits().cpu; }
  static int64_t tiles(int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; }
  int64_t out_count() const { return element_count(conv_.out.spec.dims); }

  void check_range() const {
    constexpr int64_t most = INT32_MAX;
    bool fits = k_ <= most && positions_ <= most / std::max<int64_t>(conv_.batches, 1);
    for (const ConvAxis& axis : conv_.axes) {
      const int64_t reach = (axis.out - 1) * axis.stride + (axis.kernel - 1) * axis.kernel_dilation;
      fits = fits &&
             std::max({axis.stride, axis.dilation, axis.kernel_dilation, axis.low, reach, reach - axis.low,
                       (axis.extent - 1) * axis.dilation + 1}) <= most &&
             axis.low >= -most;
    }
    if (!fits) plan_.unsupported("a convolution that reaches over more than 2^31 elements along an axis");
  }

  bool choose_tile() {
    const uint64_t bytes = std::max<uint64_t>(4, type_bytes(conv_.out.spec.type));
    const int64_t n = conv_.batches * positions_;
    for (TileShape shape : kTiles) {
      if (bytes >= 8) shape.k /= 2;
      const uint64_t shared = (shape.m + shape.n + 1) * shape.k * bytes;
      if (shared <= traits().max_shared_bytes && std::min(conv_.filters, n) >= shape.least &&
          shape.m / shape.reg_m * (shape.n / shape.reg_n) <= traits().max_workgroup_size) {
        shape_ = shape;
        return true;
      }
    }
    return false;
  }

  uint32_t threads() const {
    if (tiled_) return shape_.m / shape_.reg_m * (shape_.n / shape_.reg_n);
    return std::min(cpu() ? 8u : 128u, traits().max_workgroup_size);
  }
  int64_t tiles_m() const { return tiles(conv_.filters, tiled_ ? shape_.m : rows_); }
  int64_t tiles_n(const Piece& piece) const { return tiles(piece.batches * positions_, tiled_ ? shape_.n : threads()); }
  int64_t jobs(const Piece& piece) const { return piece.splits * piece.groups * tiles_m() * tiles_n(piece); }

  // The largest k of one dispatch. A kernel position takes some turns besides those of its channels.
  int64_t longest_sum() const {
    const int64_t aside = 2 * static_cast<int64_t>(conv_.axes.size()) + 1;
    const int64_t turns = cpu() ? kTurnsCpu : kTurnsGpu;
    return std::max(turns * conv_.channels / (conv_.channels + aside), 2 * kSplitUnit) - kSplitUnit;
  }

  // Cuts k where there are too few workgroups otherwise, or too long loops.
  void choose_splits() {
    const int64_t whole = jobs({.groups = conv_.groups, .batches = conv_.batches});
    const int64_t wanted = cpu() ? 1 : 2 * int64_t{traits().compute_units};
    int64_t splits = std::clamp<int64_t>(wanted / std::max<int64_t>(whole, 1), 1, tiles(k_, 4 * kSplitUnit));
    splits = std::max(splits, tiles(k_, longest_sum()));
    k_each_ = splits == 1 ? k_ : tiles(tiles(k_, splits), kSplitUnit) * kSplitUnit;
    splits_ = tiles(k_, k_each_);
  }

  // From the first element of a piece to its last.
  int64_t in_span(const Piece& piece) const {
    int64_t last = (piece.groups - 1) * conv_.in_group + (piece.batches - 1) * conv_.in_batch +
                   (conv_.channels - 1) * conv_.in_channel;
    for (const ConvAxis& axis : conv_.axes) last += (axis.extent - 1) * axis.in_elements;
    return last + 1;
  }
  int64_t kernel_span(const Piece& piece) const {
    int64_t last = (piece.groups - 1) * conv_.kernel_group + (conv_.filters - 1) * conv_.kernel_out +
                   (conv_.channels - 1) * conv_.kernel_in;
    for (const ConvAxis& axis : conv_.axes) last += (axis.kernel - 1) * axis.kernel_elements;
    return last + 1;
  }
  int64_t out_span(const Piece& piece) const {
    int64_t last = (piece.splits - 1) * out_count() + (piece.groups - 1) * conv_.out_group +
                   (piece.batches - 1) * conv_.out_batch + (conv_.filters - 1) * conv_.out_channel;
    for (const ConvAxis& axis : conv_.axes) last += (axis.out - 1) * axis.out_elements;
    return last + 1;
  }

  void append(const Piece& piece) {
    const auto limit = static_cast<int64_t>(traits().index32_limit);
    if (std::max({in_span(piece), kernel_span(piece), out_span(piece)}) <= limit && jobs(piece) < INT32_MAX) {
      const auto most = static_cast<int64_t>(most_groups(traits()));
      for (int64_t job = 0; job < jobs(piece); job += most) {
        plan_.add(dispatch(piece, job, std::min(most, jobs(piece) - job)));
      }
      return;
    }
    Piece first = piece, second = piece;
    const auto cut = [](int64_t& begin, int64_t& count, int64_t& other_begin, int64_t& other_count) {
      const int64_t half = count / 2;
      other_begin = begin + half;
      other_count = count - half;
      count = half;
    };
    if (piece.splits > 1) {
      cut(first.first_split, first.splits, second.first_split, second.splits);
    } else if (piece.groups > 1) {
      cut(first.first_group, first.groups, second.first_group, second.groups);
    } else if (piece.batches > 1) {
      cut(first.first_batch, first.batches, second.first_batch, second.batches);
    } else {
      plan_.unsupported("more than " + std::to_string(limit) + " elements of a batch and a group");
    }
    append(first);
    append(second);
  }

  static Ref at(const Operand& operand, int64_t element) {
    Ref ref = operand.ref;
    ref.byte_offset += static_cast<uint64_t>(element) * type_bytes(operand.spec.type);
    return ref;
  }

  bool is_dilated() const {
    return std::ranges::any_of(conv_.axes, [](const ConvAxis& axis) { return axis.dilation != 1; });
  }

  Step dispatch(const Piece& piece, int64_t first_job, int64_t groups) const {
    const Convolution& c = conv_;
    const Type type = c.out.spec.type;
    const auto bytes = [](const Operand& operand, int64_t elements) {
      return static_cast<uint64_t>(elements) * type_bytes(operand.spec.type);
    };
    const std::string types = reduce_types(type, z_.spec.type);
    StepWriter step(require_variant("conv", "conv", types, tiled_ ? "tile" : "direct", traits()).key);
    step.constant(0, threads());
    step.constant(1, static_cast<uint32_t>(c.axes.size())).constant(2, is_dilated() ? 1 : 0);
    if (tiled_) {
      step.constant(3, shape_.m).constant(4, shape_.n).constant(5, shape_.k);
      step.constant(6, shape_.reg_m).constant(7, shape_.reg_n);
    } else {
      step.constant(3, static_cast<uint32_t>(rows_));
    }
    step.push_read(at(c.input, piece.first_group * c.in_group + piece.first_batch * c.in_batch),
                   bytes(c.input, in_span(piece)));
    step.push_read(at(c.kernel, piece.first_group * c.kernel_group), bytes(c.kernel, kernel_span(piece)));
    step.push_write(
        at(z_, piece.first_split * out_count() + piece.first_group * c.out_group + piece.first_batch * c.out_batch),
        bytes(z_, out_span(piece)));
    step.push_params();
    const auto push = [&](int64_t value) { step.push(static_cast<uint32_t>(value)); };
    const auto push_divisor = [&](int64_t value) {
      const Division division = division_by(static_cast<uint32_t>(value));
      push(value);
      step.push(division.magic).push(division.shift);
    };
    for (int64_t value : {c.filters, piece.batches * positions_, k_, piece.splits * piece.groups}) push(value);
    push_divisor(piece.groups);
    push(k_each_);
    push_divisor(tiles_m());
    push_divisor(tiles_n(piece));
    push(first_job);
    push(piece.first_split);
    put_block(step);
    return step.finish(fold_groups(static_cast<uint64_t>(groups), traits()));
  }

  // conv_axes.glsl
  void put_block(StepWriter& step) const {
    const Convolution& c = conv_;
    const auto put = [&](int64_t value) { step.param(static_cast<uint32_t>(value)); };
    const auto put_divisor = [&](int64_t value) {
      const Division division = division_by(static_cast<uint32_t>(value));
      put(value);
      step.param(division.magic).param(division.shift);
    };
    for (int64_t stride : {c.in_batch, c.in_channel, c.in_group, c.kernel_out, c.kernel_in, c.kernel_group, c.out_batch,
                           c.out_channel, c.out_group, out_count()}) {
      put(stride);
    }
    put_divisor(c.channels);
    for (auto axis = c.axes.rbegin(); axis != c.axes.rend(); ++axis) {
      put_divisor(axis->out);
      for (int64_t value : {axis->out_elements, axis->stride, axis->low, axis->extent, axis->in_elements}) put(value);
      put_divisor(axis->dilation);
      put_divisor(axis->kernel);
      put(axis->kernel_elements);
      put(axis->kernel_dilation);
    }
  }

  PlanBuilder& plan_;
  Convolution conv_;
  int64_t positions_ = 1, k_ = 1;
  bool tiled_ = false;
  TileShape shape_{};
  int64_t rows_ = 1;
  Operand z_;
  int64_t splits_ = 1, k_each_ = 1;
};

}  // namespace

void append_convolution(PlanBuilder& plan, const Convolution& convolution) { ConvPlanner(plan, convolution).append(); }

}  // namespace nxv
