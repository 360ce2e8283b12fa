#pragma once
// sqrt, rsqrt and cbrt of complex numbers: the principal roots.
#include "complex_parts.glsl"
#include "inverse_trigonometric_f64.glsl"
#include "roots_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// The root of a finite number that isn't zero, for a larger part in [1, 4); nothing cancels.
dvec2 scaled_root(dvec2 a, double magnitude) {
  const double root = sqrt(0.5lf * (abs_bits(a.x) + magnitude)), other = 0.5lf * abs_bits(a.y) / root;
  return negative(a.x) ? dvec2(other, with_sign(root, a.y)) : dvec2(root, with_sign(other, a.y));
}
int even_exponent_of(dvec2 a) {
  const int exponent = exponent_of(a);
  return exponent - (exponent & 1);
}
dvec2 square_root(dvec2 a) {
  if (infinity_bits(a.y)) return dvec2(infinity_f64(), a.y);
  if (infinity_bits(a.x)) {
    const dvec2 along = dvec2(infinity_f64(), nan_bits(a.y) ? a.y : with_sign(0.0lf, a.y));
    return negative(a.x) ? dvec2(abs_bits(along.y), with_sign(infinity_f64(), a.y)) : along;
  }
  if (nan_bits(a)) return dvec2(nan_f64());
  if (!nonzero(a)) return dvec2(0.0lf, a.y);
  const int k = even_exponent_of(a);
  const dvec2 z = scaled(a, -k);
  return scaled(scaled_root(z, sqrt(z.x * z.x + z.y * z.y)), k / 2);
}
ROUNDED_FROM_DVEC2(square_root)

// The conjugate of √a over |a|.
dvec2 rsqrt_of(dvec2 a) {
  if (!nonzero(a)) return dvec2(infinity_f64(), negate_bits(a.y));
  if (infinity_bits(a)) return dvec2(0.0lf, with_sign(0.0lf, negate_bits(a.y)));
  if (nan_bits(a)) return dvec2(nan_f64());
  const int k = even_exponent_of(a);
  const dvec2 z = scaled(a, -k);
  const double magnitude = sqrt(z.x * z.x + z.y * z.y);
  const dvec2 root = scaled_root(z, magnitude);
  return scaled(dvec2(root.x / magnitude, negate_bits(root.y / magnitude)), -(k / 2));
}
ROUNDED_FROM_DVEC2(rsqrt_of)

dvec2 cbrt_of(dvec2 a) {
  if (infinity_bits(a) && nan_bits(a)) return dvec2(infinity_f64(), nan_f64());
  const int third = finite(a) && nonzero(a) ? exponent_of(a) / 3 : 0;
  const double size = scaled(cbrt_of(abs_complex(scaled(a, -3 * third))), third);
  const dvec2 turn = cis_of(atan2_of(a.y, a.x) / 3.0lf);
  return dvec2(size * turn.x, nonzero(turn.y) ? size * turn.y : turn.y);
}
ROUNDED_FROM_DVEC2(cbrt_of)
#endif
