#include "test/cpp/support/oracle_table.h"

#include <array>

#include "test/cpp/ops/complex_oracle.h"
#include "test/cpp/ops/oracle_functions.h"
#include "test/cpp/support/glsl.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv {
namespace {

namespace glsl {

using namespace nxv::glsl;
#define HAS_DOUBLE 1
#define A_COMPLEX 1
// An op needs few of the functions that its files offer.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include "generated/oracle_library.inc"
#pragma GCC diagnostic pop

}  // namespace glsl

using namespace oracle;

struct Bits128 {
  uint64_t low, high;
};

template <typename T>
Element element_of() {
  if constexpr (std::is_same_v<T, float>) return Element::f32;
  if constexpr (std::is_same_v<T, double>) return Element::f64;
  if constexpr (std::is_integral_v<T>) {
    constexpr Element kUnsigned[] = {Element::u8, Element::u16, Element::u32, Element::u64};
    constexpr Element kSigned[] = {Element::s8, Element::s16, Element::s32, Element::s64};
    constexpr size_t index = std::countr_zero(sizeof(T));
    return std::is_signed_v<T> ? kSigned[index] : kUnsigned[index];
  }
  if constexpr (std::is_same_v<T, Float8>) return Element::f8;
  if constexpr (std::is_same_v<T, Float8E4M3>) return Element::f8_e4m3fn;
  if constexpr (std::is_same_v<T, Bfloat16>) return Element::bf16;
  if constexpr (std::is_same_v<T, Float16>) return Element::f16;
  if constexpr (std::is_same_v<T, std::complex<float>>) return Element::c64;
  if constexpr (std::is_same_v<T, std::complex<double>>) return Element::c128;
  return Element::bits128;
}

template <typename...>
struct Args;
template <typename A>
struct Args<A> {
  A a;
};
template <typename A, typename B>
struct Args<A, B> {
  A a;
  B b;
};
template <typename A, typename B, typename C>
struct Args<A, B, C> {
  A a;
  B b;
  C c;
};

template <typename T>
T loaded(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename Reference, typename Out, typename... In>
void apply(const std::byte* const* inputs, std::byte* out) {
  size_t next = 0;
  const Args<In...> args{loaded<In>(inputs[next++])...};
  const Out value = Reference{}(args);
  std::memcpy(out, &value, sizeof value);
}

template <typename Out, typename... In, typename Reference>
OracleRow row(std::string_view family, std::string_view op, std::string_view types, std::string_view domain, double ulp,
              Reference) {
  return {family,      op,     types, {element_of<In>()...},        {sizeof(In)...}, element_of<Out>(),
          sizeof(Out), domain, ulp,   &apply<Reference, Out, In...>};
}

#define NXV_LIST(...) __VA_ARGS__
#define NXV_BIND_1 [[maybe_unused]] const auto a = promoted(args.a)
#define NXV_BIND_2 \
  NXV_BIND_1;      \
  [[maybe_unused]] const auto b = promoted(args.b)
#define NXV_BIND_3 \
  NXV_BIND_2;      \
  [[maybe_unused]] const auto c = promoted(args.c)
#define NXV_ORACLE(family, op, types, inputs, operands, out, domain, ulp, ...)                          \
  row<out, NXV_LIST operands>(family, op, types, domain, ulp, [](const Args<NXV_LIST operands>& args) { \
    using Z = out;                                                                                      \
    NXV_BIND_##inputs;                                                                                  \
    return static_cast<Z>(__VA_ARGS__);                                                                 \
  }),

const std::vector<OracleRow>& table() {
  static const auto* rows = new std::vector<OracleRow>{
#include "generated/oracle.inc"
  };
  return *rows;
}

}  // namespace

std::span<const OracleRow> oracle_rows() { return table(); }

const OracleRow* find_oracle(std::string_view family, std::string_view op, std::string_view types) {
  for (const OracleRow& one : table()) {
    if (one.family == family && one.op == op && one.types == types) return &one;
  }
  return nullptr;
}

}  // namespace nxv
