#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (expm1(x) - (x)) / x^2, x in [-0.3468;0.3468]; the function then errs by 2.5e-19, relative.
double exp_rest(double x) {
  double p = 2.088948706992256e-09lf;
  p = p * x + 2.5109163253056154e-08lf;
  p = p * x + 2.7557352910668223e-07lf;
  p = p * x + 2.755724382927728e-06lf;
  p = p * x + 2.4801587237527782e-05lf;
  p = p * x + 0.0001984126988653178lf;
  p = p * x + 0.0013888888888923803lf;
  p = p * x + 0.008333333333321452lf;
  p = p * x + 0.04166666666666661lf;
  p = p * x + 0.16666666666666677lf;
  p = p * x + 0.5lf;
  return p;
}
#endif
