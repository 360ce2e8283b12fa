#include "runtime/cli/benchmark.h"

#include <algorithm>
#include <bit>

namespace nxv::cli {

uint64_t Benchmark::bytes() const {
  uint64_t total = byte_size(out);
  for (const TensorSpec& input : inputs) total += byte_size(input);
  return total;
}

int64_t Benchmark::elements() const {
  int64_t most = element_count(out.dims);
  for (const TensorSpec& input : inputs) most = std::max(most, element_count(input.dims));
  return most;
}

namespace {

TensorSpec tensor(const char* type, Dims dims) { return {parse_type(type), std::move(dims)}; }

class Rows {
 public:
  Rows(std::vector<Benchmark>& rows, int64_t elements) : rows_(rows), n_(elements) {
    int bits = std::countr_zero(static_cast<uint64_t>(elements));
    rows_of_matrix_ = int64_t{1} << (bits / 2);
    columns_ = elements / rows_of_matrix_;
  }

  // All operands of the output's type and size.
  void map(const std::string& op, const char* type, int inputs) {
    add({op + "." + type, op, {}, std::vector(static_cast<size_t>(inputs), tensor(type, {n_})), tensor(type, {n_})});
  }

  void elementwise() {
    for (const char* type : {"f32", "f64"}) {
      map("sqrt", type, 1);
      map("multiply", type, 2);
      map("divide", type, 2);
    }
    map("add", "s32", 2);
    map("add", "u8", 2);
    map("clip", "f32", 3);
    add({"less.f32", "less", {}, {tensor("f32", {n_}), tensor("f32", {n_})}, tensor("u8", {n_})});
    add({"select.f32",
         "select",
         {},
         {tensor("u8", {n_}), tensor("f32", {n_}), tensor("f32", {n_})},
         tensor("f32", {n_})});
    add({"as_type.f32-f64", "as_type", {}, {tensor("f32", {n_})}, tensor("f64", {n_})});
    add({"as_type.s32-f32", "as_type", {}, {tensor("s32", {n_})}, tensor("f32", {n_})});
    add({"as_type.f32-u8", "as_type", {}, {tensor("f32", {n_})}, tensor("u8", {n_})});
    add({"add.f32.row", "add", {}, {matrix("f32"), tensor("f32", {columns_})}, matrix("f32")});
    add({"add.f32.column", "add", {}, {matrix("f32"), tensor("f32", {rows_of_matrix_, 1})}, matrix("f32")});
  }

  // Inputs that functions are asked for; sine with arguments that need their reduction, too.
  void functions() {
    for (const char* op : {"exp", "sin", "tanh", "sigmoid", "erf"}) function(op, "f32", 1, -10, 10);
    function("sin", "f32", 1, -1e6, 1e6, ".large");
    function("log", "f32", 1, 1e-3, 10);
    function("pow", "f32", 2, 1e-3, 10);
    for (const char* op : {"exp", "sin"}) function(op, "f64", 1, -10, 10);
    function("log", "f64", 1, 1e-3, 10);
    for (const char* type : {"f16", "bf16"}) {
      function("add", type, 2, -10, 10);
      function("exp", type, 1, -10, 10);
    }
  }

  void reductions() {
    for (const char* type : {"f32", "f64"}) {
      reduce("sum", type, "all", {}, {});
      reduce("sum", type, "axis0", {{"axes", std::vector<int64_t>{0}}}, {columns_});
      reduce("sum", type, "axis1", {{"axes", std::vector<int64_t>{1}}}, {rows_of_matrix_});
    }
    reduce("reduce_max", "f32", "all", {}, {});
    reduce("reduce_max", "f32", "axis1", {{"axes", std::vector<int64_t>{1}}}, {rows_of_matrix_});
  }

  // Random slices of 64 elements, and single elements; hot: all updates to one slice.
  void indices() {
    const int64_t slices = n_ / 64;
    const TensorSpec table = tensor("f32", {slices, 64});
    by_indices("take.f32.slices", "take", {table, tensor("s32", {slices})}, table, slices);
    by_indices("take.f32.elements", "take", {tensor("f32", {n_}), tensor("s32", {n_})}, tensor("f32", {n_}), n_);
    for (const char* op : {"indexed_put", "indexed_add"}) {
      const std::vector<TensorSpec> inputs{table, tensor("s32", {slices, 1}), table};
      by_indices(std::string(op) + ".f32.slices", op, inputs, table, slices);
    }
    by_indices("indexed_add.f32.hot", "indexed_add", {table, tensor("s32", {slices, 1}), table}, table, 1);
  }

  // What needs the order of elements, or goes along an axis. Sorts take a quarter of the elements.
  void order() {
    for (const char* type : {"f32", "f64"}) {
      add({std::string("argmax.") + type + ".axis1",
           "argmax",
           {{"axis", int64_t{1}}},
           {matrix(type)},
           tensor("s32", {rows_of_matrix_}),
           0,
           std::pair{-10.0, 10.0}});
    }
    const int64_t fewer = std::max<int64_t>(n_ / 4, 1);
    for (const char* type : {"f32", "f64"}) {
      along("cumulative_sum", type, type, {fewer}, 0, "");
      along("sort", type, type, {fewer}, 0, "");
    }
    along("cumulative_sum", "f32", "f32", {rows_of_matrix_, columns_}, 0, ".axis0");
    along("argsort", "f32", "s32", {fewer}, 0, "");
    along("sort", "f32", "f32", {fewer / std::min<int64_t>(fewer, 1024), std::min<int64_t>(fewer, 1024)}, 1, ".rows");
  }

  void movement() {
    add({"iota.f32", "iota", {}, {}, tensor("f32", {n_})});
    for (const char* type : {"f32", "f64", "u8"}) {
      add({std::string("transpose.") + type,
           "transpose",
           {{"axes", std::vector<int64_t>{1, 0}}},
           {matrix(type)},
           tensor(type, {columns_, rows_of_matrix_})});
    }
    add({"reverse.f32", "reverse", {{"axes", std::vector<int64_t>{1}}}, {matrix("f32")}, matrix("f32")});
    add({"broadcast.f32.row", "broadcast", {}, {tensor("f32", {columns_})}, matrix("f32")});
    add({"concatenate.f32",
         "concatenate",
         {{"axis", int64_t{0}}},
         {tensor("f32", {n_ / 2}), tensor("f32", {n_ / 2})},
         tensor("f32", {n_})});
    add({"slice.f32",
         "slice",
         {{"starts", std::vector<int64_t>{0, 1}}, {"lengths", std::vector<int64_t>{rows_of_matrix_, columns_ - 2}}},
         {matrix("f32")},
         tensor("f32", {rows_of_matrix_, columns_ - 2})});
  }

 private:
  TensorSpec matrix(const char* type) const { return tensor(type, {rows_of_matrix_, columns_}); }

  void function(const std::string& op, const char* type, size_t inputs, double low, double high,
                const std::string& what = "") {
    Benchmark row{op + "." + type + what, op, {}, std::vector(inputs, tensor(type, {n_})), tensor(type, {n_})};
    row.range = {low, high};
    add(std::move(row));
  }

  // All operands lie within 0 … limit.
  void by_indices(const std::string& name, const std::string& op, std::vector<TensorSpec> inputs, TensorSpec out,
                  int64_t limit) {
    Benchmark row{name, op, {}, std::move(inputs), std::move(out)};
    row.range = {0, static_cast<double>(limit)};
    add(std::move(row));
  }

  void reduce(const std::string& op, const char* type, const char* what, Attrs attrs, Dims out) {
    add({op + "." + type + "." + what, op, std::move(attrs), {matrix(type)}, tensor(type, std::move(out))});
  }

  void along(const std::string& op, const char* type, const char* out, const Dims& dims, int64_t axis,
             const std::string& what) {
    add({op + "." + type + what,
         op,
         {{"axis", axis}},
         {tensor(type, dims)},
         tensor(out, dims),
         0,
         std::pair{-10.0, 10.0}});
  }

  void add(Benchmark benchmark) { rows_.push_back(std::move(benchmark)); }

  std::vector<Benchmark>& rows_;
  int64_t n_, rows_of_matrix_ = 0, columns_ = 0;
};

Benchmark product(const char* type, int64_t size) {
  Attrs attrs{{"contract_a", std::vector<int64_t>{1}}, {"contract_b", std::vector<int64_t>{0}}};
  TensorSpec matrix = tensor(type, {size, size});
  double flops = 2.0 * static_cast<double>(size) * static_cast<double>(size) * static_cast<double>(size);
  return {std::string("dot.") + type + "." + std::to_string(size), "dot", attrs, {matrix, matrix}, matrix, flops};
}

}  // namespace

std::vector<Benchmark> benchmarks(const BenchmarkSizes& sizes) {
  std::vector<Benchmark> rows;
  for (int64_t elements : sizes.elements) {
    Rows table(rows, elements);
    if (elements == sizes.elements[0]) {
      rows.push_back({"copy.f32", "identity", {}, {tensor("f32", {elements})}, tensor("f32", {elements})});
    }
    table.map("add", "f32", 2);
    table.map("add", "f64", 2);
  }
  Rows table(rows, sizes.elements.at(0));
  table.elementwise();
  table.functions();
  table.reductions();
  table.order();
  table.movement();
  table.indices();
  for (int64_t size : sizes.matrices) {
    rows.push_back(product("f32", size));
    rows.push_back(product("f64", size));
  }
  return rows;
}

}  // namespace nxv::cli
