#!/usr/bin/env python3
"""Prints the coefficients of the f32 functions of kernels/lib, rounded to f32, with the greatest error of each polynomial.

    /usr/bin/python3 script/coefficients/polynomials_f32.py [NAME …]        Debian: python3-numpy, python3-mpmath

Each row: the function that the polynomial stands for, its powers, the interval and the weight that makes its error one of the
final result. Weighted least squares whose weights follow the error (Lawson) come near the minimax polynomial; coefficients are
rounded one after the other, the lowest power first, and those left are fitted again. In rows of PAIRS the first one has a tail.
"""

import sys

import mpmath
import numpy

mpmath.mp.dps = 40
NODES = 600


def nodes(low, high):
    angles = (numpy.arange(NODES) + 0.5) * numpy.pi / NODES
    return (low + high) / 2 - (high - low) / 2 * numpy.cos(angles)


def least_squares(columns, values, weight):
    importance = numpy.full(len(values), 1.0)
    best, least = None, numpy.inf
    for _ in range(200):
        scale = weight * numpy.sqrt(importance)
        matrix = columns * scale[:, None]
        size = numpy.abs(matrix).max(axis=0)
        found = numpy.linalg.lstsq(matrix / size, values * scale, rcond=None)[0] / size
        error = numpy.abs(columns @ found - values) * weight
        if error.max() < least:
            best, least = found, error.max()
        importance *= error / error.max() + 1e-3
        importance /= importance.sum()
    return best


def fit(function, powers, interval, weight, paired):
    x = nodes(*interval)
    values = numpy.array([float(function(mpmath.mpf(float(one)))) for one in x])
    factor = numpy.array([float(abs(weight(mpmath.mpf(float(one))))) for one in x])
    columns = x[:, None] ** numpy.array(powers)[None, :]
    kept, rest = [], values.copy()
    for index in range(len(powers)):
        found = least_squares(columns[:, index:], rest, factor)
        kept.append(numpy.float32(found[0]))
        rest -= columns[:, index] * float(kept[-1])
        if paired and index == 0:
            tail = numpy.float32(found[0] - float(kept[0]))
            rest -= columns[:, 0] * float(tail)
            print(f"tail of the first coefficient: {tail:.9g}")
    return kept, numpy.abs(rest * factor).max()


def cubic_rest(function):
    """(f(x) - x) / x³ as a function of x², and the weight that makes its error relative to f."""
    return (
        lambda z: (function(mpmath.sqrt(z)) - mpmath.sqrt(z)) / mpmath.sqrt(z) ** 3,
        lambda z: mpmath.sqrt(z) ** 3 / function(mpmath.sqrt(z)),
    )


def erfcx(x):
    return mpmath.exp(x * x) * mpmath.erfc(x)


def erf_exponent(x):
    return -mpmath.log(mpmath.erfc(x)) / x


def odd(name, function, count, end):
    rest, weight = cubic_rest(function)
    return (name, rest, range(count), (1e-6, end), weight)


def inverse_erf(w):
    """erf⁻¹(x) / x for w = -log(1 - x²)."""
    x = mpmath.sqrt(-mpmath.expm1(-w))
    return mpmath.erfinv(x) / x


ROWS = [
    ("exp_rest", lambda x: mpmath.expm1(x) - x, range(2, 8), (-0.3470, 0.3470), lambda x: 1),
    ("exp_short", lambda x: mpmath.expm1(x) - x, range(2, 7), (-0.3470, 0.3470), lambda x: mpmath.exp(-x)),
    ("log_rest", lambda x: mpmath.log1p(x) - x, range(2, 11), (-0.2930, 0.4144), lambda x: 1 / mpmath.log1p(x)),
    ("log_far", lambda t: (mpmath.atanh(mpmath.sqrt(t)) / mpmath.sqrt(t) - 1) / t, range(4), (1e-6, 0.02946), lambda t: t),
    odd("sin_rest", mpmath.sin, 3, 0.7860**2),
    ("cos_rest", lambda x: mpmath.cos(x) - 1 + x * x / 2, (4, 6, 8), (1e-3, 0.7860), lambda x: 1 / mpmath.cos(x)),
    odd("asin_rest", mpmath.asin, 6, 0.25),
    odd("atan_rest", mpmath.atan, 10, 1.0),
    odd("tanh_rest", mpmath.tanh, 6, 0.36),
    odd("sinh_rest", mpmath.sinh, 4, 1.0),
    odd("asinh_rest", mpmath.asinh, 7, 0.25),
    odd("atanh_rest", mpmath.atanh, 7, 0.25),
    ("erf_near", lambda z: mpmath.erf(mpmath.sqrt(z)) / mpmath.sqrt(z) - 1, range(7), (1e-6, 0.5625), lambda z: 1),
    ("erf_far", lambda x: erf_exponent(x) - 1, range(8), (0.7, 3.95), lambda x: x * mpmath.erfc(x) / mpmath.erf(x)),
    ("erfc_far", lambda t: erfcx(2 / t - 2) / t, range(12), (0.1658, 0.7815), lambda t: t / erfcx(2 / t - 2)),
    ("erf_inv_near", lambda w: inverse_erf(w + 2.5), range(12), (-2.4999, 2.5), lambda w: 1 / inverse_erf(w + 2.5)),
    ("erf_inv_far", lambda s: inverse_erf((s + 3) ** 2), range(11), (5**0.5 - 3, 1.1), lambda s: 1 / inverse_erf((s + 3) ** 2)),
]

PAIRS = ("log_far", "erf_inv_near", "erf_inv_far")


def main():
    for name, function, powers, interval, weight in ROWS:
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        kept, error = fit(function, list(powers), interval, weight, name in PAIRS)
        print(f"{name} on [{interval[0]:g}, {interval[1]:g}], error 2^{numpy.log2(error):.1f}")
        for power, coefficient in zip(powers, kept):
            print(f"  x^{power}: {coefficient:.9g}")


if __name__ == "__main__":
    main()
