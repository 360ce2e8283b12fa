#include "runtime/core/device_choice.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>

namespace nxv {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string list_text(std::span<const PhysicalDevice> devices) {
  std::string text;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (i) text += ", ";
    text += std::to_string(i) + ": " + devices[i].info.name;
  }
  return text;
}

int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 3;
    default:
      return 4;
  }
}

size_t default_device(std::span<const PhysicalDevice> devices) {
  std::optional<size_t> best;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (!devices[i].info.usable) continue;
    if (!best || rank(devices[i].type) < rank(devices[*best].type)) best = i;
  }
  if (best) return *best;
  std::string why;
  for (const PhysicalDevice& device : devices) why += "; " + device.info.name + ": " + device.info.why_not;
  throw Error(Code::unsupported, "[open_device] no device here can be used" + why);
}

std::optional<size_t> as_index(std::string_view select) {
  size_t index = 0;
  auto [end, error] = std::from_chars(select.data(), select.data() + select.size(), index);
  if (error != std::errc() || end != select.data() + select.size()) return std::nullopt;
  return index;
}

// Exact matches come first, so that a device whose name is part of another's can be meant.
std::vector<size_t> matches(std::span<const PhysicalDevice> devices, std::string_view select) {
  std::string wanted = lower(select);
  std::vector<size_t> exact, partial;
  for (size_t i = 0; i < devices.size(); ++i) {
    std::string name = lower(devices[i].info.name);
    if (lower(devices[i].info.uuid) == wanted || name == wanted) exact.push_back(i);
    if (name.find(wanted) != std::string::npos) partial.push_back(i);
  }
  return exact.empty() ? partial : exact;
}

}  // namespace

size_t choose_device(std::span<const PhysicalDevice> devices, std::string_view select) {
  if (select.empty()) return default_device(devices);
  std::vector<size_t> found;
  if (std::optional<size_t> index = as_index(select); index && *index < devices.size()) {
    found = {*index};
  } else if (!index) {
    found = matches(devices, select);
  }
  std::string named = "'" + std::string(select) + "'";
  if (found.empty()) {
    throw Error(Code::invalid_argument, "[open_device] no device " + named + "; the devices are " + list_text(devices));
  }
  if (found.size() > 1) {
    throw Error(Code::invalid_argument,
                "[open_device] " + named + " means more than one device; choose by index from " + list_text(devices));
  }
  const DeviceInfo& info = devices[found.front()].info;
  if (!info.usable) {
    throw Error(Code::unsupported, "[open_device] device " + info.name + " cannot be used: " + info.why_not);
  }
  return found.front();
}

}  // namespace nxv
