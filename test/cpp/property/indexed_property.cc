// Reading and writing by indices.

#include <gtest/gtest.h>

#include "test/cpp/ops/window_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"
#include "test/cpp/support/indexed_oracle.h"
#include "test/cpp/support/update_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv::property {
namespace {

IndexTensor drawn_indices(Draw& draw, const Dims& dims, const Dims& sizes) {
  return random_indices(draw.few("indices", integer_types(), 4), dims, sizes, draw.seed());
}

CaseOperand index_tensor(Draw& draw, const IndexTensor& indices) {
  return tensor(draw, {indices.type, indices.dims}, indices.bytes);
}

// `dims` is the result's, `place(index)` the element that it has at an index.
template <typename Place>
Case reading(Draw& draw, const std::string& op, const Dims& from, const IndexTensor& indices, const Dims& dims,
             Place place) {
  const Type type = draw.any(device_types());
  Case one{.op = op, .traits = drawn_traits(draw, op + std::to_string(type_info(type).bits))};
  const Bytes values = special_values(draw, type, element_count(from));
  one.operands = {tensor(draw, {type, from}, values), index_tensor(draw, indices)};
  std::vector<int64_t> places;
  oracle::for_indices(dims, [&](const Dims& index) { places.push_back(place(index)); });
  one.results = {{{type, dims}, taken(values, type, places)}};
  return one;
}

Case gather(Draw& draw) {
  const Dims from = draw.shape(draw.rank(1), 500);
  const auto rank = static_cast<int64_t>(from.size());
  const Dims axes = draw.axes(rank, draw.between(1, rank)), others = other_axes(rank, axes);
  const Dims rows = draw.shape(draw.rank(), std::max<int64_t>(kMostElements / element_count(picked(from, others)), 1));
  Dims index_dims = rows, dims = rows;
  index_dims.push_back(static_cast<int64_t>(axes.size()));
  for (int64_t axis : others) dims.push_back(from[static_cast<size_t>(axis)]);
  const IndexTensor indices = drawn_indices(draw, index_dims, picked(from, axes));
  Case one = reading(draw, "gather", from, indices, dims, [&](const Dims& index) {
    const Dims row(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(rows.size()));
    Dims own(from.size());
    for (size_t k = 0; k < axes.size(); ++k) {
      const int64_t at = place_of(rows, row) * static_cast<int64_t>(axes.size()) + static_cast<int64_t>(k);
      const auto axis = static_cast<size_t>(axes[k]);
      own[axis] = clamped_index(indices, at, from[axis]);
    }
    for (size_t d = 0; d < others.size(); ++d) own[static_cast<size_t>(others[d])] = index[rows.size() + d];
    return place_of(from, own);
  });
  one.attrs["axes"] = axes;
  return one;
}

Case take(Draw& draw) {
  const Dims from = draw.shape(draw.rank(1), 500);
  const int64_t axis = draw.below(static_cast<int64_t>(from.size()));
  const auto at = static_cast<size_t>(axis);
  const int64_t slices = element_count(from) / from[at];
  const Dims index_dims = draw.shape(draw.rank(), std::max<int64_t>(kMostElements / slices, 1));
  const IndexTensor indices = drawn_indices(draw, index_dims, {from[at]});
  Dims dims = from;
  dims.erase(dims.begin() + axis);
  dims.insert(dims.begin() + axis, index_dims.begin(), index_dims.end());
  Case one = reading(draw, "take", from, indices, dims, [&](const Dims& index) {
    const auto begin = index.begin() + axis, end = begin + static_cast<std::ptrdiff_t>(index_dims.size());
    Dims own(index.begin(), begin);
    own.push_back(clamped_index(indices, place_of(index_dims, Dims(begin, end)), from[at]));
    own.insert(own.end(), end, index.end());
    return place_of(from, own);
  });
  one.attrs["axis"] = axis;
  return one;
}

Case take_along_axis(Draw& draw) {
  const Dims from = draw.shape(draw.rank(1), 500);
  const int64_t axis = draw.below(static_cast<int64_t>(from.size()));
  const auto at = static_cast<size_t>(axis);
  Dims dims = from;
  dims[at] = draw.extent(kMostElements * from[at] / element_count(from));
  const IndexTensor indices = drawn_indices(draw, dims, {from[at]});
  Case one = reading(draw, "take_along_axis", from, indices, dims, [&](Dims index) {
    index[at] = clamped_index(indices, place_of(dims, index), from[at]);
    return place_of(from, index);
  });
  one.attrs["axis"] = axis;
  return one;
}

Case drawn_gather(Draw& draw) {
  const int64_t way = draw.below(3);
  return way == 0 ? gather(draw) : way == 1 ? take(draw) : take_along_axis(draw);
}

Case drawn_update(Draw& draw) {
  const std::string op = draw.any<std::string>({"indexed_put", "indexed_add"});
  const Type type = op == "indexed_put" ? draw.any(device_types()) : draw.few(op, device_types(), 6);
  Case one{.op = op, .traits = drawn_traits(draw, op + std::string(type_info(type).name))};
  const Dims dims = draw.shape(draw.rank(1), draw.any({12, 200, 1000}));
  const auto rank = static_cast<int64_t>(dims.size());
  const Dims axes = draw.axes(rank, draw.between(1, rank));
  Dims slice = picked(dims, other_axes(rank, axes));
  // Updates of a part of the slice.
  if (draw.one_in(3)) {
    for (int64_t& extent : slice) extent = draw.between(1, extent);
  }
  const Dims rows = draw.shape(draw.rank(), std::max<int64_t>(kMostElements / element_count(slice), 1));
  Dims index_dims = rows, update_dims = rows;
  index_dims.push_back(static_cast<int64_t>(axes.size()));
  update_dims.insert(update_dims.end(), slice.begin(), slice.end());
  const IndexTensor indices = drawn_indices(draw, index_dims, picked(dims, axes));
  const bool adds = op == "indexed_add";
  const auto values = [&](const Dims& shape) {
    const int64_t count = element_count(shape);
    return adds ? ordinary_values(draw, type, count, 50) : special_values(draw, type, count);
  };
  const Bytes target = values(dims), updates = values(update_dims);
  one.operands = {tensor(draw, {type, dims}, target), index_tensor(draw, indices),
                  tensor(draw, {type, update_dims}, updates)};
  one.attrs["axes"] = axes;
  const std::vector<int64_t> places = indexed_places(dims, axes, indices, slice);
  visit_type(type, [&](auto zero) {
    one.results = {
        {{type, dims}, updated<decltype(zero)>(op, target, places, updates), adds ? Match::numbers : Match::bits}};
  });
  return one;
}

TEST(Property, Gather) { check_cases("Gather", 900, drawn_gather); }
TEST(Property, Update) { check_cases("Update", 600, drawn_update); }

}  // namespace
}  // namespace nxv::property
