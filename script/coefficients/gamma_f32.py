#!/usr/bin/env python3
"""Writes kernels/lib/gamma_polynomial.glsl: leading terms as pairs of floats, and the polynomials that follow them.

    /usr/bin/python3 script/coefficients/gamma_f32.py        Debian: python3-numpy, python3-mpmath

The polynomials are fitted as those of polynomials_f32.py.
"""

import pathlib

import mpmath
import numpy

from polynomials_f32 import fit

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "lib"
HALF = mpmath.mpf("0.5")
ROOT = mpmath.findroot(mpmath.digamma, 1.4616321449683623)
ROOT_HEAD = float(numpy.float32(float(ROOT)))
TWELFTH = mpmath.mpf(1) / 12
LOG_SINE = (mpmath.zeta(2), mpmath.zeta(4) / 2)
TANGENT = mpmath.pi**2 - 8


def about(function, center, count):
    """The first terms of a series about a point, what is left over the next power, and the weight of that."""
    terms = mpmath.taylor(function, center, count - 1)
    return (
        terms,
        lambda t: (function(center + t) - mpmath.polyval(terms[::-1], t)) / t**count,
        lambda t: t**count / function(center + t),
    )


def stirling_rest(z):
    x = 1 / mpmath.sqrt(z)
    error = mpmath.loggamma(x) - (x - HALF) * mpmath.log(x) + x - mpmath.log(2 * mpmath.pi) / 2
    return (x * error - TWELFTH) / z


def digamma_far_rest(z):
    x = 1 / mpmath.sqrt(z)
    return ((mpmath.log(x) - HALF / x - mpmath.digamma(x)) / z - TWELFTH) / z


def log_sine_rest(z):
    f = mpmath.pi * mpmath.sqrt(z)
    return (-mpmath.log(mpmath.sin(f) / f) - z * (LOG_SINE[0] + z * LOG_SINE[1])) / z**3


def tangent(h):
    return mpmath.pi * mpmath.tan(mpmath.pi * h)


def tangent_rest(z):
    h = mpmath.sqrt(z)
    return ((tangent(h) - 2 * h / (HALF**2 - z)) / h - TANGENT) / z


ONE, MIDDLE, TWO = (about(mpmath.loggamma, center, 3) for center in (mpmath.mpf(1), 3 * HALF, mpmath.mpf(2)))
DIGAMMA = about(mpmath.digamma, ROOT, 4)

CONSTANTS = {
    "kLgammaOneSlope": ONE[0][1],
    "kLgammaOneBend": ONE[0][2],
    "kLgammaMiddle": MIDDLE[0][0],
    "kLgammaMiddleSlope": MIDDLE[0][1],
    "kLgammaMiddleBend": MIDDLE[0][2],
    "kLgammaTwoSlope": TWO[0][1],
    "kLgammaTwoBend": TWO[0][2],
    "kStirling": (mpmath.log(2 * mpmath.pi) - 1) / 2,
    "kTwelfth": TWELFTH,
    "kDigammaRootTail": ROOT - mpmath.mpf(ROOT_HEAD),
    "kDigammaSlope": DIGAMMA[0][1],
    "kDigammaBend": DIGAMMA[0][2],
    "kDigammaThird": DIGAMMA[0][3],
    "kLogSineSlope": LOG_SINE[0],
    "kLogSineBend": LOG_SINE[1],
    "kTangentSlope": TANGENT,
}

# (name, meaning, function, number of coefficients, interval, weight)
POLYNOMIALS = [
    (
        "stirling_rest",
        "(x (lgamma(x) - (x - 1/2) log x + x - log(2π) / 2) - 1/12) / z, z = 1 / x²",
        stirling_rest,
        5,
        (1e-6, 0.1601),
        lambda z: z * mpmath.sqrt(z) / mpmath.loggamma(1 / mpmath.sqrt(z)),
    ),
    (
        "digamma_rest",
        "digamma(root + z) less its first three terms, over z⁴",
        DIGAMMA[1],
        11,
        (-0.4617, 0.5384),
        DIGAMMA[2],
    ),
    (
        "digamma_far_rest",
        "(x² (log x - 1 / 2x - digamma(x)) - 1/12) / z, z = 1 / x²",
        digamma_far_rest,
        6,
        (1e-6, 0.2501),
        lambda z: z * z / mpmath.digamma(1 / mpmath.sqrt(z)),
    ),
    (
        "log_sine_rest",
        "-log(sin(πf) / πf) less its first two terms, over z³, z = f²",
        log_sine_rest,
        7,
        (1e-5, 0.2499999),
        lambda z: z**3,
    ),
    (
        "tangent_rest",
        "((π tan(πh) - 2h / (1/4 - z)) / h - π² + 8) / z, z = h²",
        tangent_rest,
        6,
        (1e-5, 0.2499999),
        lambda z: z * mpmath.sqrt(z) / tangent(mpmath.sqrt(z)),
    ),
]

# One polynomial for three points: lgamma(point + t) less its first terms, over t³
LGAMMA = [
    ("1", ONE, (-0.2501, 0.2501)),
    ("2", TWO, (-0.2501, 0.5001)),
    ("3/2", MIDDLE, (-0.2501, 0.2501)),
]
LGAMMA_COUNT = 9


def short(value):
    text = f"{value:.9g}"
    return text if "." in text or "e" in text else text + ".0"


def pair(name, value):
    head = numpy.float32(float(value))
    return f"const vec2 {name} = vec2({short(head)}, {short(numpy.float32(float(value - mpmath.mpf(float(head)))))});"


def horner(variable, coefficients):
    yield f"  float p = {coefficients[-1]};"
    for one in reversed(coefficients[:-1]):
        yield f"  p = {one} + {variable} * p;"
    yield "  return p;"
    yield "}"


def polynomial(name, meaning, function, count, interval, weight):
    found, error = fit(function, list(range(count)), interval, weight, False)
    yield f"// {meaning}"
    yield f"// z from {interval[0]:g} to {interval[1]:g}; the result then errs by 2^{numpy.log2(error):.1f}."
    yield f"float {name}(float z) {{"
    yield from horner("z", [short(one) for one in found])


def lgamma_polynomial():
    columns = []
    yield "// lgamma(point + t) less its first terms, over t³:"
    for point, (_, function, weight), interval in LGAMMA:
        found, error = fit(function, list(range(LGAMMA_COUNT)), interval, weight, False)
        columns.append([short(one) for one in found])
        low, high = interval
        yield f"// about {point}, t from {low:g} to {high:g}; the result then errs by 2^{numpy.log2(error):.1f}."
    yield "float lgamma_rest(float t, bool one, bool two) {"
    yield from horner("t", [f"(one ? {a} : two ? {b} : {c})" for a, b, c in zip(*columns)])


def main():
    lines = ["#pragma once", "// Written by script/coefficients/gamma_f32.py.", '#include "exact.glsl"', ""]
    lines.append(f"const float kDigammaRoot = {short(ROOT_HEAD)};")
    lines += [pair(name, value) for name, value in CONSTANTS.items()]
    lines += ["", *lgamma_polynomial()]
    for row in POLYNOMIALS:
        lines += polynomial(*row)
    (LIBRARY / "gamma_polynomial.glsl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
