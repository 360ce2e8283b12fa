#pragma once

#include <stdexcept>
#include <string>

namespace nxv {

enum class Code {
  invalid_argument,
  unsupported,
  out_of_memory,
  device_lost,
  timeout,
  internal,
};

// The name of a code as the command line and Elixir spell it.
const char* code_name(Code code);

// Every failure of the runtime. The text begins with the key or the function in brackets:
// "[map2.add.f32.dense] device lacks float64".
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Code code() const { return code_; }

 private:
  Code code_;
};

}  // namespace nxv
