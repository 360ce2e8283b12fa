#include <algorithm>
#include <cstring>
#include <memory_resource>

#include "runtime/core/device.h"

namespace nxv {
namespace {

constexpr uint64_t kParamsAlignment = 16;

[[noreturn]] void bad_plan(const Step& step, const char* what) {
  throw Error(Code::internal, "[" + step.kernel.key + "] " + what);
}

// A plan on its way to the stream. Its scratch memory lies on the stack for plans of usual size.
class Binding {
 public:
  Binding(DeviceParts& parts, const Plan& plan, std::span<const BufferView> inputs, std::pmr::memory_resource* memory)
      : parts_(parts),
        plan_(plan),
        inputs_(inputs),
        pipelines_(memory),
        temps_(memory),
        bytes_(memory),
        uses_(memory) {}

  std::vector<BufferView> run(Owner owner, Waiting waiting) {
    for (const BufferView& input : inputs_) {
      if (input.buffer) check_view(parts_, input, 0, "execute");
    }
    resolve_pipelines(waiting);
    std::vector<BufferView> outputs = allocate(owner, waiting);
    bind(owner, waiting);
    return outputs;
  }

 private:
  void resolve_pipelines(Waiting waiting) {
    pipelines_.resize(plan_.steps.size());
    while (true) {
      std::vector<PendingPtr> pending;
      for (size_t i = 0; i < plan_.steps.size(); ++i) {
        if (pipelines_[i]) continue;
        const KernelRef& kernel = plan_.steps[i].kernel;
        if (i > 0 && same(kernel, plan_.steps[i - 1].kernel)) {
          pipelines_[i] = pipelines_[i - 1];
          continue;
        }
        PipelineCache::Lookup lookup = parts_.pipelines.request(kernel);
        pipelines_[i] = lookup.pipeline;
        if (lookup.pending) pending.push_back(std::move(lookup.pending));
      }
      if (pending.empty()) {
        if (std::find(pipelines_.begin(), pipelines_.end(), nullptr) == pipelines_.end()) return;
      } else {
        wait_or_refuse(join(std::move(pending)), waiting);
      }
    }
  }

  static bool same(const KernelRef& a, const KernelRef& b) { return a.key == b.key && a.constants == b.constants; }

  std::vector<BufferView> allocate(Owner owner, Waiting waiting) {
    std::vector<BufferView> outputs;
    outputs.reserve(plan_.output_bytes.size());
    for (uint64_t bytes : plan_.output_bytes) {
      outputs.push_back({parts_.buffers->allocate(bytes, owner, waiting), 0, bytes});
    }
    for (uint64_t bytes : plan_.temp_bytes)
      temps_.push_back({parts_.buffers->allocate(bytes, owner, waiting), 0, bytes});
    outputs_ = outputs;
    return outputs;
  }

  void bind(Owner owner, Waiting waiting) {
    uint64_t push_bytes = 0, params_bytes = 0;
    size_t uses = 0;
    for (const Step& step : plan_.steps) {
      push_bytes += step.push.size();
      params_bytes += aligned(step.params.size());
      uses += step.accesses.size() + 1;
    }
    bytes_.resize(push_bytes);
    uses_.resize(uses);
    BufferPtr params;
    if (params_bytes) params = parts_.params->allocate(params_bytes, owner, waiting);

    std::pmr::vector<Dispatch> dispatches(bytes_.get_allocator());
    dispatches.reserve(plan_.steps.size());
    std::byte* push = bytes_.data();
    Use* use = uses_.data();
    uint64_t params_offset = 0;
    for (size_t i = 0; i < plan_.steps.size(); ++i) {
      const Step& step = plan_.steps[i];
      check_step(step, *pipelines_[i]);
      std::copy(step.push.begin(), step.push.end(), push);
      for (const AddressSlot& slot : step.addresses)
        patch(step, push, step.push.size(), slot.push_offset, address(step, slot.ref));
      Use* first = use;
      for (const Access& access : step.accesses) *use++ = make_use(step, access);
      if (!step.params.empty()) {
        *use++ = put_params(step, *params, params_offset);
        patch(step, push, step.push.size(), step.params_offset, params->address() + params_offset);
        params_offset += aligned(step.params.size());
      }
      dispatches.push_back({pipelines_[i], step.groups, {push, step.push.size()}, {first, use}});
      push += step.push.size();
    }
    if (!dispatches.empty()) parts_.compute->append(dispatches, waiting);
  }

  static uint64_t aligned(uint64_t bytes) {
    return (bytes + kParamsAlignment - 1) / kParamsAlignment * kParamsAlignment;
  }

  const BufferView& view(const Step& step, Ref::Kind kind, uint32_t index) const {
    auto at = [&](std::span<const BufferView> views) -> const BufferView& {
      if (index >= views.size() || !views[index].buffer)
        bad_plan(step, "the plan refers to an operand that is not there");
      return views[index];
    };
    switch (kind) {
      case Ref::Kind::input:
        return at(inputs_);
      case Ref::Kind::output:
        return at(outputs_);
      case Ref::Kind::temp:
        return at(temps_);
    }
    bad_plan(step, "the plan refers to nothing");
  }

  uint64_t address(const Step& step, const Ref& ref) const {
    const BufferView& operand = view(step, ref.kind, ref.index);
    return operand.buffer->address() + operand.offset + ref.byte_offset;
  }

  static void patch(const Step& step, std::byte* block, size_t size, uint64_t offset, uint64_t address) {
    if (offset > size || size - offset < sizeof address) bad_plan(step, "an address lies outside its block");
    std::memcpy(block + offset, &address, sizeof address);
  }

  Use make_use(const Step& step, const Access& access) const {
    const BufferView& operand = view(step, access.kind, access.index);
    uint64_t start = operand.buffer->address() + operand.offset;
#ifdef NXV_CHECKS
    if (access.begin > access.end || access.end > operand.bytes) bad_plan(step, "an access lies outside its view");
    if (operand.offset + operand.bytes > operand.buffer->bytes()) bad_plan(step, "a view lies outside its allocation");
#endif
    return {operand.buffer->chunk(), start + access.begin, start + access.end, access.write};
  }

  Use put_params(const Step& step, const Buffer& params, uint64_t offset) const {
    std::byte* block = params.mapped() + offset;
    std::copy(step.params.begin(), step.params.end(), block);
    for (const AddressSlot& slot : step.params_addresses) {
      patch(step, block, step.params.size(), slot.push_offset, address(step, slot.ref));
    }
    uint64_t start = params.address() + offset;
    return {params.chunk(), start, start + step.params.size(), false};
  }

  void check_step(const Step& step, const Pipeline& pipeline) const {
    if (step.push.size() > kPushBytes || step.push.size() % 4) bad_plan(step, "the push constants do not fit");
    if (pipeline.push_bytes > step.push.size())
      bad_plan(step, "the kernel reads more push constants than the plan gives");
    const auto& most = parts_.logical.info().traits.max_groups;
    for (int i = 0; i < 3; ++i) {
      if (step.groups[i] == 0 || step.groups[i] > most[i])
        bad_plan(step, "the number of workgroups passes the device's limit");
    }
#ifdef NXV_CHECKS
    for (const AddressSlot& slot : step.addresses) check_covered(step, slot.ref);
    for (const AddressSlot& slot : step.params_addresses) check_covered(step, slot.ref);
#endif
  }

#ifdef NXV_CHECKS
  // An address that no access speaks of would be a hazard that nobody tracks.
  void check_covered(const Step& step, const Ref& ref) const {
    bool covered = std::any_of(step.accesses.begin(), step.accesses.end(), [&](const Access& access) {
      return access.kind == ref.kind && access.index == ref.index;
    });
    if (!covered) bad_plan(step, "an address is used that no access declares");
  }
#endif

  DeviceParts& parts_;
  const Plan& plan_;
  std::span<const BufferView> inputs_, outputs_;
  std::pmr::vector<const Pipeline*> pipelines_;
  std::pmr::vector<BufferView> temps_;
  std::pmr::vector<std::byte> bytes_;  // push constants of all steps
  std::pmr::vector<Use> uses_;
};

}  // namespace

std::vector<BufferView> execute(Device& device, const Plan& plan, std::span<const BufferView> inputs, Owner owner,
                                Waiting waiting) {
  alignas(16) std::byte scratch[4096];
  std::pmr::monotonic_buffer_resource memory(scratch, sizeof scratch);
  return Binding(device.use("execute"), plan, inputs, &memory).run(owner, waiting);
}

}  // namespace nxv
