#include "test/cpp/support/indexed_oracle.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace nxv {
namespace {

std::vector<int64_t> strides_of(const Dims& dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) strides[d] = stride;
  return strides;
}

}  // namespace

IndexTensor random_indices(Type type, const Dims& dims, const std::vector<int64_t>& sizes, uint32_t seed) {
  std::mt19937 random(seed);
  IndexTensor tensor{type, dims, {}};
  const size_t bytes = type_bytes(type);
  const auto count = static_cast<size_t>(element_count(dims));
  tensor.bytes.resize(count * bytes);
  for (size_t i = 0; i < count; ++i) {
    const int64_t size = sizes[i % sizes.size()];
    uint64_t value = random() % static_cast<uint64_t>(size);
    if (random() % 8 == 0)
      value =
          std::vector<uint64_t>{
              ~uint64_t{0}, static_cast<uint64_t>(size), uint64_t{1} << 31, uint64_t{1} << 63, uint64_t{1} << 32, 127,
              128}[random() % 7];
    std::memcpy(tensor.bytes.data() + i * bytes, &value, bytes);
  }
  return tensor;
}

int64_t clamped_index(const IndexTensor& indices, int64_t i, int64_t size) {
  const TypeInfo& info = type_info(indices.type);
  uint64_t bits = 0;
  std::memcpy(&bits, indices.bytes.data() + static_cast<size_t>(i) * (info.bits / 8), info.bits / 8);
  if (info.kind == Kind::uint) return static_cast<int64_t>(std::min<uint64_t>(bits, static_cast<uint64_t>(size - 1)));
  const int64_t value = static_cast<int64_t>(bits << (64 - info.bits)) >> (64 - info.bits);
  return std::clamp<int64_t>(value, 0, size - 1);
}

std::vector<int64_t> indexed_places(const Dims& dims, const std::vector<int64_t>& axes, const IndexTensor& indices,
                                    const Dims& some) {
  const std::vector<int64_t> strides = strides_of(dims);
  std::vector<int64_t> slice{0};
  for (size_t d = 0, left = 0; d < dims.size(); ++d) {
    if (std::ranges::count(axes, static_cast<int64_t>(d)) != 0) continue;
    const int64_t extent = some.empty() ? dims[d] : some[left++];
    std::vector<int64_t> longer;
    for (int64_t at : slice) {
      for (int64_t i = 0; i < extent; ++i) longer.push_back(at + i * strides[d]);
    }
    slice = longer;
  }
  const auto each = static_cast<int64_t>(axes.size());
  std::vector<int64_t> places;
  for (int64_t u = 0; u < element_count(indices.dims) / each; ++u) {
    int64_t start = 0;
    for (int64_t k = 0; k < each; ++k) {
      const auto axis = static_cast<size_t>(axes[static_cast<size_t>(k)]);
      start += clamped_index(indices, u * each + k, dims[axis]) * strides[axis];
    }
    for (int64_t at : slice) places.push_back(start + at);
  }
  return places;
}

}  // namespace nxv
