// map1, map2, map3 and cast: broadcasting, operands of other types, numbers on the host.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/window_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

const std::vector<std::string> kOps{"add",         "subtract",
                                    "multiply",    "divide",
                                    "max",         "min",
                                    "remainder",   "quotient",
                                    "bitwise_and", "bitwise_or",
                                    "bitwise_xor", "left_shift",
                                    "right_shift", "equal",
                                    "not_equal",   "less",
                                    "less_equal",  "greater",
                                    "logical_and", "greater_equal",
                                    "logical_or",  "logical_xor",
                                    "clip",        "abs",
                                    "negate",      "sign",
                                    "floor",       "ceil",
                                    "round",       "is_nan",
                                    "is_infinity", "logical_not",
                                    "bitwise_not", "count_leading_zeros"};
// Devices may flush subnormal results of these.
const std::set<std::string> kComputed{"add", "subtract", "multiply", "divide", "remainder"};

Type operand_type(const OracleRow& row) { return parse_type(row.types.substr(0, row.types.find('-'))); }

Type type_of(Element element) {
  for (Type type : kAllTypes) {
    if (type_info(type).bits >= 8 && element_of(type) == element) return type;
  }
  throw std::runtime_error("no type of this element");
}

std::vector<const OracleRow*> rows_of(const std::string& op) {
  const std::vector<Type> types = device_types();
  std::vector<const OracleRow*> rows;
  for (const OracleRow& row : oracle_rows()) {
    if (row.op == op && row.family.starts_with("map") && std::ranges::count(types, operand_type(row)) != 0) {
      rows.push_back(&row);
    }
  }
  return rows;
}

// The element of a tensor of dimensions `from` that is under `index` of what it broadcasts to.
int64_t broadcast_place(const Dims& from, const Dims& index) {
  Dims own(index.end() - static_cast<std::ptrdiff_t>(from.size()), index.end());
  for (size_t d = 0; d < from.size(); ++d) own[d] = from[d] == 1 ? 0 : own[d];
  return place_of(from, own);
}

// operands: as the row reads them.
Bytes applied(const OracleRow& row, const std::vector<Dims>& shapes, const std::vector<Bytes>& operands,
              const Dims& dims) {
  Bytes result(static_cast<size_t>(element_count(dims)) * row.out_bytes);
  std::byte* out = result.data();
  oracle::for_indices(dims, [&](const Dims& index) {
    const std::byte* at[3] = {};
    for (size_t k = 0; k < operands.size(); ++k) {
      at[k] = operands[k].data() + static_cast<size_t>(broadcast_place(shapes[k], index)) * row.input_bytes[k];
    }
    row.apply(at, out);
    out += row.out_bytes;
  });
  return result;
}

// What the operands meet in.
Dims met(const std::vector<Dims>& shapes) {
  Dims dims;
  for (const Dims& shape : shapes) {
    if (shape.size() > dims.size()) dims.insert(dims.begin(), shape.size() - dims.size(), 1);
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t& dim = dims[dims.size() - shape.size() + d];
      dim = std::max(dim, shape[d]);
    }
  }
  return dims;
}

// Whether two integers compare so, where no type may hold both.
bool compares(const std::string& op, __int128 a, __int128 b) {
  if (op == "equal") return a == b;
  if (op == "not_equal") return a != b;
  if (op == "less") return a < b;
  if (op == "less_equal") return a <= b;
  return op == "greater" ? a > b : a >= b;
}

bool is_comparison(const std::string& op) {
  return op == "equal" || op == "not_equal" || op.starts_with("less") || op.starts_with("greater");
}

std::vector<__int128> wide_integers(Type type, const Bytes& bytes) {
  std::vector<__int128> result;
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      for (T value : numbers_of<T>(bytes)) result.push_back(value);
    }
  });
  return result;
}

// Integers of two types, compared as what they are.
Bytes compared(const std::string& op, const std::vector<TensorSpec>& specs, const std::vector<Bytes>& operands,
               const Dims& dims) {
  const std::vector<__int128> a = wide_integers(specs[0].type, operands[0]),
                              b = wide_integers(specs[1].type, operands[1]);
  std::vector<uint8_t> truths;
  oracle::for_indices(dims, [&](const Dims& index) {
    const auto at = [&](size_t k) { return static_cast<size_t>(broadcast_place(specs[k].dims, index)); };
    truths.push_back(compares(op, a[at(0)], b[at(1)]) ? 1 : 0);
  });
  return bytes_of(truths);
}

bool are_two_integers(const std::vector<TensorSpec>& specs) {
  return specs.size() == 2 && specs[0].type != specs[1].type && !is_float(specs[0].type) && !is_float(specs[1].type);
}

// Another type that meets `type` in it, seldom.
Type narrower(Draw& draw, const std::string& name, Type type) {
  std::vector<Type> types;
  for (Type other : device_types()) {
    if (merge_types(type, other) == type) types.push_back(other);
  }
  return draw.one_in(5) ? draw.few(name, types, 2) : type;
}

Case drawn_map(Draw& draw) {
  const std::string op = draw.few("ops", kOps, 12);
  const OracleRow& row = *draw.few(op, rows_of(op), 2);
  const Type type = operand_type(row);
  const std::string name = op + "." + std::string(row.types);
  Case one{.op = op, .traits = drawn_traits(draw, name)};
  const Dims widest = draw.shape(draw.rank());
  const size_t count = row.inputs.size(), whole = static_cast<size_t>(draw.below(static_cast<int64_t>(count)));
  std::vector<Dims> shapes;
  std::vector<TensorSpec> specs;
  std::vector<Bytes> drawn, read;
  for (size_t k = 0; k < count; ++k) {
    // One operand has its own type at least, so that they meet in it.
    const Type own = k == whole ? type : narrower(draw, name, type);
    shapes.push_back(k == whole && draw.one_in(2) ? widest : draw.broadcastable(widest));
    const int64_t elements = element_count(shapes[k]);
    const bool computed = kComputed.contains(op) || own != type;
    const Bytes values = computed ? ordinary_values(draw, own, elements) : special_values(draw, own, elements);
    one.operands.push_back(tensor_or_number(draw, {own, shapes[k]}, values));
    specs.push_back({own, shapes[k]});
    drawn.push_back(values);
    read.push_back(cast_values(values, own, type));
  }
  Dims dims = met(shapes);
  const Type gives = type_of(row.out);
  if (draw.one_in(3)) {
    dims = widest;
    one.outs = {{gives, dims}};
  }
  const bool integers = is_comparison(op) && are_two_integers(specs);
  Bytes bytes = integers ? compared(op, specs, drawn, dims) : applied(row, shapes, read, dims);
  Type shown = gives;
  // Truth as another type.
  if (!one.outs.empty() && gives == Type::u8 && type != Type::u8 && draw.one_in(3)) {
    shown = one.outs[0].type = draw.any({Type::f32, Type::s32});
    bytes = cast_values(bytes, gives, shown);
  }
  one.results = {{{shown, dims}, bytes, Match::numbers}};
  return one;
}

// The truth may be of any type.
Case drawn_select(Draw& draw) {
  const Type type = draw.any(device_types()), truth = draw.few("select", device_types(), 3);
  const std::string bits = "b" + std::to_string(type_info(type).bits);
  const OracleRow& row = *find_oracle("map3", "select", bits);
  Case one{.op = "select", .traits = drawn_traits(draw, "select" + bits)};
  const Dims widest = draw.shape(draw.rank());
  const std::vector<Dims> shapes{draw.broadcastable(widest), draw.broadcastable(widest), widest};
  std::vector<Bytes> read;
  bool numbers_only = false;
  for (size_t k = 0; k < 3; ++k) {
    const Type own = k == 0 ? truth : type;
    const int64_t elements = element_count(shapes[k]);
    const Bytes values = k == 0 ? whole_values(draw, own, elements, 1) : special_values(draw, own, elements);
    one.operands.push_back(tensor_or_number(draw, {own, shapes[k]}, values));
    numbers_only = numbers_only || (k > 0 && one.operands.back().scalar);
    if (k == 0 && own != Type::u8) {
      const OracleRow& logical = *find_oracle("map1", "logical", type_info(own).name);
      read.push_back(applied(logical, {shapes[0]}, {values}, shapes[0]));
    } else {
      read.push_back(values);
    }
  }
  one.results = {{{type, widest}, applied(row, shapes, read, widest), numbers_only ? Match::numbers : Match::bits}};
  return one;
}

Case drawn_elementwise(Draw& draw) { return draw.one_in(12) ? drawn_select(draw) : drawn_map(draw); }

Case drawn_cast(Draw& draw) {
  const std::vector<Type> types = device_types();
  std::vector<std::pair<Type, Type>> pairs;
  for (Type from : types) {
    for (Type to : types) pairs.emplace_back(from, to);
  }
  const auto [from, to] = draw.few("cast", pairs, 40);
  const std::string name = std::string(type_info(from).name) + "-" + std::string(type_info(to).name);
  Case one{.op = draw.any<std::string>({"as_type", "identity"}), .traits = drawn_traits(draw, name)};
  const Dims dims = draw.shape(draw.rank()), shape = draw.one_in(2) ? dims : draw.broadcastable(dims);
  const Bytes values = special_values(draw, from, element_count(shape));
  one.operands = {tensor_or_number(draw, {from, shape}, values)};
  one.outs = {{to, dims}};
  std::vector<int64_t> places;
  oracle::for_indices(dims, [&](const Dims& index) { places.push_back(broadcast_place(shape, index)); });
  const bool moved = from == to && !one.operands[0].scalar;
  one.results = {{{to, dims}, taken(cast_values(values, from, to), to, places), moved ? Match::bits : Match::numbers}};
  return one;
}

TEST(Property, Elementwise) { check_cases("Elementwise", 1400, drawn_elementwise); }
TEST(Property, Cast) { check_cases("Cast", 500, drawn_cast); }

}  // namespace
}  // namespace nxv::property
