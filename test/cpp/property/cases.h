#pragma once

// Cases drawn at random: each plans an operation, runs it on the device and compares with a reference.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ops/op.h"
#include "test/cpp/device/plan_runner.h"
#include "test/cpp/property/draw.h"

namespace nxv::property {

struct CaseOperand {
  TensorSpec spec;
  Bytes bytes;
  size_t shift = 0;              // bytes from the start of its buffer
  std::optional<Scalar> scalar;  // in place of the bytes
};

enum class Match {
  bits,
  numbers,    // any NaN is another
  unsigned0,  // and −0 is +0
};

struct CaseResult {
  TensorSpec spec;
  Bytes bytes;
  Match match = Match::bits;
};

struct Case {
  std::string op;
  Attrs attrs = {};
  std::vector<TensorSpec> outs = {};  // as the caller names them
  std::vector<CaseOperand> operands = {};
  std::vector<CaseResult> results = {};
  Traits traits = {};
};

// A tensor, one element into its buffer now and then.
CaseOperand tensor(Draw& draw, TensorSpec spec, Bytes bytes);
// A tensor, or where it has one element and no axes, now and then that number on the host.
CaseOperand tensor_or_number(Draw& draw, TensorSpec spec, Bytes bytes);

// Those of the device, one time in `other` those of the other sort, CPU or GPU: the same for each `name`, since kernels
// differ. Now and then with narrow limits.
Traits drawn_traits(Draw& draw, std::string_view name, uint64_t other = 4);

// Draws and checks cases of one family: `share` of each 10,000 that a run has. Stops at the first that fails.
void check_cases(std::string_view family, int64_t share, Case (*drawn)(Draw&));

}  // namespace nxv::property
