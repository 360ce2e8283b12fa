#include "runtime/core/spirv_patch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/core/error.h"

namespace nxv::test {
namespace {

constexpr uint32_t op(uint32_t words, uint32_t code) { return words << 16 | code; }

// Capability Shader; memory model; entry point 4 "main"; local size; float types.
std::vector<uint32_t> module(std::vector<uint32_t> float_widths, uint32_t version = 0x00010500) {
  std::vector<uint32_t> words = {0x07230203, version,    0, 50,        0, op(2, 17), 1,  op(3, 14), 0, 1, op(5, 15), 5,
                                 4,          0x6e69616d, 0, op(6, 16), 4, 17,        64, 1,         1};
  uint32_t id = 10;
  for (uint32_t width : float_widths) words.insert(words.end(), {op(3, 22), id++, width});
  return words;
}

FloatControls all_offered() {
  FloatControls floats;
  floats.f16 = floats.f32 = floats.f64 = {true, true, true};
  floats.denorm_independence = floats.rounding_independence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
  return floats;
}

struct Found {
  std::vector<uint32_t> capabilities;
  std::vector<std::pair<uint32_t, uint32_t>> modes;  // mode, width
  bool extension = false;
};

// Checks the order of sections on the way.
Found scan(const std::vector<uint32_t>& words) {
  Found found;
  int section = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    uint32_t code = words[at] & 0xffff;
    int now = code == 17 ? 0 : code == 10 ? 1 : code == 14 ? 2 : code == 15 ? 3 : code == 16 ? 4 : 5;
    EXPECT_GE(now, section);
    section = now;
    if (code == 17) found.capabilities.push_back(words[at + 1]);
    if (code == 10) found.extension = true;
    if (code == 16 && words[at + 2] >= 4459) {
      EXPECT_EQ(words[at + 1], 4u);
      found.modes.emplace_back(words[at + 2], words[at + 3]);
    }
  }
  return found;
}

using Modes = std::vector<std::pair<uint32_t, uint32_t>>;

TEST(SpirvPatch, SetsWhatTheModuleUsesAndTheDeviceOffers) {
  Found found = scan(add_float_controls(module({32}), all_offered()));
  EXPECT_EQ(found.modes, (Modes{{4461, 32}, {4462, 32}, {4459, 32}}));
  EXPECT_EQ(found.capabilities, (std::vector<uint32_t>{1, 4466, 4467, 4464}));
  EXPECT_FALSE(found.extension);
}

TEST(SpirvPatch, LeavesAloneWhatIsNotOffered) {
  FloatControls floats = all_offered();
  floats.f32.denorm_preserve = false;
  EXPECT_EQ(scan(add_float_controls(module({32, 64}), floats)).modes,
            (Modes{{4461, 32}, {4461, 64}, {4462, 32}, {4462, 64}, {4459, 64}}));
  EXPECT_EQ(add_float_controls(module({32}), {}), module({32}));
  EXPECT_EQ(add_float_controls(module({}), all_offered()), module({}));
}

TEST(SpirvPatch, WidthsThatDependOnEachOtherAreSetTogether) {
  FloatControls floats = all_offered();
  floats.denorm_independence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  floats.f16.denorm_preserve = false;
  EXPECT_EQ(scan(add_float_controls(module({32}), floats)).modes, (Modes{{4461, 32}, {4462, 32}}));
  floats.f16.denorm_preserve = true;
  EXPECT_EQ(scan(add_float_controls(module({32}), floats)).modes,
            (Modes{{4461, 32}, {4462, 32}, {4459, 16}, {4459, 32}, {4459, 64}}));
  floats.denorm_independence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY;
  EXPECT_EQ(scan(add_float_controls(module({32}), floats)).modes, (Modes{{4461, 32}, {4462, 32}, {4459, 32}}));
  EXPECT_EQ(scan(add_float_controls(module({64}), floats)).modes,
            (Modes{{4461, 64}, {4462, 64}, {4459, 16}, {4459, 64}}));
}

TEST(SpirvPatch, OldModulesGetTheExtension) {
  EXPECT_TRUE(scan(add_float_controls(module({32}, 0x00010300), all_offered())).extension);
}

TEST(SpirvPatch, PatchingTwiceChangesNothing) {
  std::vector<uint32_t> once = add_float_controls(module({32, 64}), all_offered());
  EXPECT_EQ(add_float_controls(once, all_offered()), once);
}

TEST(SpirvPatch, MalformedModulesAreRefused) {
  auto refused = [](std::vector<uint32_t> words) {
    try {
      add_float_controls(words, all_offered());
    } catch (const Error& error) {
      return error.code() == Code::invalid_argument;
    }
    return false;
  };
  EXPECT_TRUE(refused({}));
  EXPECT_TRUE(refused({1, 2, 3, 4, 5, 6}));
  std::vector<uint32_t> truncated = module({32});
  truncated.pop_back();
  EXPECT_TRUE(refused(truncated));
  std::vector<uint32_t> endless = module({32});
  endless[5] = 0;
  EXPECT_TRUE(refused(endless));
}

}  // namespace
}  // namespace nxv::test
