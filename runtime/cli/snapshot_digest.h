#pragma once

#include <memory>
#include <span>
#include <string>

#include "runtime/cli/launch.h"

namespace nxv::cli {

// XXH3-128 over results, with every NaN as the type's canonical one.
class Digest {
 public:
  Digest();
  ~Digest();

  // Subnormal f32 count as zeros of their sign where `flush` says so: then a device may flush them or not.
  void add(ElementKind kind, std::span<const std::byte> results, bool flush);
  std::string text() const;  // 32 hex digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace nxv::cli
