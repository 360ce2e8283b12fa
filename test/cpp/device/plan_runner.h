#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "runtime/core/api.h"
#include "runtime/ops/op.h"

namespace nxv {

using Bytes = std::vector<std::byte>;

// The device that all tests share.
const DevicePtr& test_device();
// The next test opens it anew.
void close_test_device();

// Its traits, as those of a CPU or of a GPU, with narrow limits on request: so that one device runs every kernel.
Traits test_traits(bool cpu, bool narrow = false);

// An operand, `shift` bytes into its buffer.
struct PlacedBytes {
  Bytes bytes;
  size_t shift = 0;
};

// Runs a plan of one output into memory that was filled with garbage, and expects that nothing around the output
// changed.
Bytes run_plan(const OpPlan& plan, const std::vector<PlacedBytes>& inputs);

// The same of a plan with any number of outputs.
std::vector<Bytes> run_outputs(const OpPlan& plan, const std::vector<PlacedBytes>& inputs);

// Adds the keys of the plan's kernels.
void collect_keys(const OpPlan& plan, std::set<std::string>& keys);

// Pack entries of a family that the device can run.
std::set<std::string> runnable_keys(std::string_view family);

// `count` elements of a type: all values of u8, small and large numbers of the others, never all the same.
Bytes varied_bytes(Type type, size_t count, uint32_t seed);

}  // namespace nxv
