// The library once more with a double that counts what is done with it.

#include "test/cpp/support/glsl.h"
#include "test/cpp/ulp/functions.h"

namespace nxv::ulp {
namespace {

Cost cost;

struct Counted {
  double value = 0;
  Counted() = default;
  Counted(double x) : value(x) {}  // NOLINT: literals
  friend Counted operator+(Counted a, Counted b) { return ++cost.arithmetic, a.value + b.value; }
  friend Counted operator-(Counted a, Counted b) { return ++cost.arithmetic, a.value - b.value; }
  friend Counted operator*(Counted a, Counted b) { return ++cost.arithmetic, a.value * b.value; }
  friend Counted operator/(Counted a, Counted b) { return ++cost.divisions, a.value / b.value; }
  friend Counted operator-(Counted a) { return -a.value; }
  friend Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
  friend Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
  friend Counted& operator*=(Counted& a, Counted b) { return a = a * b; }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
  friend auto operator<=>(Counted a, Counted b) { return a.value <=> b.value; }
};

namespace glsl {

using namespace nxv::glsl;
using dvec2 = Vec2<Counted>;
inline uvec2 unpackDouble2x32(Counted x) { return nxv::glsl::unpackDouble2x32(x.value); }
inline Counted sqrt(Counted x) { return ++cost.divisions, std::sqrt(x.value); }
#define double Counted
#include NXV_LIBRARY_F64
#undef double

}  // namespace glsl
}  // namespace

Cost cost_of(const std::string& name, double a, [[maybe_unused]] double b) {
  cost = {};
#define NXV_UNARY(f) \
  if (name == #f) glsl::f##_of(Counted(a));
#define NXV_BINARY(f, call) \
  if (name == #f) glsl::call(Counted(a), Counted(b));
#include "test/cpp/ulp/names.inc"
  return cost;
}

}  // namespace nxv::ulp
