#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (sinh(x) - (x)) / x^3, z = x², x in [-0.3468;0.3468]; the function then errs by 3.1e-20, relative.
double sinh_rest(double z) {
  double p = 1.6906307519556804e-10lf;
  p = p * z + 2.504898885825035e-08lf;
  p = p * z + 2.7557323631748093e-06lf;
  p = p * z + 0.00019841269838359116lf;
  p = p * z + 0.00833333333333421lf;
  p = p * z + 0.16666666666666666lf;
  return p;
}
// (cosh(x) - (1+x^2/2)) / x^4, z = x², x in [-0.3468;0.3468]; the function then errs by 8.5e-22, absolute.
double cosh_rest(double z) {
  double p = 2.092173047604907e-09lf;
  p = p * z + 2.7557251920684074e-07lf;
  p = p * z + 2.480158734911911e-05lf;
  p = p * z + 0.0013888888888873305lf;
  p = p * z + 0.041666666666666685lf;
  return p;
}
#endif
