// What reads and writes by indices.

#include <algorithm>
#include <cstdlib>

#include "runtime/cli/adapter_rules.h"

namespace nxv::cli::adapter {

// gather, indexed_put, indexed_add.
Tensors indexed(const Call& call) {
  Attrs attrs;
  if (call.has("axes")) attrs["axes"] = normal_axes(call.list("axes"), call.in[0].spec.dims.size());
  return {run(call, call.op, attrs, call.in)};
}

Tensors take(const Call& call) {
  int64_t axis = normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size());
  return {run(call, call.op, {{"axis", axis}}, call.in)};
}

namespace {

// Where the diagonal of the last two axes lies, one index an axis, for each of the batches.
Tensor diagonal_indices(const Call& call, const Dims& dims) {
  const int64_t offset = call.opts.value("offset", int64_t{0});
  const size_t rank = dims.size();
  const int64_t batches = element_count(Dims(dims.begin(), dims.end() - 2));
  std::vector<int64_t> indices;
  for (int64_t batch = 0; batch < batches; ++batch) {
    int64_t row = std::max<int64_t>(-offset, 0), column = std::max<int64_t>(offset, 0);
    for (; row < dims[rank - 2] && column < dims[rank - 1]; ++row, ++column) {
      const size_t first = indices.size();
      int64_t rest = batch;
      indices.resize(first + rank);
      for (size_t d = rank - 2; d-- > 0; rest /= dims[d]) indices[first + d] = rest % dims[d];
      indices[first + rank - 2] = row;
      indices[first + rank - 1] = column;
    }
  }
  const auto each = static_cast<int64_t>(rank);
  HostTensor host{{parse_type("s64"), {static_cast<int64_t>(indices.size()) / each, each}}, {}};
  const auto bytes = std::as_bytes(std::span(indices));
  host.bytes.assign(bytes.begin(), bytes.end());
  return call.session.upload(host);
}

}  // namespace

Tensors take_diagonal(const Call& call) {
  const Dims& dims = call.in[0].spec.dims;
  const Tensor all = between(call, "gather", {}, {call.in[0], diagonal_indices(call, dims)});
  Dims result(dims.begin(), dims.end() - 2);
  result.push_back(element_count(all.spec.dims) / element_count(result));
  return {reshaped(all, result)};
}

Tensors put_diagonal(const Call& call) {
  const Tensor& diagonal = call.in[1];
  Tensors operands{call.in[0], diagonal_indices(call, call.in[0].spec.dims),
                   reshaped(diagonal, {element_count(diagonal.spec.dims)})};
  return {run(call, "indexed_put", {}, operands)};
}

Tensors make_diagonal(const Call& call) {
  Dims dims = call.in[0].spec.dims;
  dims.back() += std::abs(call.opts.value("offset", int64_t{0}));
  dims.push_back(dims.back());
  const Type type = call.out_or({merge_types(parse_type("s32"), call.in[0].spec.type), dims}).type;
  const Tensor zeros = call.session.run_one("broadcast", {}, {type, dims}, Tensors{number(0, type)});
  Tensors operands{zeros, diagonal_indices(call, dims), reshaped(call.in[0], {element_count(call.in[0].spec.dims)})};
  return {run(call, "indexed_put", {}, operands)};
}

}  // namespace nxv::cli::adapter
