#pragma once

#include "runtime/ops/builder.h"
#include "runtime/ops/dot_block.h"

namespace nxv {

// z[batch][m][n] = Σ a[batch, m, k] · b[batch, k, n]. Strides are in elements; z is contiguous.
struct MatrixProduct {
  Operand a = {}, b = {}, z = {};  // of one type
  int64_t batches = 1, m = 1, n = 1, k = 1;
  int64_t a_batch = 0, a_m = 0, a_k = 0;
  int64_t b_batch = 0, b_k = 0, b_n = 0;
};

// Whether the kernels of this device want b's columns side by side.
bool wants_dense_columns(const MatrixProduct& product, const Traits& traits);

// `block`: a shape to take instead of the best one.
void append_product(PlanBuilder& plan, const MatrixProduct& product, const BlockChoice* block = nullptr);

}  // namespace nxv
