#pragma once
// The logarithm as two doubles.
#include "exact_f64.glsl"
#include "log_f64.glsl"
#include "log_exact_polynomial_f64.glsl"

#ifdef HAS_DOUBLE
// log(2ᵏ · (1 + f)) as two doubles, relative error 2⁻⁶⁵.
dvec2 log_exact(double k, double f) {
  const dvec2 s = parted_quotient(dvec2(f, 0.0lf), ordered_sum(2.0lf, f));
  // ⅔ s³ by heads of 26 bits.
  const double square = s.x * s.x, square_head = head_of(square);
  const double square_tail = (square - square_head) + s.y * (2.0lf * s.x + s.y);
  const double z = square_head + square_tail;
  const double cube = s.x * square_head, cube_head = head_of(cube);
  const double cube_tail = (cube - cube_head) + (s.x * square_tail + s.y * z);
  const double bend = cube_head * 0.6666666567325592lf;  // 26 bits of ⅔
  const double bend_tail = cube_head * 9.934107462565104e-09lf + cube_tail * 0.6666666666666666lf;
  const double rest = (cube_head + cube_tail) * z * log_far_rest(z);
  const dvec2 linear = ordered_sum(k * 0.6931471805598903lf, 2.0lf * s.x);
  const dvec2 sum = ordered_sum(linear.x, bend);
  return ordered_sum(sum.x, sum.y + (linear.y + 2.0lf * s.y + (bend_tail + (rest + k * 5.497923018708371e-14lf))));
}
dvec2 log_exact_of(dvec2 x) {
  int k;
  const double f = log_reduced(x.x, k) - 1.0lf;
  const dvec2 value = log_exact(from_int(k), f);
  return ordered_sum(value.x, value.y + x.y * inverse_near(x.x));
}
#endif
