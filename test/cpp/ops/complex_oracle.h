#pragma once

// Complex products, quotients and magnitudes by their definition: plain formulas where nothing can overflow or become
// subnormal, else the same on operands scaled by powers of two; infinities and NaN by Annex G of C99.

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace nxv::oracle {

template <typename T>
struct ComplexRange;
template <>
struct ComplexRange<float> {
  static constexpr int kLeastFactor = -50, kLargestFactor = 60, kQuotient = 30, kRoom = 60, kNegligible = -100;
};
template <>
struct ComplexRange<double> {
  static constexpr int kLeastFactor = -450, kLargestFactor = 500, kQuotient = 200, kRoom = 500, kNegligible = -900;
};

template <typename T>
bool finite(std::complex<T> a) {
  return std::isfinite(a.real()) && std::isfinite(a.imag());
}
template <typename T>
bool infinite(std::complex<T> a) {
  return std::isinf(a.real()) || std::isinf(a.imag());
}
template <typename T>
bool zero(std::complex<T> a) {
  return a.real() == 0 && a.imag() == 0;
}

template <typename T>
bool between(std::complex<T> a, int low, int high) {
  for (T part : {a.real(), a.imag()}) {
    if (part == 0) continue;
    if (!std::isfinite(part) || std::ilogb(part) < low || std::ilogb(part) >= high) return false;
  }
  return true;
}

template <typename T>
int exponent(std::complex<T> a) {
  return std::ilogb(std::max(std::fabs(a.real()), std::fabs(a.imag())));
}
template <typename T>
std::complex<T> scaled(std::complex<T> a, int k) {
  return {std::scalbn(a.real(), k), std::scalbn(a.imag(), k)};
}

template <typename T>
T visible_product(T a, T b) {
  const T p = a * b;
  return std::fabs(p) < std::scalbn(T{1}, ComplexRange<T>::kNegligible) ? std::copysign(T{0}, p) : p;
}

// a · b and, with the conjugate of b, what a quotient has above its bar.
template <typename T>
std::complex<T> plain_product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
// A step of reductions: ones change nothing.
template <typename T>
std::complex<T> product_step(std::complex<T> a, std::complex<T> b) {
  if (a == T{1}) return b;
  return b == T{1} ? a : plain_product(a, b);
}
template <typename T>
std::complex<T> plain_numerator(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() + a.imag() * b.imag(), a.imag() * b.real() - a.real() * b.imag()};
}

// A finite number turned to a size of 1; no part gets lost beside the other.
template <typename T>
std::complex<T> direction(std::complex<T> a) {
  const auto part = [&](T x, T other) {
    if (infinite(a)) return std::copysign(std::isinf(x) ? T{1} : T{0}, x);
    if (std::isnan(x)) return std::copysign(T{0}, x);
    if (x == 0) return x;
    if (std::isnan(other)) return std::copysign(T{1}, x);
    const int top = exponent(a), least = -60;
    const T y = std::scalbn(x, -top);
    return std::fabs(y) < std::scalbn(T{1}, least) ? std::copysign(std::scalbn(T{1}, least), y) : y;
  };
  return {part(a.real(), a.imag()), part(a.imag(), a.real())};
}

// Finite parts as ±1, so that none of their products overflows.
template <typename T>
std::complex<T> signs(std::complex<T> a) {
  const auto part = [](T x) { return std::isfinite(x) && x != 0 ? std::copysign(T{1}, x) : x; };
  return {part(a.real()), part(a.imag())};
}

template <typename T>
std::complex<T> multiply(std::complex<T> a, std::complex<T> b) {
  using Range = ComplexRange<T>;
  const bool usual =
      between(a, Range::kLeastFactor, Range::kLargestFactor) && between(b, Range::kLeastFactor, Range::kLargestFactor);
  if (!finite(a) || !finite(b)) {
    const std::complex<T> z = plain_product(signs(a), signs(b));
    if (!(std::isnan(z.real()) && std::isnan(z.imag())) || !(infinite(a) || infinite(b))) return z;
    const std::complex<T> way = plain_product(direction(a), direction(b));
    const T inf = std::numeric_limits<T>::infinity();
    return {inf * way.real(), inf * way.imag()};
  }
  if (usual || zero(a) || zero(b)) return plain_product(a, b);
  const int p = exponent(a), q = exponent(b);
  a = scaled(a, Range::kRoom - p);
  b = scaled(b, -q);
  const std::complex<T> z{visible_product(a.real(), b.real()) - visible_product(a.imag(), b.imag()),
                          visible_product(a.real(), b.imag()) + visible_product(a.imag(), b.real())};
  return scaled(z, p + q - Range::kRoom);
}

template <typename T>
std::complex<T> divide(std::complex<T> a, std::complex<T> b) {
  using Range = ComplexRange<T>;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  if (zero(b)) {
    const T huge = std::copysign(inf, b.real());
    return {huge * a.real(), huge * a.imag()};
  }
  if (infinite(a) && finite(b)) {
    const std::complex<T> way = plain_numerator(direction(a), direction(b));
    return {inf * way.real(), inf * way.imag()};
  }
  if (infinite(b) && finite(a)) {
    const std::complex<T> way = plain_numerator(direction(a), direction(b));
    return {T{0} * way.real(), T{0} * way.imag()};
  }
  if (!finite(a) || !finite(b)) return {nan, nan};
  if (between(a, -Range::kQuotient, Range::kQuotient) && between(b, -Range::kQuotient, Range::kQuotient)) {
    const std::complex<T> above = plain_numerator(a, b);
    const T length = b.real() * b.real() + b.imag() * b.imag();
    return {above.real() / length, above.imag() / length};
  }
  const int p = zero(a) ? 0 : exponent(a), q = exponent(b);
  a = scaled(a, Range::kRoom - p);
  b = scaled(b, -q);
  const T length = visible_product(b.real(), b.real()) + visible_product(b.imag(), b.imag());
  const T x = visible_product(a.real(), b.real()) + visible_product(a.imag(), b.imag());
  const T y = visible_product(a.imag(), b.real()) - visible_product(a.real(), b.imag());
  return scaled(std::complex<T>{x / length, y / length}, p - q - Range::kRoom);
}

template <typename T>
T magnitude(std::complex<T> a) {
  if (infinite(a)) return std::numeric_limits<T>::infinity();
  if (!finite(a)) return std::numeric_limits<T>::quiet_NaN();
  if (zero(a)) return 0;
  const int p = exponent(a);
  a = scaled(a, -p);
  const T squares = visible_product(a.real(), a.real()) + visible_product(a.imag(), a.imag());
  return std::scalbn(std::sqrt(squares), p);
}

}  // namespace nxv::oracle
