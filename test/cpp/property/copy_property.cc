// Operations that move elements.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "test/cpp/ops/window_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

// A case of which everything but attributes, operands and results is drawn.
struct Move {
  Case one;
  Type type, gives;  // of the operands and of the result

  bool casts() const { return type != gives; }
};

Move drawn_move(Draw& draw, std::string op) {
  Move move;
  move.type = move.gives = draw.any(device_types());
  if (draw.one_in(10)) move.gives = draw.few("move", device_types(), 2);
  const std::string width = std::to_string(type_info(move.gives).bits);
  move.one.traits = drawn_traits(draw, op + width);
  move.one.op = std::move(op);
  return move;
}

Bytes values_for(Draw& draw, const Move& move, const Dims& dims) {
  const int64_t count = element_count(dims);
  return move.casts() ? ordinary_values(draw, move.type, count) : special_values(draw, move.type, count);
}

// The result holds the elements at `places` of these values.
Case finished(Move move, const Dims& dims, const Bytes& values, const std::vector<int64_t>& places) {
  if (move.casts()) move.one.outs = {{move.gives, dims}};
  const bool number =
      std::ranges::any_of(move.one.operands, [](const CaseOperand& one) { return one.scalar.has_value(); });
  move.one.results = {{{move.gives, dims},
                       taken(cast_values(values, move.type, move.gives), move.gives, places),
                       move.casts() || number ? Match::numbers : Match::bits}};
  return std::move(move.one);
}

// The places that `place(index)` gives for all indices of the result.
template <typename Place>
std::vector<int64_t> places_of(const Dims& dims, Place place) {
  std::vector<int64_t> places;
  oracle::for_indices(dims, [&](const Dims& index) { places.push_back(place(index)); });
  return places;
}

Case broadcast(Draw& draw) {
  Move move = drawn_move(draw, "broadcast");
  const Dims dims = draw.shape(draw.rank());
  const auto rank = static_cast<int64_t>(dims.size());
  Dims axes, from;
  if (draw.one_in(2)) {
    axes = draw.axes(rank, draw.between(0, rank));
    for (int64_t axis : axes) from.push_back(draw.one_in(3) ? 1 : dims[static_cast<size_t>(axis)]);
    move.one.attrs["axes"] = axes;
  } else {
    from = draw.broadcastable(dims);
    for (size_t d = 0; d < from.size(); ++d) axes.push_back(rank - static_cast<int64_t>(from.size() - d));
  }
  move.one.attrs["shape"] = dims;
  const Bytes values = values_for(draw, move, from);
  move.one.operands = {tensor_or_number(draw, {move.type, from}, values)};
  return finished(std::move(move), dims, values, places_of(dims, [&](const Dims& index) {
                    Dims own = picked(index, axes);
                    for (size_t d = 0; d < own.size(); ++d) own[d] = from[d] == 1 ? 0 : own[d];
                    return place_of(from, own);
                  }));
}

Case transpose(Draw& draw) {
  Move move = drawn_move(draw, "transpose");
  const Dims from = draw.shape(draw.rank());
  const auto rank = static_cast<int64_t>(from.size());
  Dims axes = draw.permutation(rank);
  if (draw.one_in(4)) {
    std::ranges::sort(axes, std::greater<>());
  } else {
    move.one.attrs["axes"] = axes;
  }
  const Dims dims = picked(from, axes);
  const Bytes values = values_for(draw, move, from);
  move.one.operands = {tensor(draw, {move.type, from}, values)};
  return finished(std::move(move), dims, values, places_of(dims, [&](const Dims& index) {
                    Dims own(index.size());
                    for (size_t d = 0; d < axes.size(); ++d) own[static_cast<size_t>(axes[d])] = index[d];
                    return place_of(from, own);
                  }));
}

// Where a box begins, clamped so that it fits: an attribute, or an operand an axis.
Dims drawn_starts(Draw& draw, Move& move, const Dims& dims, const Dims& box) {
  const bool operands = draw.one_in(3);
  Dims given, clamped;
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t start = draw.one_in(3) ? draw.between(-3, dims[d] + 3) : draw.between(0, dims[d] - box[d]);
    if (operands) {
      const Type type = draw.few("starts", integer_types(), 3);
      const TypeInfo& info = type_info(type);
      if (info.kind == Kind::uint) start = std::max<int64_t>(start, 0);
      start = std::min<int64_t>(start, 127);
      Bytes bytes(info.bits / 8);
      std::memcpy(bytes.data(), &start, bytes.size());
      move.one.operands.push_back(tensor_or_number(draw, {type, {}}, bytes));
    }
    given.push_back(start);
    clamped.push_back(std::clamp<int64_t>(start, 0, dims[d] - box[d]));
  }
  if (!operands) move.one.attrs["starts"] = given;
  return clamped;
}

Dims drawn_box(Draw& draw, const Dims& dims) {
  Dims box;
  for (int64_t dim : dims) box.push_back(draw.one_in(3) ? dim : draw.between(1, dim));
  return box;
}

Case slice(Draw& draw) {
  Move move = drawn_move(draw, "slice");
  const Dims from = draw.shape(draw.rank()), lengths = drawn_box(draw, from);
  const Bytes values = values_for(draw, move, from);
  move.one.operands = {tensor(draw, {move.type, from}, values)};
  const Dims starts = drawn_starts(draw, move, from, lengths);
  Dims steps(from.size(), 1), dims;
  if (draw.one_in(2)) {
    for (int64_t& step : steps) step = draw.between(1, 4);
    move.one.attrs["strides"] = steps;
  }
  for (size_t d = 0; d < from.size(); ++d) dims.push_back((lengths[d] + steps[d] - 1) / steps[d]);
  move.one.attrs["lengths"] = lengths;
  return finished(std::move(move), dims, values, places_of(dims, [&](Dims index) {
                    for (size_t d = 0; d < index.size(); ++d) index[d] = starts[d] + index[d] * steps[d];
                    return place_of(from, index);
                  }));
}

Case put_slice(Draw& draw) {
  Move move = drawn_move(draw, "put_slice");
  const Dims dims = draw.shape(draw.rank()), box = drawn_box(draw, dims);
  Bytes values = values_for(draw, move, dims);
  const Bytes put = values_for(draw, move, box);
  move.one.operands = {tensor(draw, {move.type, dims}, values), tensor(draw, {move.type, box}, put)};
  const Dims starts = drawn_starts(draw, move, dims, box);
  // The slice's elements come after the tensor's.
  const int64_t count = element_count(dims);
  values.insert(values.end(), put.begin(), put.end());
  return finished(std::move(move), dims, values, places_of(dims, [&](const Dims& index) {
                    Dims inside(index.size());
                    for (size_t d = 0; d < index.size(); ++d) {
                      inside[d] = index[d] - starts[d];
                      if (inside[d] < 0 || inside[d] >= box[d]) return place_of(dims, index);
                    }
                    return count + place_of(box, inside);
                  }));
}

Case reverse(Draw& draw) {
  Move move = drawn_move(draw, "reverse");
  const Dims dims = draw.shape(draw.rank());
  const auto rank = static_cast<int64_t>(dims.size());
  const Dims axes = draw.axes(rank, draw.between(0, rank));
  move.one.attrs["axes"] = axes;
  const Bytes values = values_for(draw, move, dims);
  move.one.operands = {tensor(draw, {move.type, dims}, values)};
  return finished(std::move(move), dims, values, places_of(dims, [&](Dims index) {
                    for (int64_t axis : axes) {
                      const auto d = static_cast<size_t>(axis);
                      index[d] = dims[d] - 1 - index[d];
                    }
                    return place_of(dims, index);
                  }));
}

// The padding's value comes after the tensor's elements.
Case pad(Draw& draw) {
  Move move = drawn_move(draw, "pad");
  const Dims from = draw.shape(draw.rank(), 600);
  Dims config, dims;
  int64_t left = 3 * kMostElements;
  for (int64_t n : from) {
    const int64_t interior = draw.one_in(3) ? draw.between(0, 3) : 0, inside = n + (n - 1) * interior;
    const auto edge = [&] { return draw.one_in(3) ? draw.between(-inside, 3) : draw.between(0, 3); };
    int64_t low = edge(), high = edge(), step = interior;
    if (inside + low + high < 1 || inside + low + high > left) low = high = step = 0;
    config.insert(config.end(), {low, high, step});
    dims.push_back(n + (n - 1) * step + low + high);
    left = std::max<int64_t>(left / dims.back(), n);
  }
  move.one.attrs["config"] = config;
  Bytes values = values_for(draw, move, from);
  const Bytes value = values_for(draw, move, {});
  move.one.operands = {tensor(draw, {move.type, from}, values), tensor_or_number(draw, {move.type, {}}, value)};
  const int64_t count = element_count(from);
  values.insert(values.end(), value.begin(), value.end());
  return finished(std::move(move), dims, values, places_of(dims, [&](Dims index) {
                    for (size_t d = 0; d < index.size(); ++d) {
                      const int64_t at = index[d] - config[3 * d], step = config[3 * d + 2] + 1;
                      if (at < 0 || at % step != 0 || at / step >= from[d]) return count;
                      index[d] = at / step;
                    }
                    return place_of(from, index);
                  }));
}

// `stacked`: along a new axis.
Case side_by_side(Draw& draw, bool stacked) {
  Move move = drawn_move(draw, stacked ? "stack" : "concatenate");
  const int64_t count = draw.between(1, 5);
  Dims dims = draw.shape(draw.rank(stacked ? 0 : 1), kMostElements / count);
  const int64_t axis = draw.below(static_cast<int64_t>(dims.size()) + (stacked ? 1 : 0));
  const auto at = static_cast<size_t>(axis);
  move.one.attrs["axis"] = axis;
  Dims from = dims, owner, first;  // for each index along the axis, the operand it lies in and where that begins
  std::vector<Dims> shapes;
  std::vector<int64_t> offsets;
  Bytes values;
  for (int64_t i = 0; i < count; ++i) {
    if (!stacked) from[at] = i == 0 ? dims[at] : draw.between(1, dims[at]);
    const Bytes own = values_for(draw, move, from);
    offsets.push_back(static_cast<int64_t>(values.size() / type_bytes(move.type)));
    shapes.push_back(from);
    values.insert(values.end(), own.begin(), own.end());
    move.one.operands.push_back(tensor(draw, {move.type, from}, own));
    const auto begin = static_cast<int64_t>(owner.size());
    for (int64_t k = 0; k < (stacked ? 1 : from[at]); ++k) owner.push_back(i), first.push_back(begin);
  }
  if (stacked) {
    dims.insert(dims.begin() + axis, count);
  } else {
    dims[at] = static_cast<int64_t>(owner.size());
  }
  return finished(std::move(move), dims, values, places_of(dims, [&](Dims index) {
                    const auto along = static_cast<size_t>(index[at]), own = static_cast<size_t>(owner[along]);
                    if (stacked) {
                      index.erase(index.begin() + axis);
                    } else {
                      index[at] -= first[along];
                    }
                    return offsets[own] + place_of(shapes[own], index);
                  }));
}

Case bitcast(Draw& draw) {
  const Type from = draw.any(device_types());
  std::vector<Type> same;
  for (Type type : device_types()) {
    if (type_info(type).bits == type_info(from).bits) same.push_back(type);
  }
  const Dims dims = draw.shape(draw.rank());
  const Bytes values = special_values(draw, from, element_count(dims));
  const TensorSpec to{draw.any(same), dims};
  return {.op = "bitcast",
          .attrs = {},
          .outs = {to},
          .operands = {tensor(draw, {from, dims}, values)},
          .results = {{to, values}},
          .traits = drawn_traits(draw, "bitcast")};
}

Case drawn_copy(Draw& draw) {
  switch (draw.below(18)) {
    case 0:
    case 1:
    case 2:
      return broadcast(draw);
    case 3:
    case 4:
    case 5:
    case 6:
      return transpose(draw);
    case 7:
    case 8:
    case 9:
      return slice(draw);
    case 10:
    case 11:
      return put_slice(draw);
    case 12:
      return reverse(draw);
    case 13:
    case 14:
      return pad(draw);
    case 15:
      return side_by_side(draw, false);
    case 16:
      return side_by_side(draw, true);
    default:
      return bitcast(draw);
  }
}

TEST(Property, Copy) { check_cases("Copy", 1900, drawn_copy); }

}  // namespace
}  // namespace nxv::property
