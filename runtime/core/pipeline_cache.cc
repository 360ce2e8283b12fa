#include "runtime/core/pipeline_cache.h"

#include <mutex>
#include <span>
#include <system_error>

#include "runtime/core/caps.h"
#include "runtime/core/spirv_patch.h"

namespace nxv {
namespace {

class ShaderModule {
 public:
  ShaderModule(const LogicalDevice& device, const std::vector<uint32_t>& words) : device_(device) {
    auto info = typed<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = words.size() * sizeof(uint32_t);
    info.pCode = words.data();
    device.health().check(device.vk().CreateShaderModule(device.handle(), &info, nullptr, &handle_),
                          "vkCreateShaderModule");
  }
  ~ShaderModule() { device_.vk().DestroyShaderModule(device_.handle(), handle_, nullptr); }
  ShaderModule(const ShaderModule&) = delete;
  ShaderModule& operator=(const ShaderModule&) = delete;
  VkShaderModule handle() const { return handle_; }

 private:
  const LogicalDevice& device_;
  VkShaderModule handle_ = VK_NULL_HANDLE;
};

}  // namespace

size_t PipelineCache::Hash::operator()(const KernelRef& kernel) const {
  size_t hash = std::hash<std::string_view>{}(kernel.key);
  for (const SpecConstant& constant : kernel.constants) {
    hash = (hash ^ (uint64_t{constant.id} << 32 | constant.value)) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

PipelineCache::PipelineCache(const LogicalDevice& device, std::shared_ptr<const Pack> pack, Workers& workers,
                             const std::vector<std::byte>& initial_data)
    : device_(device), pack_(std::move(pack)), workers_(workers) {
  const Vk& vk = device_.vk();
  VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
  auto layout = typed<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &range;
  check(vk.CreatePipelineLayout(device_.handle(), &layout, nullptr, &layout_), "vkCreatePipelineLayout");

  auto cache = typed<VkPipelineCacheCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO);
  cache.initialDataSize = initial_data.size();
  cache.pInitialData = initial_data.data();
  VkResult result = vk.CreatePipelineCache(device_.handle(), &cache, nullptr, &cache_);
  if (result < VK_SUCCESS && !initial_data.empty()) {
    cache.initialDataSize = 0;
    cache.pInitialData = nullptr;
    result = vk.CreatePipelineCache(device_.handle(), &cache, nullptr, &cache_);
  }
  if (result < VK_SUCCESS) cache_ = VK_NULL_HANDLE;  // slower, not wrong
}

PipelineCache::~PipelineCache() {
  if (abandoned_) return;
  const Vk& vk = device_.vk();
  for (auto& [kernel, entry] : entries_) vk.DestroyPipeline(device_.handle(), entry->pipeline.handle, nullptr);
  vk.DestroyPipelineCache(device_.handle(), cache_, nullptr);
  vk.DestroyPipelineLayout(device_.handle(), layout_, nullptr);
}

PipelineCache::Lookup PipelineCache::request(const KernelRef& kernel) {
  {
    std::shared_lock lock(mutex_);
    if (auto found = entries_.find(kernel); found != entries_.end()) {
      const Entry& entry = *found->second;
      if (!entry.ready) return {nullptr, entry.event};
      if (!entry.error) return {&entry.pipeline, nullptr};
    }
  }
  check_caps(kernel);
  auto entry = std::make_shared<Entry>();
  {
    std::unique_lock lock(mutex_);
    auto [place, fresh] = entries_.try_emplace(kernel, entry);
    if (!fresh) {
      entry = place->second;
      if (!entry->ready) return {nullptr, entry->event};
      if (!entry->error) return {&entry->pipeline, nullptr};
      // Told once; the next request tries again.
      entries_.erase(place);
      entry->error->raise();
    }
  }
  auto job = [this, kernel, entry] { create(kernel, *entry); };
  try {
    if (!workers_.post(job)) job();
  } catch (const std::system_error&) {
    job();  // no thread to be had
  }
  return {nullptr, entry->event};
}

void PipelineCache::check_caps(const KernelRef& kernel) const {
  const uint32_t caps = kernel.linked ? kernel.linked->caps : pack_->entry(kernel.key).caps;
  if (uint32_t missing = caps & ~device_.info().traits.caps) {
    throw Error(Code::unsupported,
                "[" + kernel.key + "] needs " + caps_text(missing) + ", which " + device_.info().name + " lacks");
  }
}

void PipelineCache::create(const KernelRef& kernel, Entry& entry) {
  VkPipeline handle = VK_NULL_HANDLE;
  std::optional<Failure> error;
  try {
    handle = build(kernel);
  } catch (...) {
    error = caught(kernel.key);
    error->text = "[" + kernel.key + "] no pipeline: " + error->text;
  }
  {
    std::unique_lock lock(mutex_);
    entry.pipeline.handle = handle;
    entry.pipeline.push_bytes = kernel.linked ? kernel.linked->push_bytes : pack_->entry(kernel.key).push_bytes;
    entry.pipeline.key = kernel.key;
    entry.error = error;
    entry.ready = true;
    if (handle) created_ = {created_.count + 1, std::chrono::steady_clock::now()};
  }
  entry.event->set();
}

VkPipeline PipelineCache::build(const KernelRef& kernel) {
  if (stopping_.load()) throw Error(Code::invalid_argument, "the device is closed");
  device_.health().require(kernel.key);
  const std::span<const uint32_t> words =
      kernel.linked ? std::span<const uint32_t>(kernel.linked->words) : pack_->spirv(pack_->entry(kernel.key));
  ShaderModule module(device_, add_float_controls(words, device_.physical().floats));

  std::vector<VkSpecializationMapEntry> map;
  std::vector<uint32_t> values;
  for (const SpecConstant& constant : kernel.constants) {
    map.push_back({constant.id, static_cast<uint32_t>(values.size() * sizeof(uint32_t)), sizeof(uint32_t)});
    values.push_back(constant.value);
  }
  VkSpecializationInfo specialization{};
  specialization.mapEntryCount = static_cast<uint32_t>(map.size());
  specialization.pMapEntries = map.data();
  specialization.dataSize = values.size() * sizeof(uint32_t);
  specialization.pData = values.data();

  auto info = typed<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module.handle();
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  device_.health().check(device_.vk().CreateComputePipelines(device_.handle(), cache_, 1, &info, nullptr, &pipeline),
                         "vkCreateComputePipelines");
  return pipeline;
}

PipelineCache::Created PipelineCache::created() const {
  std::shared_lock lock(mutex_);
  return created_;
}

std::vector<std::byte> PipelineCache::data() const {
  if (!cache_) return {};
  size_t bytes = 0;
  check(device_.vk().GetPipelineCacheData(device_.handle(), cache_, &bytes, nullptr), "vkGetPipelineCacheData");
  std::vector<std::byte> data(bytes);
  check(device_.vk().GetPipelineCacheData(device_.handle(), cache_, &bytes, data.data()), "vkGetPipelineCacheData");
  data.resize(bytes);
  return data;
}

}  // namespace nxv
