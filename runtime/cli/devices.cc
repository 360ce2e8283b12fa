#include <cstdio>
#include <nlohmann/json.hpp>

#include "runtime/cli/command.h"
#include "runtime/cli/text.h"
#include "runtime/core/api.h"

namespace nxv::cli {

namespace {

std::string version_text(uint32_t version) {
  return std::to_string(version >> 22 & 0x7f) + "." + std::to_string(version >> 12 & 0x3ff) + "." +
         std::to_string(version & 0xfff);
}

const char* kind_of(const DeviceInfo& device) {
  return device.cpu ? "CPU" : device.integrated ? "integrated GPU" : "GPU";
}

void print_text(const std::vector<DeviceInfo>& devices) {
  for (const DeviceInfo& device : devices) {
    std::printf("%u: %s\n", device.index, device.name.c_str());
    auto line = [](const char* label, const std::string& text) { std::printf("   %-12s %s\n", label, text.c_str()); };
    line("kind", kind_of(device));
    line("driver", device.driver);
    line("Vulkan", version_text(device.api_version));
    line("UUID", device.uuid);
    line("memory", size_text(device.memory_bytes));
    line("features", device.features.empty() ? "none" : join(device.features, ", "));
    line("cannot keep", device.cannot_keep.empty() ? "nothing: it keeps all" : join(device.cannot_keep, "; "));
    if (!device.usable) line("not usable", device.why_not);
  }
}

nlohmann::ordered_json to_json(const DeviceInfo& device) {
  nlohmann::ordered_json json{
      {"index", device.index},
      {"name", device.name},
      {"kind", kind_of(device)},
      {"driver", device.driver},
      {"vulkan", version_text(device.api_version)},
      {"uuid", device.uuid},
      {"memory_bytes", device.memory_bytes},
      {"features", device.features},
      {"cannot_keep", device.cannot_keep},
      {"usable", device.usable},
  };
  if (!device.usable) json["why_not"] = device.why_not;
  return json;
}

}  // namespace

void devices(const DevicesOptions& options) {
  std::vector<DeviceInfo> all = list_devices();
  if (!options.json) return print_text(all);
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const DeviceInfo& device : all) json.push_back(to_json(device));
  std::printf("%s\n", json.dump(2).c_str());
}

}  // namespace nxv::cli
