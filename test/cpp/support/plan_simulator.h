#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// Carries out plans of the families fill and copy on the host, one element after the other, as their templates say.
// Throws where a step touches memory outside what it declares, where its grid does not cover it or passes the traits'
// limits.
class PlanSimulator {
 public:
  PlanSimulator(const OpPlan& plan, std::vector<std::vector<std::byte>> inputs, const Traits& traits);

  void run();
  const std::vector<std::byte>& output(size_t index) const { return outputs_[index]; }
  // How often the steps wrote each byte of output 0.
  const std::vector<uint32_t>& writes() const { return writes_; }
  // Steps by access: how a test sees which kernels were chosen.
  size_t steps_of(std::string_view access) const;

 private:
  struct Kernel;
  using Words = std::vector<uint32_t>;

  std::vector<std::byte>& memory(Ref::Kind kind, uint32_t index);
  uint64_t address_of(const Ref& ref) const;
  void move(uint64_t from, uint64_t to, uint64_t bytes);
  void put(uint64_t to, const std::byte* bytes, uint64_t count);
  std::byte* resolve(uint64_t address, uint64_t bytes, bool write);

  void run_step();
  void dense();
  void strided();
  void block();
  void tile(uint64_t edge);
  void constant();
  void iota(std::string_view type);
  void eye();

  uint32_t constant_of(uint32_t id) const;
  uint32_t word(size_t at) const;
  uint64_t address(size_t at) const;
  uint64_t invocations() const;
  void covers(uint64_t invocations) const;
  void index(uint64_t value) const;

  const OpPlan& plan_;
  Traits traits_;
  std::vector<std::vector<std::byte>> inputs_, outputs_, temps_;
  std::vector<uint32_t> writes_;
  const Step* step_ = nullptr;
  std::vector<std::byte> push_, params_;
  uint64_t bytes_ = 4;  // an element
};

}  // namespace nxv
