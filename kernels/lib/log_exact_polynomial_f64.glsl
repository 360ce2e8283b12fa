#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (log1p(x)-log1p(-x) - (2*x+2/3*x^3)) / x^5, z = x², x in [-0.17158;0.17158]; the function then errs by 1.1e-20, relative.
double log_far_rest(double z) {
  double p = 0.1319596674356234lf;
  p = p * z + 0.13256857788339294lf;
  p = p * z + 0.15386755565829024lf;
  p = p * z + 0.18181784406449034lf;
  p = p * z + 0.22222222519462234lf;
  p = p * z + 0.28571428570102214lf;
  p = p * z + 0.4000000000000225lf;
  return p;
}
#endif
