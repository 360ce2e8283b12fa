#pragma once

// Products of tensors over contracted and batch axes, straight from their definition.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "runtime/ops/op.h"
#include "test/cpp/ops/oracle_functions.h"
#include "test/cpp/ops/window_oracle.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv::oracle {

struct Dot {
  Dims a, b;
  Dims contract_a, contract_b, batch_a, batch_b;
};

inline int64_t strided_index(const Dims& dims, const Dims& index) {
  int64_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) at = at * dims[d] + index[d];
  return at;
}

inline Dims kept_axes(const Dims& dims, const Dims& batch, const Dims& contract) {
  Dims kept;
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    if (std::ranges::count(batch, d) == 0 && std::ranges::count(contract, d) == 0) kept.push_back(d);
  }
  return kept;
}

inline Dims pick(const Dims& dims, const Dims& axes) {
  Dims picked;
  for (int64_t axis : axes) picked.push_back(dims[static_cast<size_t>(axis)]);
  return picked;
}

// The sum, and the sum of magnitudes that bounds its error; integers wrap in 64 bits.
template <typename T>
struct Products {
  std::vector<T> sums;
  std::vector<double> magnitudes;
};

template <typename T>
Products<T> products(const Dot& one, const std::vector<T>& a, const std::vector<T>& b) {
  using Wide = std::conditional_t<kIsComplex<T>, std::complex<long double>,
                                  std::conditional_t<std::is_floating_point_v<Promoted<T>>, long double, uint64_t>>;
  Products<T> result;
  const Dims kept_a = kept_axes(one.a, one.batch_a, one.contract_a),
             kept_b = kept_axes(one.b, one.batch_b, one.contract_b);
  for_indices(pick(one.a, one.batch_a), [&](const Dims& batch) {
    for_indices(pick(one.a, kept_a), [&](const Dims& row) {
      for_indices(pick(one.b, kept_b), [&](const Dims& column) {
        Dims at_a(one.a.size()), at_b(one.b.size());
        const auto place = [](Dims& at, const Dims& axes, const Dims& index) {
          for (size_t d = 0; d < axes.size(); ++d) at[static_cast<size_t>(axes[d])] = index[d];
        };
        place(at_a, one.batch_a, batch);
        place(at_b, one.batch_b, batch);
        place(at_a, kept_a, row);
        place(at_b, kept_b, column);
        Wide sum = 0;
        double magnitude = 0;
        for_indices(pick(one.a, one.contract_a), [&](const Dims& k) {
          place(at_a, one.contract_a, k);
          place(at_b, one.contract_b, k);
          const Promoted<T> x = a[static_cast<size_t>(strided_index(one.a, at_a))],
                            y = b[static_cast<size_t>(strided_index(one.b, at_b))];
          sum += static_cast<Wide>(x) * static_cast<Wide>(y);
          if constexpr (!std::is_integral_v<T>) magnitude += static_cast<double>(std::abs(x)) * std::abs(y);
        });
        result.sums.push_back(static_cast<T>(sum));
        result.magnitudes.push_back(magnitude);
      });
    });
  });
  return result;
}

}  // namespace nxv::oracle
