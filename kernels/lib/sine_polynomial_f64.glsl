#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (sin(x) - (x)) / x^3, z = x², x in [-0.7855;0.7855]; the function then errs by 3.8e-18, relative.
double sin_rest(double z) {
  double p = 1.5895943639113982e-10lf;
  p = p * z - 2.505074232065998e-08lf;
  p = p * z + 2.755731358226447e-06lf;
  p = p * z - 0.0001984126982945851lf;
  p = p * z + 0.008333333333321919lf;
  p = p * z - 0.1666666666666663lf;
  return p;
}
// (cos(x) - (1-x^2/2)) / x^4, z = x², x in [-0.7855;0.7855]; the function then errs by 4.8e-20, absolute.
double cos_rest(double z) {
  double p = -1.1359938741210402e-11lf;
  p = p * z + 2.087572939503774e-09lf;
  p = p * z - 2.755731440201028e-07lf;
  p = p * z + 2.4801587289675016e-05lf;
  p = p * z - 0.0013888888888874478lf;
  p = p * z + 0.0416666666666666lf;
  return p;
}
// cos_rest(z) or sin_rest(z)
double sin_or_cos_rest(double z, bool cosine) {
  double p = choose(cosine, -1.1359938741210402e-11lf, 1.5895943639113982e-10lf);
  p = p * z + choose(cosine, 2.087572939503774e-09lf, -2.505074232065998e-08lf);
  p = p * z + choose(cosine, -2.755731440201028e-07lf, 2.755731358226447e-06lf);
  p = p * z + choose(cosine, 2.4801587289675016e-05lf, -0.0001984126982945851lf);
  p = p * z + choose(cosine, -0.0013888888888874478lf, 0.008333333333321919lf);
  p = p * z + choose(cosine, 0.0416666666666666lf, -0.1666666666666663lf);
  return p;
}
#endif
