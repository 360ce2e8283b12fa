#include "test/cpp/property/indices.h"

#include <algorithm>

#include "test/cpp/ops/window_oracle.h"

namespace nxv::property {

Dims picked(const Dims& dims, const Dims& axes) {
  Dims result;
  for (int64_t axis : axes) result.push_back(dims[static_cast<size_t>(axis)]);
  return result;
}

Dims other_axes(int64_t rank, const Dims& axes) {
  Dims others;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!contains(axes, axis)) others.push_back(axis);
  }
  return others;
}

bool contains(const Dims& list, int64_t number) { return std::ranges::count(list, number) != 0; }

int64_t place_of(const Dims& dims, const Dims& index) {
  int64_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) at = at * dims[d] + index[d];
  return at;
}

std::vector<std::vector<int64_t>> runs_along(const Dims& dims, const Dims& axes) {
  const auto rank = static_cast<int64_t>(dims.size());
  const Dims kept = other_axes(rank, axes), along = other_axes(rank, kept);
  std::vector<std::vector<int64_t>> runs;
  oracle::for_indices(picked(dims, kept), [&](const Dims& outer) {
    std::vector<int64_t> run;
    Dims index(dims.size());
    for (size_t i = 0; i < kept.size(); ++i) index[static_cast<size_t>(kept[i])] = outer[i];
    oracle::for_indices(picked(dims, along), [&](const Dims& inner) {
      for (size_t i = 0; i < along.size(); ++i) index[static_cast<size_t>(along[i])] = inner[i];
      run.push_back(place_of(dims, index));
    });
    runs.push_back(run);
  });
  return runs;
}

}  // namespace nxv::property
