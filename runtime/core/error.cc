#include "runtime/core/error.h"

namespace nxv {

const char* code_name(Code code) {
  switch (code) {
    case Code::invalid_argument:
      return "invalid_argument";
    case Code::unsupported:
      return "unsupported";
    case Code::out_of_memory:
      return "out_of_memory";
    case Code::device_lost:
      return "device_lost";
    case Code::timeout:
      return "timeout";
    case Code::internal:
      return "internal";
  }
  return "internal";
}

}  // namespace nxv
