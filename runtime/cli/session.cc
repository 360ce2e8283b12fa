#include "runtime/cli/session.h"

#include <algorithm>
#include <chrono>

namespace nxv::cli {

namespace {

constexpr Owner kOwner = 0;
constexpr std::chrono::minutes kPatience{10};
constexpr uint64_t kBufferAlignment = 256;  // bytes: what every buffer's own address is a multiple of

}  // namespace

Input as_input(const Tensor& tensor) {
  uint64_t offset = tensor.view.offset;
  uint64_t alignment = offset == 0 ? kBufferAlignment : std::min(kBufferAlignment, offset & (~offset + 1));
  return {.spec = tensor.spec, .scalar = tensor.scalar, .address_alignment = alignment};
}

Tensor viewed_as(const Tensor& tensor, const TensorSpec& spec) {
  if (byte_size(tensor.spec) != byte_size(spec)) {
    throw Error(Code::invalid_argument,
                "[reshape] " + to_string(tensor.spec) + " and " + to_string(spec) + " differ in size");
  }
  return {spec, tensor.view, tensor.scalar};
}

BufferView Session::upload_bytes(std::span<const std::byte> bytes) {
  return nxv::upload(*device_, bytes, kOwner, waiting_);
}

std::vector<BufferView> Session::execute(const Plan& plan, std::span<const BufferView> inputs) {
  return nxv::execute(*device_, plan, inputs, kOwner, waiting_);
}

void Session::read_bytes(const BufferView& view, std::span<std::byte> out) {
  nxv::read(*device_, view, out, kPatience);
}

Tensor Session::upload(const HostTensor& tensor) { return {tensor.spec, upload_bytes(tensor.bytes), std::nullopt}; }

std::vector<Tensor> Session::run(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs,
                                 std::span<const Tensor> inputs) {
  std::vector<Input> operands;
  std::vector<BufferView> views;
  for (const Tensor& tensor : inputs) {
    operands.push_back(as_input(tensor));
    views.push_back(tensor.view);
  }
  OpPlan planned = plan_op(op, attrs, outs, operands, info().traits);
  std::vector<BufferView> results = execute(planned.plan, views);
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < results.size(); ++i) tensors.push_back({planned.outputs[i], results[i], std::nullopt});
  return tensors;
}

Tensor Session::run_one(std::string_view op, const Attrs& attrs, const TensorSpec& out,
                        std::span<const Tensor> inputs) {
  return run(op, attrs, std::span(&out, 1), inputs).at(0);
}

HostTensor Session::read(const Tensor& tensor) {
  HostTensor host{tensor.spec, std::vector<std::byte>(byte_size(tensor.spec))};
  read_bytes(tensor.view, host.bytes);
  return host;
}

}  // namespace nxv::cli
