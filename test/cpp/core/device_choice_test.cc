#include "runtime/core/device_choice.h"

#include <gtest/gtest.h>

#include "runtime/core/memory_block.h"

namespace nxv::test {
namespace {

PhysicalDevice device(const char* name, VkPhysicalDeviceType type, const char* uuid, const char* why_not = "") {
  PhysicalDevice made;
  made.type = type;
  made.info.name = name;
  made.info.uuid = uuid;
  made.info.why_not = why_not;
  made.info.usable = made.info.why_not.empty();
  return made;
}

const std::vector<PhysicalDevice> kDevices = {
    device("llvmpipe", VK_PHYSICAL_DEVICE_TYPE_CPU, "00000000-0000-0000-0000-000000000001"),
    device("Arc A770", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, "00000000-0000-0000-0000-000000000002"),
    device("NVIDIA H200", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "00000000-0000-0000-0000-00000000000a"),
    device("NVIDIA H200 NVL", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "00000000-0000-0000-0000-000000000004"),
    device("Weak", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "00000000-0000-0000-0000-000000000005", "it lacks all"),
};

std::pair<Code, std::string> refusal(std::string_view select, std::span<const PhysicalDevice> devices = kDevices) {
  try {
    choose_device(devices, select);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {Code::internal, "none"};
}

TEST(DeviceChoice, TheDefaultIsTheFirstUsableOfTheBestKind) {
  EXPECT_EQ(choose_device(kDevices, ""), 2u);
  EXPECT_EQ(choose_device(std::span(kDevices).first(2), ""), 1u);
  EXPECT_EQ(choose_device(std::span(kDevices).first(1), ""), 0u);
  EXPECT_EQ(refusal("", std::span(kDevices).last(1)).first, Code::unsupported);
}

TEST(DeviceChoice, ByIndexNamePartOrUuid) {
  EXPECT_EQ(choose_device(kDevices, "0"), 0u);
  EXPECT_EQ(choose_device(kDevices, "3"), 3u);
  EXPECT_EQ(choose_device(kDevices, "nvidia h200"), 2u);
  EXPECT_EQ(choose_device(kDevices, "NVL"), 3u);
  EXPECT_EQ(choose_device(kDevices, "pipe"), 0u);
  EXPECT_EQ(choose_device(kDevices, "00000000-0000-0000-0000-00000000000A"), 2u);
}

TEST(DeviceChoice, NeverAnotherDevice) {
  auto [code, text] = refusal("Radeon");
  EXPECT_EQ(code, Code::invalid_argument);
  EXPECT_NE(text.find("0: llvmpipe, 1: Arc A770"), std::string::npos) << text;
  EXPECT_EQ(refusal("5").first, Code::invalid_argument);
  EXPECT_EQ(refusal("-1").first, Code::invalid_argument);
  EXPECT_EQ(refusal("NVIDIA").first, Code::invalid_argument);
  EXPECT_EQ(refusal("weak").first, Code::unsupported);
}

VkPhysicalDeviceMemoryProperties memory(std::initializer_list<std::pair<VkMemoryPropertyFlags, uint32_t>> types) {
  VkPhysicalDeviceMemoryProperties made{};
  made.memoryHeapCount = 3;
  made.memoryHeaps[0] = {1ull << 36, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  made.memoryHeaps[1] = {1ull << 35, 0};
  made.memoryHeaps[2] = {1ull << 28, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  for (auto [flags, heap] : types) made.memoryTypes[made.memoryTypeCount++] = {flags, heap};
  return made;
}

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kHost = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

TEST(MemoryTypes, ADiscreteGpuStagesAndWritesParametersThroughTheBar) {
  MemoryTypes types =
      choose_memory_types(memory({{0, 1}, {kLocal, 0}, {kHost, 1}, {kHost | kCached, 1}, {kLocal | kHost, 2}}), ~0u);
  EXPECT_FALSE(types.device_mapped);
  EXPECT_EQ(types.device, 1u);
  EXPECT_EQ(types.staging, 3u);
  EXPECT_EQ(types.params, 4u);
}

TEST(MemoryTypes, HostCachedDeviceMemoryIsMapped) {
  MemoryTypes types = choose_memory_types(memory({{kLocal | kHost | kCached, 0}}), ~0u);
  EXPECT_TRUE(types.device_mapped);
  EXPECT_EQ(types.device, 0u);
}

TEST(MemoryTypes, OnlyAllowedOnesAreUsed) {
  auto properties = memory({{kLocal, 0}, {kLocal, 2}, {kHost | kCached, 1}});
  EXPECT_EQ(choose_memory_types(properties, 0b110u).device, 1u);
  EXPECT_THROW(choose_memory_types(properties, 0b001u), Error);
}

}  // namespace
}  // namespace nxv::test
