#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/core/device.h"
#include "test/cpp/core/fake_vulkan.h"

namespace nxv::test {

using namespace std::chrono_literals;

inline DeviceConfig fake_config() {
  DeviceConfig config;
  config.loader = FakeVulkan::get_proc_addr;
  static const std::shared_ptr<const Pack> pack = Pack::open_embedded();
  config.pack = pack;
  return config;
}

// The kernel of the fake device that plans below use: Z[i] = A[i] + B[i] over 32-bit numbers. Push constants: the
// addresses of A, B, Z, then the count.
inline constexpr const char* kAddKey = "map2.add.f32.dense";

inline void fake_add(std::span<const std::byte> push, const std::array<uint32_t, 3>&) {
  uint64_t address[3];
  uint32_t count;
  std::memcpy(address, push.data(), sizeof address);
  std::memcpy(&count, push.data() + sizeof address, sizeof count);
  auto* a = reinterpret_cast<const uint32_t*>(address[0]);
  auto* b = reinterpret_cast<const uint32_t*>(address[1]);
  auto* z = reinterpret_cast<uint32_t*>(address[2]);
  for (uint32_t i = 0; i < count; ++i) z[i] = a[i] + b[i];
}

inline Step add_step(Ref a, Ref b, Ref z, uint32_t count) {
  Step step;
  step.kernel = {kAddKey, {{0, 64}}};
  step.push.resize(32);
  std::memcpy(step.push.data() + 24, &count, sizeof count);
  step.addresses = {{0, a}, {8, b}, {16, z}};
  for (const Ref& ref : {a, b}) {
    step.accesses.push_back({ref.kind, ref.index, ref.byte_offset, ref.byte_offset + count * 4ull, false});
  }
  step.accesses.push_back({z.kind, z.index, z.byte_offset, z.byte_offset + count * 4ull, true});
  return step;
}

inline Ref input(uint32_t index) { return {Ref::Kind::input, index, 0}; }
inline Ref output(uint32_t index) { return {Ref::Kind::output, index, 0}; }
inline Ref temp(uint32_t index) { return {Ref::Kind::temp, index, 0}; }

inline Plan add_plan(uint32_t count) {
  Plan plan;
  plan.output_bytes = {count * 4ull};
  plan.steps = {add_step(input(0), input(1), output(0), count)};
  return plan;
}

inline std::vector<uint32_t> numbers(uint32_t count, uint32_t first = 0) {
  std::vector<uint32_t> list(count);
  std::iota(list.begin(), list.end(), first);
  return list;
}

inline BufferView put(Device& device, const std::vector<uint32_t>& list, Owner owner = 1) {
  return upload(device, std::as_bytes(std::span(list)), owner, Waiting::allow);
}

inline std::vector<uint32_t> get(Device& device, const BufferView& view, std::chrono::nanoseconds timeout = 20s) {
  std::vector<uint32_t> list(view.bytes / 4);
  read(device, view, std::as_writable_bytes(std::span(list)), timeout);
  return list;
}

inline BufferView add(Device& device, const BufferView& a, const BufferView& b) {
  const BufferView inputs[] = {a, b};
  return execute(device, add_plan(static_cast<uint32_t>(a.bytes / 4)), inputs, 1, Waiting::allow).front();
}

// The code of the Error that `body` throws.
template <typename Body>
std::optional<Code> code_of(Body body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.what()[0], '[') << error.what();
    return error.code();
  }
  return std::nullopt;
}

}  // namespace nxv::test
