#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv::cli {

// One row of the table: an op on tensors of given types and shapes, and the work that it is.
struct Benchmark {
  std::string name;  // "sum.f32.axis0"
  std::string op;
  Attrs attrs;
  std::vector<TensorSpec> inputs;
  TensorSpec out;
  double flops = 0;  // matrix products; else the speed is that of moving `bytes`
  // What the operands are uniform in; none: they count from 0 on.
  std::optional<std::pair<double, double>> range = {};

  uint64_t bytes() const;    // read and written once
  int64_t elements() const;  // of the largest tensor
};

// Which sizes a device gets.
struct BenchmarkSizes {
  std::vector<int64_t> elements;  // of the large tensors; each a power of two. The first is for all rows
  std::vector<int64_t> matrices;  // rows and columns of the operands of products
};

// The copy that others are compared with comes first.
std::vector<Benchmark> benchmarks(const BenchmarkSizes& sizes);

}  // namespace nxv::cli
