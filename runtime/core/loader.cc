#include <dlfcn.h>

#include <string>

#include "runtime/core/error.h"
#include "runtime/core/vk.h"

namespace nxv {
namespace {

template <typename Function>
void require(Function& slot, PFN_vkVoidFunction function, const char* name) {
  if (!function) throw Error(Code::unsupported, std::string("[vulkan] the Vulkan driver lacks ") + name);
  slot = reinterpret_cast<Function>(function);
}

}  // namespace

PFN_vkGetInstanceProcAddr open_loader() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    throw Error(
        Code::unsupported,
        "[vulkan] no Vulkan loader (libvulkan.so.1) found; install it, on Debian with: apt-get install libvulkan1");
  }
  void* symbol = dlsym(library, "vkGetInstanceProcAddr");
  if (!symbol) throw Error(Code::unsupported, "[vulkan] libvulkan.so.1 has no vkGetInstanceProcAddr");
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(symbol);
}

void load_global(Vk& vk, PFN_vkGetInstanceProcAddr get) {
  vk.GetInstanceProcAddr = get;
  vk.EnumerateInstanceVersion =
      reinterpret_cast<PFN_vkEnumerateInstanceVersion>(get(nullptr, "vkEnumerateInstanceVersion"));
#define NXV_VK_LOAD(name) require(vk.name, get(nullptr, "vk" #name), "vk" #name);
  NXV_VK_GLOBAL(NXV_VK_LOAD)
#undef NXV_VK_LOAD
}

void load_instance(Vk& vk, VkInstance instance) {
  PFN_vkGetInstanceProcAddr get = vk.GetInstanceProcAddr;
#define NXV_VK_LOAD(name) require(vk.name, get(instance, "vk" #name), "vk" #name);
  NXV_VK_INSTANCE(NXV_VK_LOAD)
#undef NXV_VK_LOAD
  vk.CreateDebugUtilsMessengerEXT =
      reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(get(instance, "vkCreateDebugUtilsMessengerEXT"));
  vk.DestroyDebugUtilsMessengerEXT =
      reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(get(instance, "vkDestroyDebugUtilsMessengerEXT"));
}

void load_device(Vk& vk, VkDevice device) {
#define NXV_VK_LOAD(name) require(vk.name, vk.GetDeviceProcAddr(device, "vk" #name), "vk" #name);
  NXV_VK_DEVICE(NXV_VK_LOAD)
#undef NXV_VK_LOAD
}

}  // namespace nxv
