#include "runtime/core/environment.h"

#include <cstdlib>
#include <string_view>

namespace nxv {
namespace {

std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool flag(const char* name) {
  std::string value = text(name);
  return !value.empty() && value != "0" && value != "off";
}

std::string cache_directory() {
  if (const char* own = std::getenv("NXV_CACHE")) return std::string_view(own) == "off" ? "" : own;
  if (std::string xdg = text("XDG_CACHE_HOME"); !xdg.empty()) return xdg + "/nx_vulkan";
  if (std::string home = text("HOME"); !home.empty()) return home + "/.cache/nx_vulkan";
  return "";
}

}  // namespace

Environment read_environment() {
  return {.device = text("NXV_DEVICE"),
          .validate = flag("NXV_VALIDATE"),
          .serialize = flag("NXV_SERIALIZE"),
          .profile = flag("NXV_PROFILE"),
          .pack = text("NXV_PACK"),
          .cache = cache_directory()};
}

}  // namespace nxv
