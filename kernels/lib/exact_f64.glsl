#pragma once
// Sums, products and quotients of doubles with their rounding errors, without fma, and work on words. Numbers of two doubles are
// dvec2(head, tail), |tail| at most half a step of the head.
#include "float_bits.glsl"

#ifdef HAS_DOUBLE
const double kRounder = 6755399441055744.0lf;  // 1.5 · 2⁵²: x + kRounder holds the nearest whole number in its low word

uint high_word(double x) { return unpackDouble2x32(x).y; }
uint low_word(double x) { return unpackDouble2x32(x).x; }
double power_of_two(int n) { return packDouble2x32(uvec2(0u, uint(n + 1023) << 20)); }  // -1023 < n < 1024
double nan_f64() { return packDouble2x32(uvec2(0u, 0x7ff80000u)); }
double infinity_f64() { return packDouble2x32(uvec2(0u, 0x7ff00000u)); }

// x · 2ⁿ for a normal x and a normal result.
double with_exponent(double x, int n) {
  const uvec2 bits = unpackDouble2x32(x);
  return packDouble2x32(uvec2(bits.x, bits.y + (uint(n) << 20)));
}
// x · 2ⁿ for any n, rounded once.
double scaled_any(double x, int n) {
  const int limited = clamp(n, -2100, 2100);
  const int first = clamp(limited, -1000, 1000), second = clamp(limited - first, -1000, 1000);
  return x * power_of_two(first) * power_of_two(second) * power_of_two(limited - first - second);
}
double from_int(int n) { return packDouble2x32(uvec2(uint(n) ^ kSignBit, 0x43300000u)) - 4503601774854144.0lf; }

// The upper 26 bits: products of two heads are exact.
double head_of(double x) {
  const uvec2 bits = unpackDouble2x32(x);
  return packDouble2x32(uvec2(bits.x & 0xf8000000u, bits.y));
}
double choose(bool first, double a, double b) {
  const uvec2 x = unpackDouble2x32(a), y = unpackDouble2x32(b);
  return packDouble2x32(uvec2(first ? x.x : y.x, first ? x.y : y.y));
}

// |a| ≥ |b|, or a = 0
dvec2 ordered_sum(double a, double b) {
  const double sum = a + b;
  return dvec2(sum, (a - sum) + b);
}
dvec2 exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return dvec2(sum, (a - (sum - part)) + (b - part));
}
dvec2 exact_product(double a, double b) {
  const double product = a * b, a_head = head_of(a), b_head = head_of(b);
  const double a_tail = a - a_head, b_tail = b - b_head;
  return dvec2(product, ((a_head * b_head - product) + a_head * b_tail + a_tail * b_head) + a_tail * b_tail);
}
dvec2 sum_of(dvec2 a, dvec2 b) {
  const dvec2 sum = exact_sum(a.x, b.x);
  return ordered_sum(sum.x, sum.y + (a.y + b.y));
}
dvec2 product_of(dvec2 a, dvec2 b) {
  const dvec2 product = exact_product(a.x, b.x);
  return ordered_sum(product.x, product.y + (a.x * b.y + a.y * b.x));
}

// 1 / x to 44 bits for a positive normal x with a normal inverse. The float unit starts it: only + and × of numbers near 1.
double inverse_near(double x) {
  const uvec2 bits = unpackDouble2x32(x);
  const float d = uintBitsToFloat(0x3f800000u | ((bits.y & 0xfffffu) << 3) | (bits.x >> 29));
  float r = 1.411764705882353 - 0.47058823529411764 * d;
  r = r * (2.0 - d * r);
  r = r * (2.0 - d * r);
  r = r * (2.0 - d * r);
  const uint near = floatBitsToUint(r);
  const double y =
      packDouble2x32(uvec2(near << 29, (near >> 3) + 0x77f00000u - (bits.y & 0x7ff00000u)));
  return y + y * (1.0lf - x * y);
}
// a / b as an exact head of 26 bits and a rest, b positive; relative error 2^-66.
dvec2 parted_quotient(dvec2 a, dvec2 b) {
  const double inverse = inverse_near(b.x), head = head_of(a.x * inverse), b_head = head_of(b.x);
  const double rest = ((a.x - head * b_head) - head * ((b.x - b_head) + b.y)) + a.y;
  return dvec2(head, rest * inverse);
}
double quotient_of(dvec2 a, dvec2 b) {
  const dvec2 parts = parted_quotient(a, b);
  return parts.x + parts.y;
}
// The root of a positive number, as two doubles.
dvec2 root_of(dvec2 a) {
  const double root = sqrt(a.x);
  const dvec2 square = exact_product(root, root);
  return ordered_sum(root, (((a.x - square.x) - square.y) + a.y) * (0.5lf * inverse_near(root)));
}
#endif
