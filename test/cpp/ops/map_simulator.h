#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// Carries out plans of map1, map2, map3 and cast on the host as kernels/lib/map_body.glsl says, elements by the
// catalog's references. Throws std::runtime_error where a step breaks the kernel's contract: memory outside what it
// declares, a vector at an address that isn't aligned, a grid that leaves elements out or passes the limits.
class MapSimulator {
 public:
  MapSimulator(const Plan& plan, std::vector<std::vector<std::byte>> inputs, const Traits& traits);

  void run();
  const std::vector<std::byte>& output() const { return outputs_.at(0); }
  // How often each byte of the output was written.
  const std::vector<uint32_t>& writes() const { return writes_; }
  // The kernels in the order of the steps.
  std::vector<std::string> keys() const;

 private:
  struct Kernel;

  void run_step(const Step& step);
  std::byte* resolve(uint64_t address, uint64_t bytes, bool write, const Step& step);
  std::vector<std::byte>& memory(Ref::Kind kind, uint32_t index);

  const Plan& plan_;
  Traits traits_;
  std::vector<std::vector<std::byte>> inputs_, outputs_, temps_;
  std::vector<uint32_t> writes_;
};

}  // namespace nxv
