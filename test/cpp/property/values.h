#pragma once

// Elements of operands and results.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/ops/op.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/property/draw.h"
#include "test/cpp/support/oracle_table.h"

namespace nxv::property {

// Types of at least a byte that the device has; those of one kind.
std::vector<Type> device_types();
std::vector<Type> real_types();
std::vector<Type> integer_types();

Element element_of(Type type);

// Limits, NaN, infinities, subnormals, zeros of both signs, random patterns and numbers.
Bytes special_values(Draw& draw, Type type, int64_t count);
// Numbers whose sums and products are far from subnormal: eighths, and once in `rare` a zero of either sign, an
// infinity or NaN; any integer.
Bytes ordinary_values(Draw& draw, Type type, int64_t count, int64_t rare = 8);
// What `next` gives.
Bytes numbers(Type type, int64_t count, const std::function<double()>& next);
// Whole numbers from −most to most, from 0 where the type has no sign.
Bytes whole_values(Draw& draw, Type type, int64_t count, int64_t most);
// Numbers whose products stay in range.
Bytes factors(Draw& draw, Type type, int64_t count);

// What the rules of as_type make of them.
Bytes cast_values(const Bytes& values, Type from, Type to);

// Elements of `type` at these places.
Bytes taken(const Bytes& values, Type type, const std::vector<int64_t>& places);

// A number on the host with the value of an element; none for complex numbers.
std::optional<Scalar> scalar_of(Type type, const Bytes& element);

}  // namespace nxv::property
