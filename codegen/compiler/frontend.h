#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nxv::compiler {

using Words = std::vector<uint32_t>;

// glslang's process-wide state; one object, alive while anything compiles.
class Frontend {
 public:
  Frontend();
  ~Frontend();
  Frontend(const Frontend&) = delete;
  Frontend& operator=(const Frontend&) = delete;

  // A compute shader for Vulkan 1.2, unoptimized. Throws std::runtime_error with glslang's messages. Thread-safe.
  Words compile(const std::string& source) const;
};

std::string frontend_version();

}  // namespace nxv::compiler
