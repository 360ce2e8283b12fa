"""Every elementwise operation on Python numbers, by the rules of docs/: IEEE 754, wrapping integers, total division."""

import math

from numbers_of import BITS, INF, NAN, fit, is_float, wrap


def nonzero(a):
    return a != 0


def add(t, a, b):
    return fit(t, a + b)


def subtract(t, a, b):
    return fit(t, a - b)


def multiply(t, a, b):
    return fit(t, a * b)


def divide(t, a, b):
    if math.isnan(a) or math.isnan(b):
        return NAN
    if b == 0:
        return NAN if a == 0 else math.copysign(INF, math.copysign(1, a) * math.copysign(1, b))
    if math.isinf(a) and math.isinf(b):
        return NAN
    return fit(t, a / b)


def quotient(t, a, b):
    """Towards zero; -1 by zero."""
    if b == 0:
        return wrap(t, -1)
    return wrap(t, abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def remainder(t, a, b):
    """The sign of the dividend; the dividend itself for integers by zero."""
    if is_float(t):
        if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
            return NAN
        return math.fmod(a, b)
    return a if b == 0 else wrap(t, abs(a) % abs(b) * (-1 if a < 0 else 1))


def power(t, a, b):
    """Wrapping; a negative exponent gives 0, or 1 and -1 for the bases 1 and -1."""
    if b < 0:
        return {1: 1, -1: 1 if b % 2 == 0 else -1}.get(a, 0)
    return wrap(t, pow(a, b, 2 ** BITS[t]))


def order(a):
    """A key that puts -0 below 0."""
    return (a, math.copysign(1, a))


def maximum(t, a, b):
    return NAN if a != a or b != b else max(a, b, key=order)


def minimum(t, a, b):
    return NAN if a != a or b != b else min(a, b, key=order)


def left_shift(t, a, b):
    return wrap(t, a << b) if b < BITS[t] else 0


def right_shift(t, a, b):
    return a >> min(b, BITS[t])


def negate(t, a):
    return -a if is_float(t) else wrap(t, -a)


def absolute(t, a):
    return math.fabs(a) if is_float(t) else wrap(t, abs(a))


def sign(t, a):
    if is_float(t):
        return a if a == 0 or a != a else math.copysign(1.0, a)
    return (a > 0) - (a < 0)


def whole(rounding):
    """The rounding of a float that keeps NaN, infinities and the sign of zero."""

    def rounded(t, a):
        return math.copysign(float(rounding(a)), a) if math.isfinite(a) else a

    return rounded


def half_away(a):
    floor = math.floor(abs(a))
    return math.copysign(floor + (1 if abs(a) - floor >= 0.5 else 0), a)


def square_root(t, a):
    if a != a or a < 0:
        return NAN
    return a if a == 0 or math.isinf(a) else fit(t, math.sqrt(a))


UNARY = {
    "abs": absolute,
    "negate": negate,
    "sign": sign,
    "ceil": whole(math.ceil),
    "floor": whole(math.floor),
    "round": whole(half_away),
    "sqrt": square_root,
    "bitwise_not": lambda t, a: wrap(t, ~a),
    "count_leading_zeros": lambda t, a: BITS[t] - (a & (2 ** BITS[t] - 1)).bit_length(),
    "population_count": lambda t, a: bin(a & (2 ** BITS[t] - 1)).count("1"),
    "is_nan": lambda t, a: int(math.isnan(a)),
    "is_infinity": lambda t, a: int(math.isinf(a)),
    "logical_not": lambda t, a: int(not nonzero(a)),
}

# Two operands of one type and a result of that type.
BINARY = {
    "add": add,
    "subtract": subtract,
    "multiply": multiply,
    "divide": divide,
    "remainder": remainder,
    "quotient": quotient,
    "pow": power,
    "max": maximum,
    "min": minimum,
    "bitwise_and": lambda t, a, b: a & b,
    "bitwise_or": lambda t, a, b: a | b,
    "bitwise_xor": lambda t, a, b: a ^ b,
    "left_shift": left_shift,
    "right_shift": right_shift,
}

# Two operands and 0 or 1 as u8.
PREDICATES = {
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "greater": lambda a, b: a > b,
    "less": lambda a, b: a < b,
    "greater_equal": lambda a, b: a >= b,
    "less_equal": lambda a, b: a <= b,
    "logical_and": lambda a, b: nonzero(a) and nonzero(b),
    "logical_or": lambda a, b: nonzero(a) or nonzero(b),
    "logical_xor": lambda a, b: nonzero(a) != nonzero(b),
}

FLOAT_ONLY = ["ceil", "floor", "round", "sqrt", "is_nan", "is_infinity", "divide"]
INT_ONLY = [
    "bitwise_not",
    "count_leading_zeros",
    "population_count",
    "quotient",
    "pow",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
]
