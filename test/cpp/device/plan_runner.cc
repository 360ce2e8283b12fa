#include "test/cpp/device/plan_runner.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "runtime/ops/catalog.h"
#include "runtime/ops/float_format.h"

namespace nxv {
namespace {

constexpr size_t kGarbage = 256, kRedZone = 256;

// Outputs become more operands: memory that the test knows all of.
Plan into_inputs(Plan plan, uint32_t first) {
  const auto redirect = [&](Ref& ref) {
    if (ref.kind == Ref::Kind::output) ref = {Ref::Kind::input, first + ref.index, ref.byte_offset + kGarbage};
  };
  for (Step& step : plan.steps) {
    for (AddressSlot& slot : step.addresses) redirect(slot.ref);
    for (AddressSlot& slot : step.params_addresses) redirect(slot.ref);
    for (Access& access : step.accesses) {
      if (access.kind != Ref::Kind::output) continue;
      access = {Ref::Kind::input, first + access.index, access.begin + kGarbage, access.end + kGarbage, access.write};
    }
  }
  plan.output_bytes.clear();
  return plan;
}

// Closes the device before main returns: what validation layers keep for a thread ends there.
class SharedDevice final : public testing::Environment {
 public:
  const DevicePtr& get() {
    if (!device_) device_ = open_device({});
    return device_;
  }
  void TearDown() override { device_.reset(); }

 private:
  DevicePtr device_;
};

SharedDevice& shared_device() {
  static auto* const shared = static_cast<SharedDevice*>(testing::AddGlobalTestEnvironment(new SharedDevice));
  return *shared;
}

}  // namespace

const DevicePtr& test_device() { return shared_device().get(); }
void close_test_device() { shared_device().TearDown(); }

Traits test_traits(bool cpu, bool narrow) {
  Traits traits = device_info(*test_device()).traits;
  traits.cpu = cpu;
  if (narrow) {
    traits.max_groups = {7, 7, 7};
    traits.index32_limit = 1000;
  }
  return traits;
}

Bytes run_plan(const OpPlan& plan, const std::vector<PlacedBytes>& inputs) { return run_outputs(plan, inputs).at(0); }

std::vector<Bytes> run_outputs(const OpPlan& plan, const std::vector<PlacedBytes>& inputs) {
  std::vector<BufferView> views;
  for (const PlacedBytes& input : inputs) {
    Bytes memory(input.shift, std::byte{0x5a});
    memory.insert(memory.end(), input.bytes.begin(), input.bytes.end());
    BufferView view = upload(*test_device(), memory, 0, Waiting::allow);
    view.offset += input.shift;
    view.bytes -= input.shift;
    views.push_back(view);
  }
  std::vector<Bytes> before;
  for (uint64_t bytes : plan.plan.output_bytes) {
    before.emplace_back(kGarbage + bytes + kRedZone);
    for (size_t i = 0; i < before.back().size(); ++i) before.back()[i] = static_cast<std::byte>(0xa5 ^ (i * 7));
    views.push_back(upload(*test_device(), before.back(), 0, Waiting::allow));
  }
  execute(*test_device(), into_inputs(plan.plan, static_cast<uint32_t>(inputs.size())), views, 0, Waiting::allow);
  std::vector<Bytes> results;
  for (size_t output = 0; output < before.size(); ++output) {
    Bytes after(before[output].size());
    const size_t bytes = plan.plan.output_bytes[output];
    read(*test_device(), views[inputs.size() + output], after, std::chrono::seconds(120));
    EXPECT_EQ(0, std::memcmp(before[output].data(), after.data(), kGarbage)) << "wrote before the output";
    EXPECT_EQ(0, std::memcmp(before[output].data() + kGarbage + bytes, after.data() + kGarbage + bytes, kRedZone))
        << "wrote past the output";
    results.emplace_back(after.begin() + kGarbage, after.end() - kRedZone);
  }
  return results;
}

void collect_keys(const OpPlan& plan, std::set<std::string>& keys) {
  for (const Step& step : plan.plan.steps) keys.insert(step.kernel.key);
}

std::set<std::string> runnable_keys(std::string_view family) {
  std::set<std::string> keys;
  const uint32_t caps = device_info(*test_device()).traits.caps;
  for (const VariantInfo& variant : catalog_variants()) {
    if (variant.key.starts_with(std::string(family) + ".") && (variant.caps & ~caps) == 0) keys.emplace(variant.key);
  }
  return keys;
}

Bytes varied_bytes(Type type, size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  const size_t bytes = type_bytes(type);
  Bytes values(count * bytes);
  for (size_t i = 0; i < count; ++i) {
    std::byte* at = values.data() + i * bytes;
    if (is_float(type)) {
      const FloatFormat format = float_format(type);
      const size_t part = static_cast<size_t>(format.bits()) / 8;
      for (size_t offset = 0; offset < bytes; offset += part) {
        const uint64_t value = encode_float(std::normal_distribution<double>(0.5, 3.0)(random), format);
        std::memcpy(at + offset, &value, part);
      }
    } else {
      const uint64_t value = random() | (uint64_t{random()} << 32);
      std::memcpy(at, &value, bytes);
    }
  }
  return values;
}

}  // namespace nxv
