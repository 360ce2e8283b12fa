#pragma once
// Written by script/coefficients/polynomials_f64.py.
#include "exact_f64.glsl"

#ifdef HAS_DOUBLE
// (asin(x) - x) / x^3, z = x², z in [0, 0.25]; errs by 9.5e-18, absolute.
double asin_rest(double z) {
  double p = 0.02961201126495512lf;
  p = p * z - 0.01924167174674304lf;
  p = p * z + 0.019554513336123378lf;
  p = p * z + 0.0030448799094556773lf;
  p = p * z + 0.009319560794767446lf;
  p = p * z + 0.009621842970100282lf;
  p = p * z + 0.011566459612121669lf;
  p = p * z + 0.01396378001220357lf;
  p = p * z + 0.017352816540325496lf;
  p = p * z + 0.02237215744350722lf;
  p = p * z + 0.03038194447553234lf;
  p = p * z + 0.044642857142551895lf;
  p = p * z + 0.07500000000000118lf;
  p = p * z + 0.16666666666666666lf;
  return p;
}
#endif
