#pragma once

#include <complex>
#include <stdexcept>

#include "runtime/ops/type.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv {

// Calls f with a value of the C++ type that stands for `type` in references.
template <typename F>
void visit_type(Type type, F f) {
  switch (type) {
    case Type::u8:
      return f(uint8_t{});
    case Type::u16:
      return f(uint16_t{});
    case Type::u32:
      return f(uint32_t{});
    case Type::u64:
      return f(uint64_t{});
    case Type::s8:
      return f(int8_t{});
    case Type::s16:
      return f(int16_t{});
    case Type::s32:
      return f(int32_t{});
    case Type::s64:
      return f(int64_t{});
    case Type::f8:
      return f(Float8{});
    case Type::f8_e4m3fn:
      return f(Float8E4M3{});
    case Type::bf16:
      return f(Bfloat16{});
    case Type::f16:
      return f(Float16{});
    case Type::f32:
      return f(float{});
    case Type::f64:
      return f(double{});
    case Type::c64:
      return f(std::complex<float>{});
    case Type::c128:
      return f(std::complex<double>{});
    default:
      throw std::runtime_error("no C++ type stands for this type");
  }
}

}  // namespace nxv
