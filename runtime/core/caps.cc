#include "runtime/core/caps.h"

#include <algorithm>

namespace nxv {
namespace {

constexpr CapName kCapNames[] = {
    {kCapFloat64, "float64"}, {kCapInt64, "int64"}, {kCapStorage8, "storage8"}, {kCapStorage16, "storage16"},
    {kCapFloat16, "float16"}, {kCapInt8, "int8"},   {kCapInt16, "int16"},
};

}  // namespace

std::span<const CapName> cap_names() { return kCapNames; }

std::optional<uint32_t> parse_caps(std::string_view text) {
  if (text == "-") return 0;
  uint32_t caps = 0;
  for (;;) {
    const size_t comma = text.find(',');
    const auto* found = std::ranges::find(kCapNames, text.substr(0, comma), &CapName::name);
    if (found == std::end(kCapNames)) return std::nullopt;
    caps |= found->cap;
    if (comma == std::string_view::npos) return caps;
    text.remove_prefix(comma + 1);
  }
}

std::string caps_text(uint32_t caps) {
  std::string text;
  for (const CapName& row : kCapNames) {
    if (!(caps & row.cap)) continue;
    if (!text.empty()) text += ", ";
    text += row.name;
  }
  return text;
}

}  // namespace nxv
