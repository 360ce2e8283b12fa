#pragma once
// a^b of complex numbers as exp(b · log a); positive numbers to real powers as real numbers.
#include "complex_exponential.glsl"
#include "complex_logarithm.glsl"
#include "pow_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
dvec2 power_of(dvec2 a, dvec2 b) {
  if (!nonzero(b)) return dvec2(1.0lf, 0.0lf);
  if (!nonzero(b.y) && !nonzero(a.y) && !negative(a.x)) return dvec2(power_of(a.x, b.x), 0.0lf);
  if (!nonzero(a)) {
    if (b.x > 0.0lf) return dvec2(0.0lf, 0.0lf);
    return b.x < 0.0lf && !nonzero(b.y) ? dvec2(infinity_f64(), 0.0lf) : dvec2(nan_f64());
  }
  const dvec2 logarithm = log_of(a);
  if (!nonzero(b.y)) return exp_of(dvec2(b.x * logarithm.x, b.x * logarithm.y));
  const dvec2 exponent = dvec2(b.x * logarithm.x - b.y * logarithm.y, b.x * logarithm.y + b.y * logarithm.x);
  if (finite(a) && finite(b) && !finite(exponent.y)) {
    // So far out that the angle is lost.
    if (exponent.x < -1500.0lf) return dvec2(0.0lf, 0.0lf);
    if (exponent.x > 1500.0lf) return dvec2(infinity_f64(), nan_f64());
  }
  return exp_of(exponent);
}
vec2 power_of(vec2 a, vec2 b) { return narrowed(power_of(widened(a), widened(b))); }
#endif
