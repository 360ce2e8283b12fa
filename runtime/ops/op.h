#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/core/plan.h"
#include "runtime/core/traits.h"
#include "runtime/ops/type.h"

namespace nxv {

// Row-major dimensions; empty is a scalar. Every dimension is at least 1.
using Dims = std::vector<int64_t>;

struct TensorSpec {
  Type type{};
  Dims dims;
  bool operator==(const TensorSpec&) const = default;
};

int64_t element_count(const Dims& dims);
uint64_t byte_size(const TensorSpec& spec);     // the last byte filled up where elements are narrower
std::string to_string(const TensorSpec& spec);  // "f32[2][3]"

// A number on the host, exact for every type: what inline scalar operands carry.
struct Scalar {
  std::variant<int64_t, uint64_t, double> value;
};

// The bits of `scalar` cast to `type` by the rules of the cast family, in the low bytes.
uint64_t scalar_bits(const Scalar& scalar, Type type);

// An operand: a tensor in device memory (contiguous, row-major), or a scalar the host knows (spec.dims empty).
struct Input {
  TensorSpec spec;
  std::optional<Scalar> scalar;      // inline, never uploaded; plans then never refer to this input
  uint64_t address_alignment = 256;  // what the operand's device address is known to be a multiple of
};

using AttrValue = std::variant<int64_t, double, std::string, std::vector<int64_t>>;
using Attrs = std::map<std::string, AttrValue, std::less<>>;

struct OpPlan {
  std::vector<TensorSpec> outputs;
  Plan plan;
};

// Turns an operation of the catalog into dispatches. `outs` gives the output types and shapes as the caller wants them
// (Nx decides both); empty means that they are inferred as Nx would. Operands keep their own types: the plan casts and
// broadcasts them. Throws invalid_argument (unknown op, attribute, type, shapes that do not fit) or unsupported
// (a type or a capability that the device lacks), text beginning with "[op]" or "[key]".
OpPlan plan_op(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs, std::span<const Input> inputs,
               const Traits& traits);

}  // namespace nxv
