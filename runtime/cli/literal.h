#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/ops/op.h"

namespace nxv::cli {

// "7", "-0.5", "1e-3", "inf", "nan": a number as exact as Scalar holds it; nothing for any other text.
std::optional<Scalar> parse_number(std::string_view text);

// "NAME=VALUE" as an attribute: an integer, a float, true or false (1 or 0), a list of integers ("0,2", "[0,2]", "[]"),
// else a string. Throws invalid_argument where there is no name.
std::pair<std::string, AttrValue> parse_attribute(std::string_view text);

// "2,3", "2x3", "[2][3]", "" (a scalar).
Dims parse_shape(std::string_view text);

}  // namespace nxv::cli
