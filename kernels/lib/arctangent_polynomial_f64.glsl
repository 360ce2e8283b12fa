#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (atan(x) - x) / x^3, z = x², z in [0, 0.1716]; errs by 1.8e-17, absolute.
double atan_rest(double z) {
  double p = 0.01628357235648259lf;
  p = p * z - 0.0345685906686069lf;
  p = p * z + 0.045515165635903104lf;
  p = p * z - 0.052304374642516874lf;
  p = p * z + 0.05878926715756726lf;
  p = p * z - 0.066664246872465lf;
  p = p * z + 0.07692296363979952lf;
  p = p * z - 0.09090908753118594lf;
  p = p * z + 0.11111111105147764lf;
  p = p * z - 0.14285714285659748lf;
  p = p * z + 0.19999999999999804lf;
  p = p * z - 0.3333333333333333lf;
  return p;
}
#endif
