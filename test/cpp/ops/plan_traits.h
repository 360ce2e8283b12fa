#pragma once

#include <string>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// What tests of planners suppose of a device; narrow limits on request, so that small work is cut.
inline Traits traits_of(bool cpu, bool limited = false) {
  Traits traits{.caps = 0x7f};
  traits.cpu = cpu;
  if (limited) {
    traits.max_groups = {7, 7, 7};
    traits.index32_limit = 1000;
  }
  return traits;
}

// The keys of a plan's kernels, in their order.
inline std::vector<std::string> keys_of(const OpPlan& plan) {
  std::vector<std::string> keys;
  for (const Step& step : plan.plan.steps) keys.push_back(step.kernel.key);
  return keys;
}

}  // namespace nxv
