#include "runtime/core/instance.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/core/health.h"

namespace nxv {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr size_t kMessagesKept = 100;

bool has_layer(const Vk& vk, const char* wanted) {
  uint32_t count = 0;
  check(vk.EnumerateInstanceLayerProperties(&count, nullptr), "vkEnumerateInstanceLayerProperties");
  std::vector<VkLayerProperties> layers(count);
  check(vk.EnumerateInstanceLayerProperties(&count, layers.data()), "vkEnumerateInstanceLayerProperties");
  return std::any_of(layers.begin(), layers.end(),
                     [&](const VkLayerProperties& layer) { return std::strcmp(layer.layerName, wanted) == 0; });
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  static_cast<ValidationLog*>(user)->add(data->pMessage ? data->pMessage : "");
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(ValidationLog* log) {
  auto info = typed<VkDebugUtilsMessengerCreateInfoEXT>(VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = on_message;
  info.pUserData = log;
  return info;
}

}  // namespace

void ValidationLog::add(std::string message) {
  count_.fetch_add(1, std::memory_order_relaxed);
  std::fprintf(stderr, "[validation] %s\n", message.c_str());
  std::lock_guard lock(mutex_);
  if (messages_.size() < kMessagesKept) messages_.push_back(std::move(message));
}

std::vector<std::string> ValidationLog::messages() const {
  std::lock_guard lock(mutex_);
  return messages_;
}

Instance::Instance(PFN_vkGetInstanceProcAddr get, Validation validation) {
  load_global(vk_, get);
  uint32_t loader_version = VK_API_VERSION_1_0;
  if (vk_.EnumerateInstanceVersion) check(vk_.EnumerateInstanceVersion(&loader_version), "vkEnumerateInstanceVersion");
  if (loader_version < VK_API_VERSION_1_2) {
    throw Error(Code::unsupported, "[vulkan] the Vulkan loader is older than 1.2; install a newer one");
  }
  api_version_ = std::min<uint32_t>(loader_version, VK_API_VERSION_1_3);

  auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pApplicationName = "nx_vulkan";
  application.pEngineName = "nx_vulkan";
  application.apiVersion = api_version_;
  auto info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(&log_);
  if (validation == Validation::on) {
    if (!has_layer(vk_, kValidationLayer)) {
      throw Error(
          Code::unsupported,
          "[vulkan] NXV_VALIDATE is set but the validation layer VK_LAYER_KHRONOS_validation is not installed; on "
          "Debian: apt-get install vulkan-validationlayers");
    }
    info.pNext = &messenger;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kValidationLayer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  VkResult result = vk_.CreateInstance(&info, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    throw Error(Code::unsupported,
                "[vulkan] no Vulkan driver found; install your GPU's, or for the CPU on Debian: apt-get install "
                "mesa-vulkan-drivers");
  }
  check(result, "vkCreateInstance");
  try {
    load_instance(vk_, instance_);
    if (validation == Validation::on) create_messenger();
  } catch (...) {
    if (vk_.DestroyInstance) vk_.DestroyInstance(instance_, nullptr);
    throw;
  }
}

Instance::~Instance() {
  if (messenger_) vk_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
  vk_.DestroyInstance(instance_, nullptr);
}

void Instance::create_messenger() {
  if (!vk_.CreateDebugUtilsMessengerEXT || !vk_.DestroyDebugUtilsMessengerEXT) {
    throw Error(Code::unsupported, "[vulkan] NXV_VALIDATE needs the extension VK_EXT_debug_utils");
  }
  VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(&log_);
  check(vk_.CreateDebugUtilsMessengerEXT(instance_, &info, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
  uint32_t count = 0;
  check(vk_.EnumeratePhysicalDevices(instance_, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  check(vk_.EnumeratePhysicalDevices(instance_, &count, devices.data()), "vkEnumeratePhysicalDevices");
  devices.resize(count);
  if (devices.empty()) {
    throw Error(
        Code::unsupported,
        "[vulkan] the Vulkan drivers here find no device; for the CPU on Debian: apt-get install mesa-vulkan-drivers");
  }
  return devices;
}

}  // namespace nxv
