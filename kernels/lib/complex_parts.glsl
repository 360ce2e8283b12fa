#pragma once
// What the functions of complex numbers share. All of them are computed in doubles: c64 is widened and rounded at the end, so that its
// range leaves room on the way. Special values are those of C99's Annex G.
#include "complex.glsl"
#include "exact_f64.glsl"
#include "float_width.glsl"
#include "trigonometric_f64.glsl"

#if defined(HAS_DOUBLE) && defined(A_COMPLEX)
// The function of vec2 from that of dvec2.
#define ROUNDED_FROM_DVEC2(function) \
  vec2 function(vec2 a) { return narrowed(function(widened(a))); }

dvec2 widened(vec2 a) { return dvec2(convert_to_double(a.x), convert_to_double(a.y)); }
vec2 narrowed(dvec2 a) { return vec2(convert_to_float(a.x), convert_to_float(a.y)); }

bool finite(double x) { return high_word(abs_bits(x)) < 0x7ff00000u; }
bool negative(double x) { return (high_word(x) & kSignBit) != 0u; }
double times_sign(double x, double sign) { return negative(sign) ? negate_bits(x) : x; }
double larger_part(dvec2 a) { return abs_bits(at_least_as_large(a.x, a.y) ? a.x : a.y); }
double smaller_part(dvec2 a) { return abs_bits(at_least_as_large(a.x, a.y) ? a.y : a.x); }
dvec2 times_i(dvec2 a) { return dvec2(negate_bits(a.y), a.x); }
dvec2 over_i(dvec2 a) { return dvec2(a.y, negate_bits(a.x)); }

// cos(angle) + sin(angle) · i
dvec2 cis_of(double angle) {
  int n;
  const dvec2 r = trigonometric_reduced(angle, n);
  const double sine = sin_turned(r, n);
  return dvec2(sin_turned(r, n + 1), choose(high_word(abs_bits(angle)) < 0x3e400000u, angle, sine));  // |angle| < 2⁻²⁷
}
// An infinity along a direction whose parts may be zeros, too.
dvec2 infinite_along(dvec2 direction) {
  return dvec2(with_sign(infinity_f64(), direction.x), with_sign(infinity_f64(), direction.y));
}
#endif
