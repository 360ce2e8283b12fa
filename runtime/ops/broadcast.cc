#include "runtime/ops/broadcast.h"

#include <algorithm>
#include <string>

#include "runtime/core/error.h"

namespace nxv {

Dims broadcast_dims(std::string_view op, std::span<const TensorSpec> specs) {
  Dims dims;
  for (const TensorSpec& spec : specs) {
    if (spec.dims.size() > dims.size()) dims.insert(dims.begin(), spec.dims.size() - dims.size(), 1);
    const size_t lead = dims.size() - spec.dims.size();
    for (size_t d = 0; d < spec.dims.size(); ++d) {
      int64_t& dim = dims[lead + d];
      if (dim != spec.dims[d] && dim != 1 && spec.dims[d] != 1) {
        std::string list;
        for (const TensorSpec& one : specs) {
          const bool last = &one == &specs.back();
          list += (list.empty() ? "" : last ? " and " : ", ") + to_string(one);
        }
        throw Error(Code::invalid_argument, "[" + std::string(op) + "] shapes " + list + " do not broadcast");
      }
      dim = std::max(dim, spec.dims[d]);
    }
  }
  return dims;
}

void check_broadcast(std::string_view op, const TensorSpec& from, const TensorSpec& to) {
  bool fits = from.dims.size() <= to.dims.size();
  for (size_t d = 0; fits && d < from.dims.size(); ++d) {
    const int64_t dim = from.dims[from.dims.size() - 1 - d];
    fits = dim == 1 || dim == to.dims[to.dims.size() - 1 - d];
  }
  if (!fits) {
    throw Error(Code::invalid_argument,
                "[" + std::string(op) + "] " + to_string(from) + " does not broadcast to " + to_string(to));
  }
}

std::vector<int64_t> broadcast_strides(const Dims& from, const Dims& to) {
  std::vector<int64_t> strides(to.size(), 0);
  int64_t stride = 1;
  for (size_t d = 0; d < from.size(); ++d) {
    const int64_t dim = from[from.size() - 1 - d];
    if (dim != 1) strides[to.size() - 1 - d] = stride;
    stride *= dim;
  }
  return strides;
}

std::vector<Axis> collapse(const Dims& dims, std::span<const std::vector<int64_t>> strides) {
  std::vector<Axis> axes;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == 1) continue;
    Axis axis{dims[d], {}};
    for (const std::vector<int64_t>& one : strides) axis.strides.push_back(one[d]);
    bool joins = !axes.empty();
    for (size_t t = 0; joins && t < strides.size(); ++t) {
      joins = axes.back().strides[t] == axis.strides[t] * axis.extent;
    }
    if (joins) {
      axes.back().extent *= axis.extent;
      axes.back().strides = axis.strides;
    } else {
      axes.push_back(std::move(axis));
    }
  }
  if (axes.empty()) axes.push_back({1, std::vector<int64_t>(strides.size(), 0)});
  return axes;
}

}  // namespace nxv
