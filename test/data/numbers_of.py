"""Element types as Python numbers: exact integers, floats rounded once. Only the standard library."""

import math
import struct

FORMATS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "s8": "b", "s16": "h", "s32": "i", "s64": "q"}
FORMATS |= {"f16": "e", "f32": "f", "f64": "d"}
BITS = {type: 8 * struct.calcsize("<" + format) for type, format in FORMATS.items()}
INTS = ["u8", "u32", "s32", "s64"]
FLOATS = ["f32", "f64"]
OTHER_INTS = ["u16", "u64", "s8", "s16"]
TYPES = INTS + FLOATS
TINY = {"f16": 2.0**-14, "f32": 2.0**-126, "f64": 2.0**-1022}  # the smallest normal number
HUGE = {"f16": 65504.0, "f32": (2.0 - 2.0**-23) * 2.0**127, "f64": (2.0 - 2.0**-52) * 2.0**1023}
NAN, INF = math.nan, math.inf


def is_float(type):
    return type[0] == "f"


def low(type):
    return 0 if type[0] == "u" else -(2 ** (BITS[type] - 1))


def high(type):
    return 2 ** BITS[type] - 1 if type[0] == "u" else 2 ** (BITS[type] - 1) - 1


def wrap(type, value):
    """An integer's low bits as the type reads them."""
    value &= 2 ** BITS[type] - 1
    return value - 2 ** BITS[type] if value > high(type) else value


def rounded(type, value):
    """A double rounded to f16 or f32. For + - * / and sqrt of such numbers the two roundings are as good as one."""
    format = "<" + FORMATS[type]
    try:
        return struct.unpack(format, struct.pack(format, value))[0]
    except OverflowError:
        return math.copysign(INF, value)


def fit(type, value):
    """The value of an operation as the type holds it."""
    if not is_float(type):
        return wrap(type, value)
    return float(value) if type == "f64" else rounded(type, value)


def from_integer(type, value):
    """An integer of any size as a float, rounded once."""
    if type != "f32":
        return fit(type, float(value))  # what f16 holds is exact as a double
    exact = abs(value)
    spare = max(exact.bit_length() - 24, 0)
    kept, lost, half = exact >> spare, exact & ((1 << spare) - 1), (1 << spare) >> 1
    if lost > half or (spare and lost == half and kept & 1):
        kept += 1
    return math.copysign(float(kept << spare), value) if value else 0.0


def cast(type, value, source):
    """XLA's rules: floats truncate, then saturate, NaN gives 0; integers wrap."""
    if is_float(type):
        return fit(type, value) if is_float(source) else from_integer(type, value)
    if not is_float(source):
        return wrap(type, value)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high(type) if value > 0 else low(type)
    return min(max(math.trunc(value), low(type)), high(type))


def pack(type, values):
    return b"".join(struct.pack("<" + FORMATS[type], v) for v in values)


def is_subnormal(type, value):
    return is_float(type) and value != 0 and abs(value) < TINY[type]


def merge(a, b):
    """The type two operands meet in."""
    if is_float(a) or is_float(b):
        return max((t for t in (a, b) if is_float(t)), key=BITS.get)
    if a[0] == b[0]:
        return max(a, b, key=BITS.get)
    unsigned, signed = (a, b) if a[0] == "u" else (b, a)
    return "s%d" % max(min(64, max(2 * BITS[unsigned], 32)), BITS[signed])
