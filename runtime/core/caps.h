#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/core/traits.h"

namespace nxv {

struct CapName {
  Cap cap;
  std::string_view name;  // as the catalog and the manifest spell it
};

std::span<const CapName> cap_names();

// Bits of "int64,storage8" or "-"; nothing where a name is unknown.
std::optional<uint32_t> parse_caps(std::string_view text);

// "int64, storage8"; "" for none.
std::string caps_text(uint32_t caps);

}  // namespace nxv
