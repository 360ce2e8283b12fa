#include "test/cpp/core/fake_vulkan.h"

#include <array>
#include <atomic>
#include <cstring>
#include <stdexcept>

namespace nxv::test {
namespace {

using Lock = std::unique_lock<std::mutex>;

struct Semaphore {
  uint64_t value = 0;
};

struct Memory {
  explicit Memory(uint64_t bytes, uint32_t type) : data(new std::byte[bytes]), bytes(bytes), type(type) {}
  std::unique_ptr<std::byte[]> data;
  uint64_t bytes;
  uint32_t type;
};

struct BufferObject {
  uint64_t bytes = 0;
  Memory* memory = nullptr;
};

struct Commands {
  std::vector<std::function<void()>> list;
  bool pending = false;  // in a queue
};

struct CommandPool {
  std::vector<std::unique_ptr<Commands>> buffers;
};

struct Submission {
  Commands* commands = nullptr;
  std::vector<std::pair<Semaphore*, uint64_t>> waits;
  Semaphore* signal = nullptr;
  uint64_t value = 0;
};

struct QueueObject {
  std::deque<Submission> submissions;
  std::thread thread;
};

struct Fault {
  int nth;
  VkResult result;
  int times;
};

}  // namespace

struct FakeVulkan::State {
  explicit State(const Config& config) : config(config) {}

  const Config config;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, int> calls, live;
  std::map<std::string, Fault> faults;
  Kernel kernel;
  bool held = false, lost = false, jumped = false, stopping = false;
  int completed = 0, barriers = 0;
  uint64_t device_bytes = 0;
  std::array<QueueObject, 2> queues;
  std::array<int, 4> physical{};  // their addresses are the handles

  // Counts the call and gives the result that the test wants of it.
  VkResult enter(const char* function) {
    std::lock_guard lock(mutex);
    ++calls[function];
    auto fault = faults.find(function);
    if (fault == faults.end() || --fault->second.nth > 0) return VK_SUCCESS;
    VkResult result = fault->second.result;
    if (fault->second.times > 0 && --fault->second.times == 0) faults.erase(fault);
    return result;
  }

  void count(const char* kind, int by) {
    std::lock_guard lock(mutex);
    if ((live[kind] += by) == 0) live.erase(kind);
  }

  void run_queue(QueueObject& queue) {
    Lock lock(mutex);
    while (true) {
      changed.wait(lock, [&] { return stopping || (!held && !lost && !queue.submissions.empty()); });
      if (stopping) return;
      Submission submission = queue.submissions.front();
      for (auto [semaphore, value] : submission.waits) {
        changed.wait(lock, [&, s = semaphore, v = value] { return stopping || s->value >= v; });
      }
      if (stopping) return;
      lock.unlock();
      for (const auto& command : submission.commands->list) command();
      lock.lock();
      if (lost) continue;
      submission.commands->pending = false;
      submission.signal->value = submission.value;
      queue.submissions.pop_front();
      ++completed;
      changed.notify_all();
    }
  }
};

namespace {

FakeVulkan::State* g = nullptr;

#define ENTER(name)                                            \
  do {                                                         \
    if (VkResult wanted = g->enter("vk" #name)) return wanted; \
  } while (0)

template <typename Handle, typename Object>
Handle to_handle(Object* object) {
  return reinterpret_cast<Handle>(object);
}

template <typename Object, typename Handle>
Object* from(Handle handle) {
  return reinterpret_cast<Object*>(handle);
}

// Instance

VkResult fake_EnumerateInstanceVersion(uint32_t* version) {
  ENTER(EnumerateInstanceVersion);
  *version = VK_API_VERSION_1_3;
  return VK_SUCCESS;
}

VkResult fake_EnumerateInstanceLayerProperties(uint32_t* count, VkLayerProperties*) {
  ENTER(EnumerateInstanceLayerProperties);
  *count = 0;
  return VK_SUCCESS;
}

VkResult fake_CreateInstance(const VkInstanceCreateInfo*, const VkAllocationCallbacks*, VkInstance* instance) {
  ENTER(CreateInstance);
  g->count("instance", 1);
  *instance = to_handle<VkInstance>(g);
  return VK_SUCCESS;
}

void fake_DestroyInstance(VkInstance, const VkAllocationCallbacks*) { g->count("instance", -1); }

VkResult fake_EnumeratePhysicalDevices(VkInstance, uint32_t* count, VkPhysicalDevice* devices) {
  ENTER(EnumeratePhysicalDevices);
  *count = static_cast<uint32_t>(g->config.devices);
  for (uint32_t i = 0; devices && i < *count; ++i) devices[i] = to_handle<VkPhysicalDevice>(&g->physical[i]);
  return VK_SUCCESS;
}

VkResult fake_EnumerateDeviceExtensionProperties(VkPhysicalDevice, const char*, uint32_t* count,
                                                 VkExtensionProperties* list) {
  ENTER(EnumerateDeviceExtensionProperties);
  *count = g->config.budget_bytes ? 1 : 0;
  if (list && *count) std::strcpy(list->extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  return VK_SUCCESS;
}

void fake_GetPhysicalDeviceProperties(VkPhysicalDevice device, VkPhysicalDeviceProperties* properties) {
  *properties = {};
  properties->apiVersion = g->config.api_version;
  properties->deviceType = g->config.type;
  std::string name = "Fake " + std::to_string(from<int>(device) - g->physical.data());
  std::strcpy(properties->deviceName, name.c_str());
  properties->limits.maxComputeWorkGroupInvocations = 1024;
  for (int i = 0; i < 3; ++i) {
    properties->limits.maxComputeWorkGroupSize[i] = 1024;
    properties->limits.maxComputeWorkGroupCount[i] = 65535;
  }
  properties->limits.maxComputeSharedMemorySize = 32768;
  properties->limits.timestampPeriod = 1.0f;
}

void fake_GetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
  fake_GetPhysicalDeviceProperties(device, &properties->properties);
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext) {
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
      auto* p = reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next);
      p->subgroupSize = 32;
      p->maxMemoryAllocationSize = 1ull << 32;
      p->deviceUUID[15] = static_cast<uint8_t>(from<int>(device) - g->physical.data());
    } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES) {
      std::strcpy(reinterpret_cast<VkPhysicalDeviceVulkan12Properties*>(next)->driverName, "fake");
    }
  }
}

void fake_GetPhysicalDeviceFeatures2(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
  features->features.shaderFloat64 = g->config.float64;
  features->features.shaderInt64 = VK_TRUE;
  for (auto* next = static_cast<VkBaseOutStructure*>(features->pNext); next; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) continue;
    auto* f = reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(next);
    f->bufferDeviceAddress = g->config.buffer_device_address;
    f->timelineSemaphore = f->scalarBlockLayout = f->storageBuffer8BitAccess = VK_TRUE;
  }
}

void fake_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties2* properties) {
  VkPhysicalDeviceMemoryProperties& memory = properties->memoryProperties;
  memory = {};
  memory.memoryHeapCount = 2;
  memory.memoryHeaps[0] = {g->config.heap_bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  memory.memoryHeaps[1] = {1ull << 32, 0};
  memory.memoryTypeCount = 2;
  VkMemoryPropertyFlags host =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  memory.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | (g->config.mapped ? host : 0u), 0};
  memory.memoryTypes[1] = {host, 1};
  for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next; next = next->pNext) {
    if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) continue;
    auto* budget = reinterpret_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(next);
    budget->heapBudget[0] = g->config.budget_bytes;
    budget->heapBudget[1] = 1ull << 32;
    std::lock_guard lock(g->mutex);
    budget->heapUsage[0] = g->device_bytes;
  }
}

void fake_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t* count, VkQueueFamilyProperties* families) {
  *count = g->config.transfer_queue ? 2 : 1;
  if (!families) return;
  families[0] = {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 1, 64, {}};
  if (g->config.transfer_queue) families[1] = {VK_QUEUE_TRANSFER_BIT, 1, 64, {}};
}

VkResult fake_CreateDevice(VkPhysicalDevice, const VkDeviceCreateInfo*, const VkAllocationCallbacks*,
                           VkDevice* device) {
  ENTER(CreateDevice);
  g->count("device", 1);
  *device = to_handle<VkDevice>(g);
  return VK_SUCCESS;
}

void fake_DestroyDevice(VkDevice, const VkAllocationCallbacks*) { g->count("device", -1); }

void fake_GetDeviceQueue(VkDevice, uint32_t family, uint32_t, VkQueue* queue) {
  *queue = to_handle<VkQueue>(&g->queues[family]);
}

// Memory

VkResult fake_AllocateMemory(VkDevice, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks*,
                             VkDeviceMemory* memory) {
  ENTER(AllocateMemory);
  {
    std::lock_guard lock(g->mutex);
    if (info->memoryTypeIndex == 0) {
      if (g->device_bytes + info->allocationSize > g->config.heap_bytes) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
      g->device_bytes += info->allocationSize;
    }
  }
  g->count("memory", 1);
  *memory = to_handle<VkDeviceMemory>(new Memory(info->allocationSize, info->memoryTypeIndex));
  return VK_SUCCESS;
}

void fake_FreeMemory(VkDevice, VkDeviceMemory handle, const VkAllocationCallbacks*) {
  if (!handle) return;
  auto* memory = from<Memory>(handle);
  if (memory->type == 0) {
    std::lock_guard lock(g->mutex);
    g->device_bytes -= memory->bytes;
  }
  g->count("memory", -1);
  delete memory;
}

VkResult fake_MapMemory(VkDevice, VkDeviceMemory memory, VkDeviceSize, VkDeviceSize, VkMemoryMapFlags, void** data) {
  ENTER(MapMemory);
  *data = from<Memory>(memory)->data.get();
  return VK_SUCCESS;
}

VkResult fake_CreateBuffer(VkDevice, const VkBufferCreateInfo* info, const VkAllocationCallbacks*, VkBuffer* buffer) {
  ENTER(CreateBuffer);
  g->count("buffer", 1);
  *buffer = to_handle<VkBuffer>(new BufferObject{info->size, nullptr});
  return VK_SUCCESS;
}

void fake_DestroyBuffer(VkDevice, VkBuffer buffer, const VkAllocationCallbacks*) {
  if (!buffer) return;
  g->count("buffer", -1);
  delete from<BufferObject>(buffer);
}

void fake_GetBufferMemoryRequirements(VkDevice, VkBuffer buffer, VkMemoryRequirements* requirements) {
  *requirements = {from<BufferObject>(buffer)->bytes, 256, 3};
}

VkResult fake_BindBufferMemory(VkDevice, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize) {
  ENTER(BindBufferMemory);
  from<BufferObject>(buffer)->memory = from<Memory>(memory);
  return VK_SUCCESS;
}

VkDeviceAddress fake_GetBufferDeviceAddress(VkDevice, const VkBufferDeviceAddressInfo* info) {
  return reinterpret_cast<VkDeviceAddress>(from<BufferObject>(info->buffer)->memory->data.get());
}

// Small objects: a counted number is all there is.

#define COUNTED(Name, Info, Handle, kind)                                                           \
  VkResult fake_Create##Name(VkDevice, const Info*, const VkAllocationCallbacks*, Handle* handle) { \
    ENTER(Create##Name);                                                                            \
    g->count(kind, 1);                                                                              \
    *handle = to_handle<Handle>(new int(1));                                                        \
    return VK_SUCCESS;                                                                              \
  }                                                                                                 \
  void fake_Destroy##Name(VkDevice, Handle handle, const VkAllocationCallbacks*) {                  \
    if (!handle) return;                                                                            \
    g->count(kind, -1);                                                                             \
    delete from<int>(handle);                                                                       \
  }

COUNTED(ShaderModule, VkShaderModuleCreateInfo, VkShaderModule, "shader module")
COUNTED(PipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout, "pipeline layout")
COUNTED(PipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache, "pipeline cache")
COUNTED(QueryPool, VkQueryPoolCreateInfo, VkQueryPool, "query pool")

VkResult fake_CreateComputePipelines(VkDevice, VkPipelineCache, uint32_t, const VkComputePipelineCreateInfo*,
                                     const VkAllocationCallbacks*, VkPipeline* pipeline) {
  ENTER(CreateComputePipelines);
  std::this_thread::sleep_for(g->config.pipeline_time);
  g->count("pipeline", 1);
  *pipeline = to_handle<VkPipeline>(new int(1));
  return VK_SUCCESS;
}

void fake_DestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  if (!pipeline) return;
  g->count("pipeline", -1);
  delete from<int>(pipeline);
}

VkResult fake_GetPipelineCacheData(VkDevice, VkPipelineCache, size_t* bytes, void* data) {
  ENTER(GetPipelineCacheData);
  if (data) std::memset(data, 7, *bytes);
  *bytes = 32;
  return VK_SUCCESS;
}

// Commands

VkResult fake_CreateCommandPool(VkDevice, const VkCommandPoolCreateInfo*, const VkAllocationCallbacks*,
                                VkCommandPool* pool) {
  ENTER(CreateCommandPool);
  g->count("command pool", 1);
  *pool = to_handle<VkCommandPool>(new CommandPool);
  return VK_SUCCESS;
}

void fake_DestroyCommandPool(VkDevice, VkCommandPool pool, const VkAllocationCallbacks*) {
  if (!pool) return;
  g->count("command pool", -1);
  delete from<CommandPool>(pool);
}

VkResult fake_AllocateCommandBuffers(VkDevice, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* buffer) {
  ENTER(AllocateCommandBuffers);
  auto& buffers = from<CommandPool>(info->commandPool)->buffers;
  *buffer = to_handle<VkCommandBuffer>(buffers.emplace_back(std::make_unique<Commands>()).get());
  return VK_SUCCESS;
}

VkResult fake_ResetCommandPool(VkDevice, VkCommandPool pool, VkCommandPoolResetFlags) {
  ENTER(ResetCommandPool);
  std::lock_guard lock(g->mutex);
  for (auto& buffer : from<CommandPool>(pool)->buffers) {
    if (buffer->pending) std::abort();  // reset while the device works on it
    buffer->list.clear();
  }
  return VK_SUCCESS;
}

VkResult fake_BeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo*) {
  ENTER(BeginCommandBuffer);
  from<Commands>(buffer)->list.clear();
  return VK_SUCCESS;
}

VkResult fake_EndCommandBuffer(VkCommandBuffer) {
  ENTER(EndCommandBuffer);
  return VK_SUCCESS;
}

thread_local std::vector<std::byte> pushed;  // of the command buffer that this thread records

void fake_CmdBindPipeline(VkCommandBuffer, VkPipelineBindPoint, VkPipeline) {}

void fake_CmdPushConstants(VkCommandBuffer, VkPipelineLayout, VkShaderStageFlags, uint32_t, uint32_t bytes,
                           const void* data) {
  auto* first = static_cast<const std::byte*>(data);
  pushed.assign(first, first + bytes);
}

void fake_CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  from<Commands>(buffer)->list.push_back([push = pushed, groups = std::array{x, y, z}] {
    if (g->kernel) g->kernel(push, groups);
  });
}

void fake_CmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags to, VkDependencyFlags,
                             uint32_t, const VkMemoryBarrier*, uint32_t, const VkBufferMemoryBarrier*, uint32_t,
                             const VkImageMemoryBarrier*) {
  if (to & VK_PIPELINE_STAGE_HOST_BIT) return;
  std::lock_guard lock(g->mutex);
  ++g->barriers;
}

void fake_CmdCopyBuffer(VkCommandBuffer buffer, VkBuffer source, VkBuffer target, uint32_t,
                        const VkBufferCopy* region) {
  from<Commands>(buffer)->list.push_back([=, region = *region] {
    std::memcpy(from<BufferObject>(target)->memory->data.get() + region.dstOffset,
                from<BufferObject>(source)->memory->data.get() + region.srcOffset, region.size);
  });
}

void fake_CmdResetQueryPool(VkCommandBuffer, VkQueryPool, uint32_t, uint32_t) {}
void fake_CmdWriteTimestamp(VkCommandBuffer, VkPipelineStageFlagBits, VkQueryPool, uint32_t) {}

// The n-th timestamp is 10 n: each dispatch takes 10 ns.
VkResult fake_GetQueryPoolResults(VkDevice, VkQueryPool, uint32_t first, uint32_t count, size_t, void* data,
                                  VkDeviceSize, VkQueryResultFlags) {
  ENTER(GetQueryPoolResults);
  for (uint32_t i = 0; i < count; ++i) static_cast<uint64_t*>(data)[i] = 10 * (first + i);
  return VK_SUCCESS;
}

// Queues

VkResult fake_CreateSemaphore(VkDevice, const VkSemaphoreCreateInfo*, const VkAllocationCallbacks*,
                              VkSemaphore* semaphore) {
  ENTER(CreateSemaphore);
  g->count("semaphore", 1);
  *semaphore = to_handle<VkSemaphore>(new Semaphore);
  return VK_SUCCESS;
}

void fake_DestroySemaphore(VkDevice, VkSemaphore semaphore, const VkAllocationCallbacks*) {
  if (!semaphore) return;
  g->count("semaphore", -1);
  delete from<Semaphore>(semaphore);
}

VkResult fake_GetSemaphoreCounterValue(VkDevice, VkSemaphore semaphore, uint64_t* value) {
  ENTER(GetSemaphoreCounterValue);
  std::lock_guard lock(g->mutex);
  *value = g->jumped ? ~uint64_t{0} : from<Semaphore>(semaphore)->value;
  return g->lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult fake_WaitSemaphores(VkDevice, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  ENTER(WaitSemaphores);
  Lock lock(g->mutex);
  auto* semaphore = from<Semaphore>(info->pSemaphores[0]);
  bool over = g->changed.wait_for(lock, std::chrono::nanoseconds(timeout),
                                  [&] { return g->lost || semaphore->value >= info->pValues[0]; });
  if (g->lost) return VK_ERROR_DEVICE_LOST;
  return over ? VK_SUCCESS : VK_TIMEOUT;
}

VkResult fake_QueueSubmit(VkQueue handle, uint32_t, const VkSubmitInfo* info, VkFence) {
  ENTER(QueueSubmit);
  auto* timeline = static_cast<const VkTimelineSemaphoreSubmitInfo*>(info->pNext);
  Submission submission;
  submission.commands = from<Commands>(info->pCommandBuffers[0]);
  for (uint32_t i = 0; i < info->waitSemaphoreCount; ++i) {
    submission.waits.emplace_back(from<Semaphore>(info->pWaitSemaphores[i]), timeline->pWaitSemaphoreValues[i]);
  }
  submission.signal = from<Semaphore>(info->pSignalSemaphores[0]);
  submission.value = timeline->pSignalSemaphoreValues[0];
  std::lock_guard lock(g->mutex);
  if (g->lost) return VK_ERROR_DEVICE_LOST;
  submission.commands->pending = true;
  from<QueueObject>(handle)->submissions.push_back(submission);
  g->changed.notify_all();
  return VK_SUCCESS;
}

PFN_vkVoidFunction VKAPI_CALL fake_GetDeviceProcAddr(VkDevice, const char* name) {
  return FakeVulkan::get_proc_addr(nullptr, name);
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL FakeVulkan::get_proc_addr(VkInstance, const char* name) {
  static const std::map<std::string, PFN_vkVoidFunction> table = {
#define NXV_FAKE(name) {"vk" #name, reinterpret_cast<PFN_vkVoidFunction>(fake_##name)},
      NXV_VK_GLOBAL(NXV_FAKE) NXV_VK_INSTANCE(NXV_FAKE) NXV_VK_DEVICE(NXV_FAKE) NXV_FAKE(EnumerateInstanceVersion)
#undef NXV_FAKE
  };
  auto found = table.find(name);
  return found == table.end() ? nullptr : found->second;
}

FakeVulkan::FakeVulkan(const Config& config) : state_(std::make_unique<State>(config)) {
  if (g) throw std::logic_error("two fake Vulkans at a time");
  g = state_.get();
  for (QueueObject& queue : g->queues) queue.thread = std::thread([&queue] { g->run_queue(queue); });
}

FakeVulkan::~FakeVulkan() {
  {
    std::lock_guard lock(g->mutex);
    g->stopping = true;
    g->changed.notify_all();
  }
  for (QueueObject& queue : g->queues) queue.thread.join();
  g = nullptr;
}

void FakeVulkan::set_kernel(Kernel kernel) { state_->kernel = std::move(kernel); }

void FakeVulkan::fail(const std::string& function, int nth, VkResult result, int times) {
  std::lock_guard lock(state_->mutex);
  state_->faults[function] = {nth, result, times};
}

int FakeVulkan::calls(const std::string& function) const {
  std::lock_guard lock(state_->mutex);
  auto found = state_->calls.find(function);
  return found == state_->calls.end() ? 0 : found->second;
}

void FakeVulkan::hold() {
  std::lock_guard lock(state_->mutex);
  state_->held = true;
}

void FakeVulkan::release() {
  std::lock_guard lock(state_->mutex);
  state_->held = false;
  state_->changed.notify_all();
}

void FakeVulkan::lose() {
  std::lock_guard lock(state_->mutex);
  state_->lost = true;
  state_->changed.notify_all();
}

void FakeVulkan::jump_ahead() {
  std::lock_guard lock(state_->mutex);
  state_->jumped = true;
}

int FakeVulkan::completed() const {
  std::lock_guard lock(state_->mutex);
  return state_->completed;
}

int FakeVulkan::barriers() const {
  std::lock_guard lock(state_->mutex);
  return state_->barriers;
}

std::map<std::string, int> FakeVulkan::live() const {
  std::lock_guard lock(state_->mutex);
  return state_->live;
}

uint64_t FakeVulkan::device_bytes() const {
  std::lock_guard lock(state_->mutex);
  return state_->device_bytes;
}

}  // namespace nxv::test
