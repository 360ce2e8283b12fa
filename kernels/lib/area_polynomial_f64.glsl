#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (asinh(x) - x) / x^3, z = x², z in [0, 0.25]; errs by 1.1e-17, absolute.
double asinh_rest(double z) {
  double p = -0.0014988358499957474lf;
  p = p * z + 0.00413835813140252lf;
  p = p * z - 0.0064746008466359025lf;
  p = p * z + 0.00818236764637779lf;
  p = p * z - 0.009725716144151688lf;
  p = p * z + 0.011547475926257406lf;
  p = p * z - 0.013964483323351326lf;
  p = p * z + 0.0173527441556904lf;
  p = p * z - 0.022372158355736263lf;
  p = p * z + 0.030381944428513684lf;
  p = p * z - 0.044642857142677225lf;
  p = p * z + 0.0749999999999992lf;
  p = p * z - 0.16666666666666666lf;
  return p;
}
// (atanh(x) - x) / x^3, z = x², z in [0, 0.25]; errs by 1.9e-17, absolute.
double atanh_rest(double z) {
  double p = 0.22653799107253964lf;
  p = p * z - 0.18450627783481666lf;
  p = p * z + 0.16366841241041946lf;
  p = p * z - 0.005783645920519892lf;
  p = p * z + 0.05468265249637926lf;
  p = p * z + 0.0456935407180027lf;
  p = p * z + 0.05286736995315698lf;
  p = p * z + 0.05880296593962229lf;
  p = p * z + 0.0666679262425516lf;
  p = p * z + 0.07692302426298539lf;
  p = p * z + 0.09090909234076455lf;
  p = p * z + 0.11111111108774245lf;
  p = p * z + 0.14285714285734208lf;
  p = p * z + 0.19999999999999934lf;
  p = p * z + 0.3333333333333333lf;
  return p;
}
#endif
