#pragma once
// Written by script/coefficients/gamma_f32.py.
#include "exact.glsl"

const float kDigammaRoot = 1.46163213;
const vec2 kLgammaOneSlope = vec2(-0.577215672, 6.63777389e-09);
const vec2 kLgammaOneBend = vec2(0.822467029, 4.32941727e-09);
const vec2 kLgammaMiddle = vec2(-0.120782241, 3.58999741e-09);
const vec2 kLgammaMiddleSlope = vec2(0.0364899747, -7.2878853e-10);
const vec2 kLgammaMiddleBend = vec2(0.467401087, 1.29882514e-08);
const vec2 kLgammaTwoSlope = vec2(0.422784328, 6.63777389e-09);
const vec2 kLgammaTwoBend = vec2(0.322467029, 4.32941727e-09);
const vec2 kStirling = vec2(0.418938547, -1.41681449e-08);
const vec2 kTwelfth = vec2(0.0833333358, -2.48352694e-09);
const vec2 kDigammaRootTail = vec2(1.24381501e-08, -1.26544644e-16);
const vec2 kDigammaSlope = vec2(0.967672229, 1.66344503e-08);
const vec2 kDigammaBend = vec2(-0.44276318, 1.05570424e-08);
const vec2 kDigammaThird = vec2(0.258499771, -1.04009317e-08);
const vec2 kLogSineSlope = vec2(1.64493406, 8.65883454e-09);
const vec2 kLogSineBend = vec2(0.541161597, 2.0080515e-08);
const vec2 kTangentSlope = vec2(1.86960435, 5.19530055e-08);

// lgamma(point + t) less its first terms, over t³:
// about 1, t from -0.2501 to 0.2501; the result then errs by 2^-33.8.
// about 2, t from -0.2501 to 0.5001; the result then errs by 2^-36.2.
// about 3/2, t from -0.2501 to 0.2501; the result then errs by 2^-36.2.
float lgamma_rest(float t, bool one, bool two) {
  float p = (one ? -0.104412585 : two ? 1.70941021e-05 : -0.00460766116);
  p = (one ? 0.114502639 : two ? 4.2677435e-05 : 0.00179027114) + t * p;
  p = (one ? -0.110501617 : two ? -0.000211981271 : -0.00233300566) + t * p;
  p = (one ? 0.124695018 : two ? 0.000515961554 : 0.00496713025) + t * p;
  p = (one ? -0.144075289 : two ? -0.00119498011 : -0.00865724403) + t * p;
  p = (one ? 0.169575363 : two ? 0.00289032608 : 0.0154353427) + t * p;
  p = (one ? -0.207385108 : two ? -0.00738544855 : -0.0289512444) + t * p;
  p = (one ? 0.270580679 : two ? 0.0205808096 : 0.0587121285) + t * p;
  p = (one ? -0.400685638 : two ? -0.0673523024 : -0.138132781) + t * p;
  return p;
}
// (x (lgamma(x) - (x - 1/2) log x + x - log(2π) / 2) - 1/12) / z, z = 1 / x²
// z from 1e-06 to 0.1601; the result then errs by 2^-39.2.
float stirling_rest(float z) {
  float p = -0.000542668626;
  p = 0.000638617901 + z * p;
  p = -0.000577769533 + z * p;
  p = 0.000792879669 + z * p;
  p = -0.00277776457 + z * p;
  return p;
}
// digamma(root + z) less its first three terms, over z⁴
// z from -0.4617 to 0.5384; the result then errs by 2^-35.0.
float digamma_rest(float z) {
  float p = -0.00351626496;
  p = 0.00691298954 + z * p;
  p = -0.00762432721 + z * p;
  p = 0.00997062773 + z * p;
  p = -0.0152741224 + z * p;
  p = 0.0226725768 + z * p;
  p = -0.0331810452 + z * p;
  p = 0.0487996936 + z * p;
  p = -0.0721984729 + z * p;
  p = 0.107824154 + z * p;
  p = -0.163942724 + z * p;
  return p;
}
// (x² (log x - 1 / 2x - digamma(x)) - 1/12) / z, z = 1 / x²
// z from 1e-06 to 0.2501; the result then errs by 2^-36.6.
float digamma_far_rest(float z) {
  float p = 0.00532201212;
  p = -0.00754874386 + z * p;
  p = 0.00577515969 + z * p;
  p = -0.00401346106 + z * p;
  p = 0.00396116404 + z * p;
  p = -0.00833320245 + z * p;
  return p;
}
// -log(sin(πf) / πf) less its first two terms, over z³, z = f²
// z from 1e-05 to 0.25; the result then errs by 2^-39.2.
float log_sine_rest(float z) {
  float p = 0.351316899;
  p = -0.015626628 + z * p;
  p = 0.182817221 + z * p;
  p = 0.160416991 + z * p;
  p = 0.200754464 + z * p;
  p = 0.250993907 + z * p;
  p = 0.339114815 + z * p;
  return p;
}
// ((π tan(πh) - 2h / (1/4 - z)) / h - π² + 8) / z, z = h²
// z from 1e-05 to 0.25; the result then errs by 2^-37.5.
float tangent_rest(float z) {
  float p = 0.0109133339;
  p = 0.0138172312 + z * p;
  p = 0.0351982564 + z * p;
  p = 0.0794255137 + z * p;
  p = 0.185226828 + z * p;
  p = 0.469696999 + z * p;
  return p;
}
