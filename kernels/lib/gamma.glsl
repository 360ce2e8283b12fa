#pragma once
// lgamma = log |Γ| and digamma = Γ' / Γ by pairs of floats: series about 1, 3/2, 2 and digamma's root, Stirling's from 5/2
// and 2 on, reflection below 0. Near their zeros on the negative axis both are right to a step of their largest term.
#include "divide.glsl"
#include "power.glsl"
#include "gamma_polynomial.glsl"

const uint kTinyGamma = 0x2b800000u;  // 2⁻⁴⁰: below, Γ(x) is 1 / x

vec2 product_of(float a, vec2 b) {
  const vec2 product = exact_product(a, b.x);
  return ordered_sum(product.x, product.y + a * b.y);
}

// log x of the bits of a finite x > 0, or of a pair x.
vec2 log_of_bits(uint bits) {
  const int shift = bits < 0x800000u ? 23 - findMSB(bits) : 0;
  int k;
  const float fraction = log_fraction(bits << shift, k);
  return log_pair(fraction, float(k - shift));
}
vec2 log_pair_of(vec2 x) {
  const vec2 logarithm = log_of_bits(floatBitsToUint(x.x));
  return ordered_sum(logarithm.x, logarithm.y + x.y * inverse_of(vec2(x.x, 0.0)).x);
}

// 0 ≤ x < 2²³ less the nearest whole number.
float turn_rest(float x) { return x - ((x + 8388608.0) - 8388608.0); }

// lgamma(base + t): base is 1 or 3/2 and |t| ≤ ¼, or 2 and -¼ ≤ t ≤ ½.
vec2 lgamma_near(float base, float t) {
  const bool one = base == 1.0, two = base == 2.0;
  const vec2 slope = one ? kLgammaOneSlope : two ? kLgammaTwoSlope : kLgammaMiddleSlope;
  const vec2 bend = one ? kLgammaOneBend : two ? kLgammaTwoBend : kLgammaMiddleBend;
  const vec2 rest = ordered_sum(bend.x, bend.y + t * lgamma_rest(t, one, two));
  const vec2 value = product_of(t, sum_of(slope, product_of(t, rest)));
  return sum_of(one || two ? vec2(0.0, 0.0) : kLgammaMiddle, value);
}
// x ≥ 5/2
vec2 lgamma_far(float x, vec2 logarithm) {
  const vec2 product = product_of(ordered_sum(x, -0.5), exact_sum(logarithm.x - 1.0, logarithm.y));
  const vec2 value = sum_of(product, kStirling);
  if (x >= 1e10) return value;
  const vec2 inverse = inverse_of(vec2(x, 0.0)), twelfth = times_inverse(kTwelfth, inverse);
  const float near = inverse.x + inverse.x * inverse.y, z = near * near;
  return sum_of(value, ordered_sum(twelfth.x, twelfth.y + near * (z * stirling_rest(z))));
}
// 2⁻⁴⁰ ≤ x, where lgamma is finite.
vec2 lgamma_parts(float x) {
  const bool low = x < 0.75;
  const vec2 logarithm = log_of_bits(floatBitsToUint(x));
  if (x >= 2.5) return lgamma_far(x, logarithm);
  // By lgamma(x) = lgamma(x + 1) - log x below 0.75.
  const float base = low ? (x < 0.25 ? 1.0 : 1.5) : x < 1.25 ? 1.0 : x < 1.75 ? 1.5 : 2.0;
  const vec2 near = lgamma_near(base, low ? x - (base - 1.0) : x - base);
  return low ? sum_of(near, -logarithm) : near;
}

float lgamma_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits > kInfinityBits) return x;
  const bool negative = (floatBitsToUint(x) & kSignBit) != 0u;
  if (bits == 0u || bits > (negative ? 0x4affffffu : 0x7c44af8du)) return infinity_f32();  // 2²³, 4.0850034e36
  if (bits < kTinyGamma) {
    const vec2 logarithm = log_of_bits(bits);
    return -(logarithm.x + logarithm.y);
  }
  const float size = uintBitsToFloat(bits);
  const vec2 up = lgamma_parts(size);
  if (!negative) return up.x + up.y;
  const float f = turn_rest(size);
  if (f == 0.0) return infinity_f32();
  // Γ(-y) Γ(y) = -π / (y sin πy)
  const vec2 z = exact_product(f, f), rest = ordered_sum(kLogSineBend.x, kLogSineBend.y + z.x * log_sine_rest(z.x));
  const vec2 sine = product_of(z, sum_of(kLogSineSlope, product_of(z, rest)));
  const vec2 value = sum_of(sum_of(sine, -log_pair_of(exact_product(size, abs_bits(f)))), -up);
  return value.x + value.y;
}

// digamma(x), or digamma(-x) - π cot πx = digamma(x) + 1 / x, for x from 2⁻⁴⁰ to 2⁴⁰.
vec2 digamma_parts(float x, bool turned) {
  const bool below = x < 1.0, near = x < 2.0;
  const vec2 parts = inverse_of(vec2(x, 0.0)), inverse = ordered_sum(parts.x, parts.x * parts.y);
  vec2 value;
  if (near) {
    // By digamma(x) = digamma(x + 1) - 1 / x below 1.
    const vec2 t = sum_of(exact_sum(x, below ? 1.0 - kDigammaRoot : -kDigammaRoot), -kDigammaRootTail);
    const vec2 rest = ordered_sum(kDigammaThird.x, kDigammaThird.y + t.x * digamma_rest(t.x));
    const vec2 bend = sum_of(kDigammaBend, product_of(t, rest));
    value = product_of(t, sum_of(kDigammaSlope, product_of(t, bend)));
  } else {
    const vec2 z = product_of(inverse, inverse);
    const vec2 series = product_of(z, ordered_sum(kTwelfth.x, kTwelfth.y + z.x * digamma_far_rest(z.x)));
    value = sum_of(log_of_bits(floatBitsToUint(x)), -series);
  }
  const float steps = (near ? (below ? -1.0 : 0.0) : -0.5) + (turned ? 1.0 : 0.0);
  return sum_of(value, inverse * steps);
}
// π cot πf for 0 < f ≤ ½, by its poles at 0 and 1 and a polynomial about ½.
vec2 cotangent_of_turn(float f) {
  const vec2 h = ordered_sum(0.5, -f);
  const vec2 poles = quotient_of(2.0 * h, product_of(f, ordered_sum(1.0, -f)));
  const float z = h.x * h.x;
  const vec2 regular = product_of(h, ordered_sum(kTangentSlope.x, kTangentSlope.y + z * tangent_rest(z)));
  return sum_of(ordered_sum(poles.x, poles.y), regular);
}

float digamma_of(float x) {
  const uint bits = magnitude_of(x);
  if (bits > kInfinityBits) return x;
  if (bits < kTinyGamma) return divide(-1.0, x);
  const bool negative = (floatBitsToUint(x) & kSignBit) != 0u;
  if (bits >= (negative ? 0x4b000000u : kInfinityBits)) return negative ? nan_f32() : x;  // whole from 2²³ on
  const float size = uintBitsToFloat(bits);
  if (bits >= 0x53800000u) {  // 2⁴⁰
    const vec2 logarithm = log_of_bits(bits);
    return logarithm.x + logarithm.y;
  }
  const vec2 up = digamma_parts(size, negative);
  if (!negative) return up.x + up.y;
  const float f = turn_rest(size);
  if (f == 0.0) return nan_f32();
  const vec2 cotangent = cotangent_of_turn(abs_bits(f));
  const vec2 value = sum_of(f < 0.0 ? -cotangent : cotangent, up);
  return value.x + value.y;
}
