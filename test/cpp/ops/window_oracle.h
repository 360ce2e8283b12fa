#pragma once

// Sliding windows, straight from their definition.

#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv::oracle {

struct Windows {
  Dims dims;  // of the operand
  Dims window, strides, padding, dilations;

  Dims positions() const {
    Dims result;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t padded = dims[d] + padding[2 * d] + padding[2 * d + 1];
      result.push_back((padded - (window[d] - 1) * dilations[d] - 1) / strides[d] + 1);
    }
    return result;
  }

  // The element under offset `k` of the window at `position`; none in the padding.
  std::optional<int64_t> element(const Dims& position, const Dims& k) const {
    int64_t at = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      const int64_t p = position[d] * strides[d] + k[d] * dilations[d] - padding[2 * d];
      if (p < 0 || p >= dims[d]) return std::nullopt;
      at = at * dims[d] + p;
    }
    return at;
  }

  Attrs attrs() const {
    return {{"window", window}, {"strides", strides}, {"padding", padding}, {"window_dilations", dilations}};
  }
};

// All indices below `dims`, in row-major order.
template <typename Visit>
void for_indices(const Dims& dims, Visit visit) {
  Dims index(dims.size());
  for (int64_t i = 0, count = element_count(dims); i < count; ++i) {
    visit(std::as_const(index));
    for (size_t d = dims.size(); d-- > 0 && ++index[d] == dims[d];) index[d] = 0;
  }
}

// Windows of any kind that fit: about half of the axes have none.
inline Windows random_windows(std::mt19937& random, bool dilated) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  Windows w;
  const int64_t rank = 1 + below(5);
  for (int64_t d = 0; d < rank; ++d) {
    const bool plain = below(2) == 0;
    const int64_t n = 1 + below(plain && d + 1 < rank ? 4 : 12);
    const int64_t dilation = !plain && dilated ? 1 + below(3) : 1;
    int64_t low = plain ? 0 : below(5) - 1, high = plain ? 0 : below(5) - 1;
    if (n + low + high < 1) low = high = 0;
    const int64_t most = (n + low + high - 1) / dilation + 1;
    w.dims.push_back(n);
    w.window.push_back(plain ? 1 : 1 + below(std::min<int64_t>(most, 5)));
    w.strides.push_back(plain ? 1 : 1 + below(3));
    w.padding.insert(w.padding.end(), {low, high});
    w.dilations.push_back(dilation);
  }
  return w;
}

}  // namespace nxv::oracle
