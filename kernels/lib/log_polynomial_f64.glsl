#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (log1p(x)-log1p(-x) - (2*x)) / x^3, z = x², x in [-0.17158;0.17158]; the function then errs by 1.2e-18, relative.
double log_rest(double z) {
  double p = 0.1479544349548365lf;
  p = p * z + 0.15314103887310015lf;
  p = p * z + 0.1818356212022394lf;
  p = p * z + 0.22222198618341302lf;
  p = p * z + 0.28571428741915456lf;
  p = p * z + 0.3999999999941699lf;
  p = p * z + 0.6666666666666734lf;
  return p;
}
#endif
