#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/cli/benchmark.h"
#include "runtime/cli/session.h"

namespace nxv::cli {

// Seconds that one run of the op takes where many run back to back; the median of several rounds. Timestamps of the
// device where the session profiles. Operands take turns, so that no cache holds them; each run writes to memory of its
// own.
double measure(Session& session, const Benchmark& benchmark);

// A figure that isn't a rate of one kernel.
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
  std::string what;
};

// Latencies of small work, and transfers of `transfer_bytes` from and to pageable memory.
std::vector<Figure> measure_latencies(Session& session, const std::function<bool(const std::string&)>& wanted,
                                      uint64_t transfer_bytes);

}  // namespace nxv::cli
