#include "runtime/core/spirv_patch.h"

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/core/error.h"

namespace nxv {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kVersion14 = 0x00010400;  // from here on float controls are core
constexpr size_t kHeaderWords = 5;

constexpr uint32_t kOpExtension = 10, kOpEntryPoint = 15, kOpExecutionMode = 16, kOpCapability = 17, kOpTypeFloat = 22;
constexpr uint32_t kCapDenormPreserve = 4464, kCapSignedZeroInfNanPreserve = 4466, kCapRoundingModeRTE = 4467;
constexpr uint32_t kModeDenormPreserve = 4459, kModeSignedZeroInfNanPreserve = 4461, kModeRoundingModeRTE = 4462;
constexpr std::string_view kExtension = "SPV_KHR_float_controls";

// What the patch must know of a module.
struct Layout {
  size_t capabilities_end = kHeaderWords;  // word after the last OpCapability
  size_t entry_points_end = 0;             // word after the last OpEntryPoint
  std::vector<uint32_t> entry_points;      // result ids
  std::set<uint32_t> capabilities;
  std::set<std::array<uint32_t, 3>> modes;  // entry point, mode, width
  std::set<uint32_t> float_widths;
  bool extension = false;
};

[[noreturn]] void malformed(const char* what) { throw Error(Code::invalid_argument, std::string("[spirv] ") + what); }

Layout scan(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != kMagic) malformed("not a SPIR-V module");
  Layout layout;
  for (size_t at = kHeaderWords; at < words.size();) {
    uint32_t op = words[at] & 0xffffu, count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) malformed("an instruction passes the end of the module");
    auto operands = words.subspan(at + 1, count - 1);
    at += count;
    if (op == kOpCapability && operands.size() >= 1) {
      layout.capabilities.insert(operands[0]);
      layout.capabilities_end = at;
    } else if (op == kOpExtension) {
      std::string_view name(reinterpret_cast<const char*>(operands.data()), operands.size() * 4);
      layout.extension |= name.substr(0, name.find('\0')) == kExtension;
    } else if (op == kOpEntryPoint && operands.size() >= 2) {
      layout.entry_points.push_back(operands[1]);
      layout.entry_points_end = at;
    } else if (op == kOpExecutionMode && operands.size() >= 3) {
      layout.modes.insert({operands[0], operands[1], operands[2]});
    } else if (op == kOpTypeFloat && operands.size() >= 2) {
      layout.float_widths.insert(operands[1]);
    }
  }
  if (layout.entry_points.empty()) malformed("the module has no entry point");
  return layout;
}

struct Mode {
  uint32_t mode, capability;
  bool FloatControls::Width::*offered;
  VkShaderFloatControlsIndependence FloatControls::*independence;  // null: each width stands alone
};

constexpr Mode kModes[] = {
    {kModeSignedZeroInfNanPreserve, kCapSignedZeroInfNanPreserve, &FloatControls::Width::keep_nan_inf, nullptr},
    {kModeRoundingModeRTE, kCapRoundingModeRTE, &FloatControls::Width::round_even,
     &FloatControls::rounding_independence},
    {kModeDenormPreserve, kCapDenormPreserve, &FloatControls::Width::denorm_preserve,
     &FloatControls::denorm_independence},
};

// The widths to set a mode for. Where a device cannot set widths apart they are set together or not at all, be they
// used or not (VUID-RuntimeSpirv-denormBehaviorIndependence-06289 and the following).
std::vector<uint32_t> widths_to_set(const Mode& mode, const std::set<uint32_t>& used, const FloatControls& floats) {
  bool f16 = floats.f16.*mode.offered, f32 = floats.f32.*mode.offered, f64 = floats.f64.*mode.offered;
  auto independence = mode.independence ? floats.*mode.independence : VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  std::vector<uint32_t> widths;
  if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE) {
    if (f16 && f32 && f64 && !used.empty()) widths = {16, 32, 64};
  } else if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY) {
    if (f32 && used.contains(32)) widths.push_back(32);
    if (f16 && f64 && (used.contains(16) || used.contains(64))) widths.insert(widths.end(), {16, 64});
  } else {
    if (f16 && used.contains(16)) widths.push_back(16);
    if (f32 && used.contains(32)) widths.push_back(32);
    if (f64 && used.contains(64)) widths.push_back(64);
  }
  return widths;
}

void put_extension(std::vector<uint32_t>& words) {
  size_t text_words = kExtension.size() / 4 + 1;
  words.push_back(static_cast<uint32_t>(text_words + 1) << 16 | kOpExtension);
  size_t start = words.size();
  words.resize(start + text_words, 0);
  kExtension.copy(reinterpret_cast<char*>(words.data() + start), kExtension.size());
}

}  // namespace

std::vector<uint32_t> add_float_controls(std::span<const uint32_t> module, const FloatControls& offered) {
  Layout layout = scan(module);
  std::vector<uint32_t> capabilities, modes;
  for (const Mode& mode : kModes) {
    bool added = false;
    for (uint32_t width : widths_to_set(mode, layout.float_widths, offered)) {
      for (uint32_t entry : layout.entry_points) {
        if (!layout.modes.insert({entry, mode.mode, width}).second) continue;
        modes.insert(modes.end(), {4u << 16 | kOpExecutionMode, entry, mode.mode, width});
        added = true;
      }
    }
    if (added && layout.capabilities.insert(mode.capability).second) {
      capabilities.insert(capabilities.end(), {2u << 16 | kOpCapability, mode.capability});
    }
  }
  if (!modes.empty() && module[1] < kVersion14 && !layout.extension) put_extension(capabilities);

  std::vector<uint32_t> patched;
  patched.reserve(module.size() + capabilities.size() + modes.size());
  auto copy = [&](size_t from, size_t to) {
    patched.insert(patched.end(), module.begin() + from, module.begin() + to);
  };
  copy(0, layout.capabilities_end);
  patched.insert(patched.end(), capabilities.begin(), capabilities.end());
  copy(layout.capabilities_end, layout.entry_points_end);
  patched.insert(patched.end(), modes.begin(), modes.end());
  copy(layout.entry_points_end, module.size());
  return patched;
}

}  // namespace nxv
