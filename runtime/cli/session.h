#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/cli/element.h"
#include "runtime/core/api.h"
#include "runtime/ops/op.h"

namespace nxv::cli {

// A tensor in device memory, or a scalar that the host knows.
struct Tensor {
  TensorSpec spec;
  BufferView view;
  std::optional<Scalar> scalar;
};

// One open device, and operations on it one by one: planned, appended, not waited for.
class Session {
 public:
  explicit Session(const DeviceOptions& options) : options_(options), device_(open_device(options)) {}

  // Closes the device and opens it again: its pipelines are gone.
  void reopen() {
    device_.reset();
    device_ = open_device(options_);
  }

  Device& device() { return *device_; }
  const DeviceInfo& info() const { return device_info(*device_); }

  // With Waiting::refuse, what would wait throws NotReady.
  void set_waiting(Waiting waiting) { waiting_ = waiting; }

  Tensor upload(const HostTensor& tensor);

  // `outs` empty: inferred.
  std::vector<Tensor> run(std::string_view op, const Attrs& attrs, std::span<const TensorSpec> outs,
                          std::span<const Tensor> inputs);

  // For ops of one output.
  Tensor run_one(std::string_view op, const Attrs& attrs, const TensorSpec& out, std::span<const Tensor> inputs);

  HostTensor read(const Tensor& tensor);

  // The same without types and shapes, for plans made elsewhere.
  BufferView upload_bytes(std::span<const std::byte> bytes);
  std::vector<BufferView> execute(const Plan& plan, std::span<const BufferView> inputs);
  void read_bytes(const BufferView& view, std::span<std::byte> out);

 private:
  DeviceOptions options_;
  DevicePtr device_;
  Waiting waiting_ = Waiting::allow;
};

// The same bytes seen as another type and shape of the same size.
Tensor viewed_as(const Tensor& tensor, const TensorSpec& spec);

// What planners may know of an operand.
Input as_input(const Tensor& tensor);

}  // namespace nxv::cli
