#pragma once

#include <cstdint>

#include "runtime/core/traits.h"
#include "runtime/ops/type.h"

namespace nxv {

// A shape of the kernel "block": a workgroup computes m × n results, an invocation reg_m × reg_n of them, and takes k
// steps of the sum between two barriers.
struct BlockShape {
  uint32_t m = 0, n = 0, k = 0, reg_m = 0, reg_n = 0;
  uint32_t lanes_m = 8;  // of 32 invocations side by side
  double speed = 1;      // of a device full of such workgroups, relative

  uint32_t threads() const { return m / reg_m * (n / reg_n); }
  uint64_t shared_bytes(uint64_t element) const { return 2 * uint64_t{k} * (m + n + 8) * element; }
};

// How the work of one product is spread: splits of k are summed up by a reduction.
struct BlockChoice {
  BlockShape shape;
  int64_t splits = 1;
};

struct BlockWork {
  int64_t batches = 1, m = 1, n = 1, k = 1;
};

// What is done fastest by a model of workgroups in waves. `element`: what an element takes in shared memory.
BlockChoice choose_block(const BlockWork& work, uint64_t element, const Traits& traits);

}  // namespace nxv
