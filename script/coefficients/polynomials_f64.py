#!/usr/bin/env python3
"""Writes the polynomials of the f64 functions, kernels/lib/*_polynomial_f64.glsl.

    script/coefficients/polynomials_f64.py [FILE …]        all, or exp, sine …

Needs Sollya 8 and mpmath (Debian: sollya, python3-mpmath). Most coefficients are those of fpminimax, doubles from the
start; the others are interpolated at the Chebyshev points. The values at the centres of polynomials, which stand in the
functions themselves, are printed with their tails.
"""

import pathlib
import subprocess
import sys

import mpmath

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "lib"


def powers(first, last, step=1):
    return list(range(first, last + 1, step))


mpmath.mp.dps = 60


def rest(function):
    """(f(x) - x) / x³ of an odd function, as a function of z = x²."""

    def of_square(z):
        x = mpmath.sqrt(z)
        return (function(x) - x) / (x * z)

    return of_square


# (name, function, powers, exact part, interval, error)
FILES = {
    "exp": [
        ("exp_rest", "expm1(x)", powers(2, 12), "x", "[-0.3468;0.3468]", "relative"),
    ],
    "hyperbolic": [
        ("sinh_rest", "sinh(x)", powers(3, 13, 2), "x", "[-0.3468;0.3468]", "relative"),
        ("cosh_rest", "cosh(x)", powers(4, 12, 2), "1+x^2/2", "[-0.3468;0.3468]", "absolute"),
    ],
    "log": [
        ("log_rest", "log1p(x)-log1p(-x)", powers(3, 15, 2), "2*x", "[-0.17158;0.17158]", "relative"),
    ],
    "log_exact": [
        ("log_far_rest", "log1p(x)-log1p(-x)", powers(5, 17, 2), "2*x+2/3*x^3", "[-0.17158;0.17158]", "relative"),
    ],
    "sine": [
        ("sin_rest", "sin(x)", powers(3, 13, 2), "x", "[-0.7855;0.7855]", "relative"),
        ("cos_rest", "cos(x)", powers(4, 14, 2), "1-x^2/2", "[-0.7855;0.7855]", "absolute"),
    ],
}


def erf_inv_ratio_of_root(root):
    return erf_inv_ratio(root * root)


of_ratio = "(g(z) - g(0)) / z, g = erf_inv(x) / x, z = {}"

# One polynomial with the coefficients of either: (file, name, flag, polynomial where it is set, polynomial where not)
EITHER = [("sine", "sin_or_cos_rest", "cosine", "cos_rest", "sin_rest")]


def bend(function):
    start = function(mpmath.mpf(0))
    return lambda v: (function(v) - start) / v


def about(function, center):
    value = function(mpmath.mpf(center))
    head = float(value)
    print(f"{getattr(function, '__name__', function)}({center}) = {head!r} + {float(value - head)!r}")
    return lambda v: (function(v + center) - value) / v


def stirling(z):
    """x (lgamma(x) - (x - 1/2) log x + x - log(2π) / 2), z = 1 / x²"""
    if z == 0:
        return mpmath.mpf(1) / 12
    x = 1 / mpmath.sqrt(z)
    return x * (mpmath.loggamma(x) - (x - 0.5) * mpmath.log(x) + x - mpmath.log(2 * mpmath.pi) / 2)


def digamma_series(z):
    """x² (log x - 1 / 2x - digamma(x)), z = 1 / x²"""
    if z == 0:
        return mpmath.mpf(1) / 12
    x = 1 / mpmath.sqrt(z)
    return (mpmath.log(x) - 1 / (2 * x) - mpmath.digamma(x)) / z


def around(point):
    return lambda t: mpmath.loggamma(point + t) / t if t else mpmath.digamma(point)


def digamma_slope(t):
    root = mpmath.findroot(mpmath.digamma, 1.4616321449683623)
    return mpmath.digamma(root + t) / t if t else mpmath.psi(1, root)


def erf_bend(z):
    x = mpmath.sqrt(z)
    return mpmath.erf(x) / x - 1


def erfc_scaled(t):
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * mpmath.exp(x * x) * mpmath.erfc(x)


def erf_inv_bend(z):
    x = mpmath.sqrt(z)
    return mpmath.erfinv(x) / x - 1


def erf_inv_ratio(w):
    """erf_inv(x) / x where w = -log(1 - x²)"""
    x = mpmath.sqrt(-mpmath.expm1(-w))
    return mpmath.erfinv(x) / x


# (name, function of z, degree, interval, meaning): interpolated at the Chebyshev points, near the best for what
# follows a leading term of two doubles.
CHEBYSHEV = {
    "arcsine": [("asin_rest", rest(mpmath.asin), 13, (0, 0.25), "(asin(x) - x) / x^3, z = x²")],
    "arctangent": [("atan_rest", rest(mpmath.atan), 11, (0, 0.1716), "(atan(x) - x) / x^3, z = x²")],
    "error_function": [
        ("erf_rest", erf_bend, 11, (0, 0.712), "erf(x) / x - 1, z = x²"),
        ("erf_middle", about(mpmath.erf, 1.4375), 18, (-0.594, 0.5626), "(erf(1.4375 + z) - erf(1.4375)) / z"),
        ("erf_far", about(mpmath.erf, 4), 31, (-2.0001, 2.0001), "(erf(4 + z) - erf(4)) / z"),
        (
            "erfc_rest",
            bend(erfc_scaled),
            22,
            (-0.7778, 0.7462),
            "(g(z) - g(0)) / z, g(z) = (1 + 2x) exp(x²) erfc(x), z = (x - 4) / (x + 4)",
        ),
    ],
    "inverse_error": [
        ("erf_inv_near", erf_inv_bend, 15, (0, 0.25), "erf_inv(x) / x - 1, z = x²"),
        ("erf_inv_middle", about(erf_inv_ratio, 1.25), 17, (-0.97, 1.001), of_ratio.format("w - 1.25")),
        ("erf_inv_high", about(erf_inv_ratio, 4.25), 17, (-2.001, 2.001), of_ratio.format("w - 4.25")),
        ("erf_inv_far", about(erf_inv_ratio_of_root, 3.25), 20, (-0.7501, 0.7502), of_ratio.format("√w - 3.25")),
        ("erf_inv_end", about(erf_inv_ratio_of_root, 5), 19, (-1.0001, 1.01), of_ratio.format("√w - 5")),
    ],
    "gamma": [
        ("lgamma_one", bend(around(1)), 19, (-0.2501, 0.2501), "(g(z) - g(0)) / z, g = lgamma(1 + z) / z"),
        (
            "lgamma_middle",
            about(mpmath.loggamma, 1.5),
            17,
            (-0.2501, 0.2501),
            "(lgamma(1.5 + z) - lgamma(1.5)) / z",
        ),
        ("lgamma_two", bend(around(2)), 17, (-0.2501, 0.5001), "(g(z) - g(0)) / z, g = lgamma(2 + z) / z"),
        ("stirling", stirling, 8, (0, 0.0157), "x (lgamma(x) - (x - 1/2) log x + x - log(2π) / 2), z = 1 / x²"),
        ("digamma_slope", bend(digamma_slope), 23, (-0.4617, 0.5384), "(g(z) - g(0)) / z, g = digamma(root + z) / z"),
        ("digamma_series", digamma_series, 8, (0, 0.0101), "x² (log x - 1 / 2x - digamma(x)), z = 1 / x²"),
    ],
    "area": [
        ("asinh_rest", rest(mpmath.asinh), 12, (0, 0.25), "(asinh(x) - x) / x^3, z = x²"),
        ("atanh_rest", rest(mpmath.atanh), 14, (0, 0.25), "(atanh(x) - x) / x^3, z = x²"),
    ],
}

SOLLYA = """prec = 250!; display = hexadecimal!; verbosity = 0!; roundingwarnings = off!;
f = {function}; I = {interval}; e = {exact};
p = fpminimax(f, [|{powers}|], [|D...|], I, floating, {error}, e);
q = p - e;
for k in [|{powers}|] do print(coeff(q, k));
display = decimal!; prec = 60!;
print(dirtyinfnorm({measure}, {half}));
quit;
"""


def solve(row):
    name, function, exponents, exact, interval, error = row
    high = interval[1:-1].split(";")[1]
    low = interval[1:-1].split(";")[0]
    half = f"[1e-6;{high}]" if float(low) < 0 else interval
    text = SOLLYA.format(
        function=function,
        interval=interval,
        exact=exact,
        powers=",".join(map(str, exponents)),
        error=error,
        measure="p-f" if error == "absolute" else "p/f-1",
        half=half,
    )
    done = subprocess.run(["sollya", "--warnonstderr"], input=text, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    if len(lines) != len(exponents) + 1:
        sys.exit(f"[{name}] Sollya says: {done.stdout}{done.stderr}")
    return [float.fromhex(line) for line in lines[:-1]], float(lines[-1])


def literal(value):
    return f"{value!r}lf"


def horner(name, variable, coefficients):
    lines = [f"double {name}(double {variable}) {{", f"  double p = {literal(coefficients[-1])};"]
    for value in reversed(coefficients[:-1]):
        sign = "-" if value < 0 else "+"
        lines.append(f"  p = p * {variable} {sign} {literal(abs(value))};")
    return lines + ["  return p;", "}"]


def interpolate(function, degree, interval):
    low, high = (mpmath.mpf(one) for one in interval)
    middle, half = (low + high) / 2, (high - low) / 2
    n = degree + 1
    angles = [mpmath.pi * (2 * k + 1) / (2 * n) for k in range(n)]
    values = [function(middle + half * mpmath.cos(angle)) for angle in angles]
    series = [2 * sum(v * mpmath.cos(j * a) for v, a in zip(values, angles)) / n for j in range(n)]
    series[0] /= 2
    # To powers of t, |t| ≤ 1, by T(j+1) = 2 t T(j) - T(j-1), then to powers of the variable.
    before, now, powers_of_t = [1], [0, 1], [mpmath.mpf(0)] * n
    for j in range(n):
        for k, one in enumerate(before):
            powers_of_t[k] += series[j] * one
        following = [0] + [2 * one for one in now]
        before, now = now, [a - b for a, b in zip(following, before + [0, 0])]
    result = [mpmath.mpf(0)]
    for one in reversed(powers_of_t):  # Horner in (x - middle) / half
        shifted = [mpmath.mpf(0)] + [c / half for c in result]
        result = [s - c * middle / half for s, c in zip(shifted, result + [0])]
        result[0] += one
    coefficients = [float(c) for c in result[:n]]
    points = [low + (high - low) * (k + mpmath.mpf("0.5")) / 400 for k in range(400)]
    error = max(abs(mpmath.polyval(coefficients[::-1], x) - function(x)) for x in points)
    return coefficients, error


def body(file):
    found = {}
    for row in FILES.get(file, []):
        name, function, exponents, exact, interval, error = row
        coefficients, bound = solve(row)
        step = exponents[1] - exponents[0]
        variable = "x" if step == 1 else "z"
        meaning = f"({function} - ({exact})) / x^{exponents[0]}" if exponents[0] else function
        where = "" if step == 1 else ", z = x²"
        yield f"// {meaning}{where}, x in {interval}; the function then errs by {bound:.2g}, {error}."
        yield from horner(name, variable, coefficients)
        print(f"{name:16} degree {len(coefficients) - 1:2}  {bound:.3g}")
        found[name] = coefficients
    for row in EITHER:
        if row[0] == file:
            yield from either(*row[1:3], *((one, found[one]) for one in row[3:]))
    for name, function, degree, interval, meaning in CHEBYSHEV.get(file, []):
        coefficients, bound = interpolate(function, degree, interval)
        low, high = interval
        yield f"// {meaning}, z in [{low}, {high}]; errs by {float(bound):.2g}, absolute."
        yield from horner(name, "z", coefficients)
        print(f"{name:16} degree {degree:2}  {float(bound):.3g}")


def either(name, flag, chosen, other):
    yield f"// {chosen[0]}(z) or {other[0]}(z)"
    yield f"double {name}(double z, bool {flag}) {{"
    pairs = [f"choose({flag}, {literal(a)}, {literal(b)})" for a, b in zip(chosen[1], other[1])]
    yield f"  double p = {pairs[-1]};"
    yield from (f"  p = p * z + {pair};" for pair in reversed(pairs[:-1]))
    yield "  return p;"
    yield "}"


def write(file):
    head = ["#pragma once", "// Written by script/coefficients/polynomials_f64.py.", '#include "exact_f64.glsl"', ""]
    text = head + ["#ifdef HAS_DOUBLE", *body(file), "#endif"]
    (LIBRARY / f"{file}_polynomial_f64.glsl").write_text("\n".join(text) + "\n")


def main():
    for file in sys.argv[1:] or [*FILES, *CHEBYSHEV]:
        write(file)


main()
