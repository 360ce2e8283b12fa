#include "runtime/core/health.h"

#include <algorithm>

namespace nxv {
namespace {

Code code_of(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_TOO_MANY_OBJECTS:
      return Code::out_of_memory;
    case VK_ERROR_DEVICE_LOST:
      return Code::device_lost;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
    case VK_ERROR_LAYER_NOT_PRESENT:
    case VK_ERROR_EXTENSION_NOT_PRESENT:
    case VK_ERROR_FEATURE_NOT_PRESENT:
    case VK_ERROR_FORMAT_NOT_SUPPORTED:
      return Code::unsupported;
    default:
      return Code::internal;
  }
}

}  // namespace

const char* result_name(VkResult result) {
  switch (result) {
#define NXV_RESULT(name) \
  case name:             \
    return #name;
    NXV_RESULT(VK_SUCCESS)
    NXV_RESULT(VK_NOT_READY)
    NXV_RESULT(VK_TIMEOUT)
    NXV_RESULT(VK_INCOMPLETE)
    NXV_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    NXV_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    NXV_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    NXV_RESULT(VK_ERROR_DEVICE_LOST)
    NXV_RESULT(VK_ERROR_MEMORY_MAP_FAILED)
    NXV_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    NXV_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    NXV_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    NXV_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    NXV_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    NXV_RESULT(VK_ERROR_FORMAT_NOT_SUPPORTED)
    NXV_RESULT(VK_ERROR_FRAGMENTED_POOL)
    NXV_RESULT(VK_ERROR_UNKNOWN)
    NXV_RESULT(VK_ERROR_OUT_OF_POOL_MEMORY)
    NXV_RESULT(VK_ERROR_INVALID_EXTERNAL_HANDLE)
    NXV_RESULT(VK_ERROR_FRAGMENTATION)
    NXV_RESULT(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS)
    NXV_RESULT(VK_ERROR_INVALID_SHADER_NV)
#undef NXV_RESULT
    default:
      return "an unknown VkResult";
  }
}

void check(VkResult result, const char* function) {
  if (result >= VK_SUCCESS) return;
  throw Error(code_of(result), std::string("[") + function + "] " + result_name(result));
}

void Health::poison(Code code, const std::string& reason) noexcept {
  {
    std::lock_guard lock(mutex_);
    if (poisoned_.load(std::memory_order_relaxed)) return;
    code_ = code;
    reason_ = reason;
    poisoned_.store(true, std::memory_order_release);
  }
  std::vector<Subscriber> subscribers;
  {
    std::lock_guard lock(subscribers_mutex_);
    subscribers = subscribers_;
    ++waking_;
  }
  for (const Subscriber& subscriber : subscribers) subscriber.wake();
  std::lock_guard lock(subscribers_mutex_);
  --waking_;
  woken_.notify_all();
}

Error Health::error(std::string_view function) const {
  std::lock_guard lock(mutex_);
  return Error(code_, "[" + std::string(function) + "] the device " + device_ + " cannot be used any more: " + reason_ +
                          "; its tensors are gone, a new device can be opened");
}

int Health::subscribe(std::function<void()> wake) {
  std::lock_guard lock(subscribers_mutex_);
  subscribers_.push_back({next_id_, std::move(wake)});
  return next_id_++;
}

void Health::unsubscribe(int id) {
  std::unique_lock lock(subscribers_mutex_);
  std::erase_if(subscribers_, [id](const Subscriber& subscriber) { return subscriber.id == id; });
  woken_.wait(lock, [this] { return waking_ == 0; });
}

void Health::fail(std::string_view function) const { throw error(function); }

void Health::fail(VkResult result, const char* function) {
  if (result == VK_ERROR_DEVICE_LOST) {
    poison(Code::device_lost, std::string(function) + " gave VK_ERROR_DEVICE_LOST");
    fail(function);
  }
  nxv::check(result, function);
  throw Error(Code::internal, std::string("[") + function + "] failed");
}

}  // namespace nxv
