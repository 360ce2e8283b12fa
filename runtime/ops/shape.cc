#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"

namespace nxv {

int64_t element_count(const Dims& dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (dim < 1)
      throw Error(Code::invalid_argument, "[shape] a dimension must be at least 1, not " + std::to_string(dim));
    if (__builtin_mul_overflow(count, dim, &count)) {
      throw Error(Code::invalid_argument, "[shape] more than 2^63 elements");
    }
  }
  return count;
}

uint64_t byte_size(const TensorSpec& spec) {
  const auto count = static_cast<uint64_t>(element_count(spec.dims));
  const uint64_t bits = type_info(spec.type).bits;
  if (bits < 8) return count / (8 / bits) + (count % (8 / bits) != 0 ? 1 : 0);
  uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, bits / 8, &bytes)) {
    throw Error(Code::invalid_argument, "[shape] more than 2^64 bytes");
  }
  return bytes;
}

std::string to_string(const TensorSpec& spec) {
  std::string text(type_info(spec.type).name);
  for (int64_t dim : spec.dims) text += "[" + std::to_string(dim) + "]";
  return text;
}

}  // namespace nxv
