#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cli/element.h"
#include "runtime/cli/session.h"
#include "runtime/ops/builder.h"

namespace nxv::cli {

// What a key calls a type: an element type, or a width, whose elements are bits and no numbers.
struct ElementKind {
  Type type{};
  bool bits_only = false;

  uint64_t bytes() const { return type_bytes(type); }
};

// Nothing where the table has no type of that name or width, or where elements share bytes.
std::optional<ElementKind> element_kind(std::string_view name);
std::optional<std::vector<ElementKind>> element_kinds(std::string_view names);  // "u8,b32,b32"

// One plan with the operands it reads, made without a device.
struct Launch {
  OpPlan plan;
  std::vector<std::vector<std::byte>> inputs;
  ElementKind out;
  std::vector<std::string> linked{};  // modules that the linker put into the plan's kernels

  bool runs(std::string_view key) const;
};

// Collects a launch. Not copyable: the builder keeps the traits.
class LaunchBuilder {
 public:
  LaunchBuilder(std::string_view op, const Traits& traits) : traits_(traits), plan_(op, traits_) {}
  LaunchBuilder(const LaunchBuilder&) = delete;
  LaunchBuilder& operator=(const LaunchBuilder&) = delete;

  PlanBuilder& plan() { return plan_; }

  // A tensor whose bytes begin `shift` after a multiple of 256.
  Operand tensor(const TensorSpec& spec, std::vector<std::byte> bytes, uint64_t shift = 0);

  Launch finish(ElementKind out) { return {plan_.finish(), std::move(inputs_), out, {}}; }

 private:
  Traits traits_;
  PlanBuilder plan_;
  std::vector<std::vector<std::byte>> inputs_;
};

// Uploads, appends and returns the output's view; doesn't wait for the result.
BufferView start(Session& session, const Launch& launch);

}  // namespace nxv::cli
