"""Writes cases.jsonl: reference cases worked out with Python's numbers, never by the program under test.

    python3 test/data/make_cases.py           writes the file
    python3 test/data/make_cases.py --check   fails where the file isn't what would be written

A line is a case: id, op and opts as Nx spells them, inputs and output with their bytes in hexadecimal, tolerance, tags.
"""

import functools
import json
import pathlib
import sys

import arithmetic
import layout
from layout import Tensor
from numbers_of import BITS, FLOATS, HUGE, INF, INTS, NAN, OTHER_INTS, TINY, TYPES
from numbers_of import cast, fit, high, is_float, is_subnormal, low, merge, wrap

TARGET = pathlib.Path(__file__).with_name("cases.jsonl")
CASES = []
EXACT = {"kind": "exact", "value": 0}
EQUAL = {"kind": "ulp", "value": 0}  # -0 equals 0
ARITHMETIC = {"add", "subtract", "multiply", "divide", "remainder", "sqrt", "sum", "product"}


def case(op, opts, inputs, output, tol=EXACT, tags=()):
    tags = list(tags)
    if op in ARITHMETIC and any(is_subnormal(t.type, v) for t in [*inputs, output] for v in t.values):
        tags.append("subnormal")
    entry = {
        "id": "own-%04d-%s" % (len(CASES) + 1, op),
        "op": op,
        "opts": opts,
        "inputs": [tensor.json() for tensor in inputs],
        "output": [output.json()],
        "tol": tol,
    }
    CASES.append({**entry, "tags": tags} if tags else entry)


class Numbers:
    """A fixed stream of numbers, the same in every Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def small(self, type, span=9):
        value = self.below(2 * span + 1) - (0 if type[0] == "u" else span)
        return value / 4 if is_float(type) else value

    def tensor(self, type, shape, span=9):
        return layout.build(type, shape, lambda _: self.small(type, span))


RANDOM = Numbers(20)


def special(type):
    """Values at the edges of the type."""
    if not is_float(type):
        return sorted(
            {low(type), low(type) + 1, -1 if low(type) else 7, 0, 1, 2, 5, high(type) // 2, high(type) - 1, high(type)}
        )
    return [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1.5, 3.0, HUGE[type], -HUGE[type], TINY[type], INF, -INF, NAN]


def vector(type, values):
    return Tensor(type, (len(values),), list(values))


def result_type(op, type):
    return "u8" if op in ("is_nan", "is_infinity", "logical_not") or op in arithmetic.PREDICATES else type


def types_of(op):
    return FLOATS if op in arithmetic.FLOAT_ONLY else INTS if op in arithmetic.INT_ONLY else TYPES


def unary():
    for op, function in arithmetic.UNARY.items():
        for type in types_of(op):
            values = special(type)
            if is_float(type) and op != "sqrt":
                values = values + [fit(type, x) for x in (0.49999997, -0.5, 2.5, 8388609.0, TINY[type] / 4)]
            if op == "sqrt":
                values = values + [2.0, 16.0, fit(type, 1e-30)]
            a = vector(type, values)
            case(op, {}, [a], Tensor(result_type(op, type), a.shape, [function(type, x) for x in values]))


def pairs_of(type, shift):
    values = special(type)
    return values, values[shift:] + values[:shift]


def elementwise(op, a, b, out):
    """The operands cast to the type they meet in, broadcast, combined."""
    type = merge(a.type, b.type) if out == "u8" and op in arithmetic.PREDICATES else out

    def value(index):
        x, y = (cast(type, layout.seen_at(t, index), t.type) for t in (a, b))
        if op in arithmetic.PREDICATES:
            return int(arithmetic.PREDICATES[op](x, y))
        return arithmetic.BINARY[op](type, x, y)

    return layout.build(out, layout.broadcast_shape(a.shape, b.shape), value)


def shifted(op, type, values):
    """Amounts of shifts and exponents that mean something: none below zero for shifts."""
    if op in ("left_shift", "right_shift"):
        return [x % (BITS[type] + 9) for x in values]
    return [x % 12 - (2 if type[0] == "s" else 0) for x in values] if op == "pow" else values


def binary():
    for op in [*arithmetic.BINARY, *arithmetic.PREDICATES]:
        for type in types_of(op):
            for shift in (1, 4):
                left, right = pairs_of(type, shift)
                a, b = vector(type, left), vector(type, shifted(op, type, right))
                case(op, {}, [a, b], elementwise(op, a, b, result_type(op, type)))


def broadcasting():
    for type in TYPES:
        shapes = [((), (5,)), ((5,), ()), ((3, 1), (4,)), ((2, 3), (3,)), ((2, 1, 3), (4, 1)), ((67,), (67,))]
        for left, right in shapes:
            a, b = RANDOM.tensor(type, left), RANDOM.tensor(type, right)
            case("subtract", {}, [a, b], elementwise("subtract", a, b, type), EQUAL)
    for left in TYPES:
        for right in TYPES:
            if left == right:
                continue
            a, b = RANDOM.tensor(left, (2, 3)), RANDOM.tensor(right, (3,))
            case("add", {}, [a, b], elementwise("add", a, b, merge(left, right)), EQUAL)
            case("less", {}, [a, b], elementwise("less", a, b, "u8"))
    for type in INTS:
        a, b = RANDOM.tensor(type, (9,)), vector(type, [1, 2, 3, 4, 5, 6, 7, 8, 9])
        quotients = [
            arithmetic.divide("f32", cast("f32", x, type), cast("f32", y, type)) for x, y in zip(a.values, b.values)
        ]
        case("divide", {}, [a, b], Tensor("f32", (9,), quotients))


def choices():
    for type in TYPES:
        a, b = vector(type, special(type)), vector(type, special(type)[::-1])
        n = len(a.values)
        for predicate in (vector("u8", [i % 3 for i in range(n)]), vector("f32", [NAN, 0.0, -0.0, INF] * n)):
            p = Tensor(predicate.type, (n,), predicate.values[:n])
            chosen = [x if c != 0 else y for c, x, y in zip(p.values, a.values, b.values)]
            case("select", {}, [p, a, b], Tensor(type, (n,), chosen))
        p, a, b = vector("u8", [1, 0, 2]), RANDOM.tensor(type, (2, 3)), RANDOM.tensor(type, (2, 3))
        spread = layout.broadcast(p, (2, 3))
        case("select", {}, [spread, a, b], layout.build(type, (2, 3), lambda i: (a if spread.at(i) else b).at(i)))
        bounds = Tensor(type, (), [fit(type, 1)]), Tensor(type, (), [fit(type, 5)])
        t = vector(type, [x for x in special(type) if x == x])
        clipped = [min(max(x, bounds[0].values[0]), bounds[1].values[0]) for x in t.values]
        case("clip", {}, [t, *bounds], Tensor(type, t.shape, clipped))


def casts():
    extra = [254.9, -0.9, 255.5, 2147483520.0, 4294967040.0, 1e10, -1e10, 9.3e18, 1e20]
    for source in TYPES:
        values = special(source) + ([fit(source, x) for x in extra] if is_float(source) else [])
        if source == "s64":
            values = values + [2**53 + 1, 2**24 + 1, -(2**62) - 1, 2**40 + 2**16 + 1]
        for target in TYPES:
            out = [cast(target, x, source) for x in values]
            flushed = any(is_subnormal(target, x) for x in out)
            tags = ["subnormal"] if flushed else []
            case("as_type", {"type": target}, [vector(source, values)], vector(target, out), tags=tags)


def made_of_nothing():
    for type in TYPES:
        for shape, axis in [((7,), 0), ((3, 4), None), ((3, 4), 0), ((2, 3, 5), 1), ((), None), ((300,), None)]:
            numbers = range(layout.size(shape)) if axis is None else [index[axis] for index in layout.indices(shape)]
            out = Tensor(type, shape, [cast(type, number, "s64") for number in numbers])
            case("iota", {"shape": list(shape), "axis": axis, "type": type}, [], out)
        for shape in [(1, 1), (3, 3), (2, 5), (2, 4, 3)]:
            out = layout.build(type, shape, lambda index: fit(type, int(index[-1] == index[-2])))
            case("eye", {"shape": list(shape), "type": type}, [], out)


def counted(type, shape):
    """Every element another one, as far as the type goes."""
    return Tensor(type, tuple(shape), [fit(type, i % 251 + 1) for i in range(layout.size(shape))])


def movement():
    for type in TYPES:
        t = counted(type, (2, 3, 4))
        for axes in [(0, 1, 2), (2, 1, 0), (0, 2, 1), (1, 0, 2), (1, 2, 0)]:
            case("transpose", {"axes": list(axes)}, [t], layout.transpose(t, axes))
        for axes in [[0], [1, 2], [0, 1, 2]]:
            case("reverse", {"axes": axes}, [t], layout.reverse(t, axes))
        row = counted(type, (3, 1))
        case("broadcast", {"shape": [2, 3, 4]}, [row], layout.broadcast(row, (2, 3, 4)))
        flat = counted(type, (2, 3))
        case("broadcast", {"shape": [2, 4, 3], "axes": [0, 2]}, [flat], layout.broadcast(flat, (2, 4, 3), [0, 2]))
        case("tile", {"repetitions": [2, 3]}, [flat], layout.tile(flat, [2, 3]))
        case("reshape", {"shape": [3, 8]}, [t], Tensor(type, (3, 8), t.values))
        one = counted(type, (1, 3, 1, 2))
        case("squeeze", {"axes": [0, 2]}, [one], Tensor(type, (3, 2), one.values))
        slices(type, t)
        paddings(type)
        parts = [counted(type, (2, n, 2)) for n in (1, 3, 2)]
        case("concatenate", {"axis": 1}, parts, layout.concatenate(parts, 1))
        case("concatenate", {"axis": 0}, [t, t], layout.concatenate([t, t], 0))
        for axis in (0, 1, 2):
            case(
                "stack",
                {"axis": axis},
                [flat, layout.reverse(flat, [0])],
                layout.stack([flat, layout.reverse(flat, [0])], axis),
            )
    wide = counted("f32", (35, 67))
    case("transpose", {"axes": [1, 0]}, [wide], layout.transpose(wide, [1, 0]))
    deep = counted("u8", (2, 1, 3, 2, 1, 2, 2))
    case("transpose", {"axes": [6, 0, 5, 2, 4, 3, 1]}, [deep], layout.transpose(deep, [6, 0, 5, 2, 4, 3, 1]))


def slices(type, t):
    for starts, lengths, strides in [
        ([0, 1, 1], [2, 2, 3], [1, 1, 1]),
        ([1, 0, 0], [1, 3, 4], [1, 2, 3]),
        ([5, -3, 2], [1, 2, 3], [1, 1, 2]),
    ]:
        opts = {"lengths": lengths, "strides": strides}
        out = layout.slice_of(t, starts, lengths, strides)
        if min(starts) >= 0 and max(starts) < 2:
            case("slice", {"starts": starts, **opts}, [t], out)
        case("slice", opts, [t, *(Tensor("s32", (), [s]) for s in starts)], out, tags=["dynamic"])
    part = Tensor(type, (1, 2, 2), [fit(type, x) for x in (101, 102, 103, 104)])
    for starts in [(0, 1, 2), (1, 0, 0), (9, -1, 3)]:
        out = layout.put_slice(t, starts, part)
        if min(starts) >= 0 and max(starts) < 3:
            case("put_slice", {"starts": list(starts)}, [t, part], out)
        case("put_slice", {}, [t, part, *(Tensor("s64", (), [s]) for s in starts)], out, tags=["dynamic"])


def paddings(type):
    t, value = counted(type, (3, 4)), Tensor(type, (), [fit(type, 99)])
    for config in [
        [(1, 2, 0), (0, 0, 0)],
        [(0, 0, 1), (2, 1, 2)],
        [(-1, 0, 0), (1, -2, 0)],
        [(-1, 2, 1), (-2, -1, 2)],
    ]:
        case("pad", {"config": [list(axis) for axis in config]}, [t, value], layout.pad(t, value.values[0], config))


def folded(op, type):
    """How a list of elements comes down to one. The floats used here add up exactly in any order."""
    if op == "sum":
        return lambda values: fit(type, sum(values))
    if op == "product":
        return lambda values: functools.reduce(lambda a, b: arithmetic.multiply(type, a, b), values)
    if op in ("all", "any"):
        return lambda values: int({"all": all, "any": any}[op](v != 0 for v in values))
    pick = arithmetic.maximum if op == "reduce_max" else arithmetic.minimum
    return lambda values: functools.reduce(lambda a, b: pick(type, a, b), values)


def reductions():
    axes_of = {
        (5,): [None, [0]],
        (2, 3): [None, [0], [1], [0, 1], [-1]],
        (3, 4, 5): [[0], [1], [2], [0, 2], [1, 2]],
        (2, 3, 2, 4): [[1, 3], [0, 2]],
        (70, 3): [[0]],
    }
    for op in ("sum", "product", "reduce_max", "reduce_min", "all", "any"):
        for type in TYPES:
            out = "u8" if op in ("all", "any") else "u32" if type == "u8" and op in ("sum", "product") else type
            for shape, choices in axes_of.items():
                for n, axes in enumerate(choices):
                    t = factors(type, shape) if op == "product" else RANDOM.tensor(type, shape, 2 if op == "all" else 9)
                    positive = [a % len(shape) for a in axes] if axes is not None else list(range(len(shape)))
                    keep = n % 2 == 1
                    opts = {**({"axes": axes} if axes is not None else {}), **({"keep_axes": True} if keep else {})}
                    result = layout.reduce(t, positive, keep, folded(op, out if out != "u8" else type), out)
                    case(op, opts, [t], result, EQUAL if is_float(type) else EXACT)
    for type in TYPES:
        t = RANDOM.tensor(type, (3, 300))
        out = "u32" if type == "u8" else type
        for axes in ([1], [0, 1]):
            case("sum", {"axes": axes}, [t], layout.reduce(t, axes, False, folded("sum", out), out), EQUAL)


def factors(type, shape):
    """Ones and a few other factors: the product neither vanishes nor rounds."""
    few = [2, 3] if type[0] == "u" else [2, -1]
    return layout.build(type, shape, lambda _: fit(type, few[RANDOM.below(2)] if RANDOM.below(6) == 0 else 1))


def reduction_edges():
    for type in FLOATS:
        for values in ([1.0, NAN, 3.0], [-INF, -INF], [INF, 1.0, -INF], [-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]):
            t = vector(type, values)
            for op in ("reduce_max", "reduce_min"):
                case(op, {}, [t], layout.reduce(t, [0], False, folded(op, type), type))
            for op in ("all", "any"):
                case(op, {}, [t], layout.reduce(t, [0], False, folded(op, type), "u8"))
            total = NAN if NAN in values or (INF in values and -INF in values) else sum(values)
            case("sum", {}, [t], Tensor(type, (), [total]), EQUAL)
    for type in INTS:
        out = "u32" if type == "u8" else type
        t = vector(type, [high(type)] * 300)
        case("sum", {}, [t], Tensor(out, (), [wrap(out, 300 * high(type))]), tags=["overflow"])
        case("product", {}, [t], Tensor(out, (), [wrap(out, high(type) ** 300)]), tags=["overflow"])
        case("reduce_min", {}, [t], Tensor(type, (), [high(type)]))


def products_of(type):
    return lambda pairs: fit(type, sum(x * y for x, y in pairs))


def dots():
    shapes = [
        ((5,), (5,), [[0], [0]], [[], []]),
        ((3, 4), (4, 5), [[1], [0]], [[], []]),
        ((3, 4), (5, 3), [[0], [1]], [[], []]),
        ((3, 4), (4,), [[1], [0]], [[], []]),
        ((2, 3, 4), (2, 4, 3), [[2], [1]], [[0], [0]]),
        ((2, 2, 3), (2, 3, 2), [[1, 2], [2, 1]], [[0], [0]]),
        ((2, 3), (4,), [[], []], [[], []]),
        ((3, 2, 4), (2, 4, 3), [[2], [1]], [[0, 1], [2, 0]]),
        ((1, 70), (70, 1), [[1], [0]], [[], []]),
    ]
    large = ((33, 17), (17, 35), [[1], [0]], [[], []])
    mixed = [("u8", "s32"), ("s32", "f32"), ("f32", "f64")]
    for a_type, b_type in [(type, type) for type in TYPES] + mixed:
        out = merge(a_type, b_type)
        for a_shape, b_shape, contract, batch in (
            shapes + [large] * (a_type == "f32") if a_type == b_type else shapes[1:2]
        ):
            a, b = RANDOM.tensor(a_type, a_shape), RANDOM.tensor(b_type, b_shape)
            result = layout.dot(a, b, contract, batch, products_of(out), out)
            case("dot", {"contract": contract, "batch": batch}, [a, b], result, EQUAL if is_float(out) else EXACT)


def other_types():
    """Some of it for the types that the groups above leave out."""
    for type in OTHER_INTS:
        values = special(type)
        for op, function in arithmetic.UNARY.items():
            if op in arithmetic.FLOAT_ONLY:
                continue
            case(op, {}, [vector(type, values)], vector(result_type(op, type), [function(type, x) for x in values]))
        for op in [*arithmetic.BINARY, *arithmetic.PREDICATES]:
            if op in arithmetic.FLOAT_ONLY:
                continue
            left, right = pairs_of(type, 1)
            a, b = vector(type, left), vector(type, shifted(op, type, right))
            case(op, {}, [a, b], elementwise(op, a, b, result_type(op, type)))
        out = {"u16": "u32", "u64": "s64", "s8": "s32", "s16": "s32"}[type]
        total = wrap(out, 300 * high(type))
        case("sum", {}, [vector(type, [high(type)] * 300)], Tensor(out, (), [total]), tags=["overflow"])
        t = counted(type, (2, 3, 4))
        case("transpose", {"axes": [2, 0, 1]}, [t], layout.transpose(t, (2, 0, 1)))
        case("slice", {"starts": [0, 1, 1], "lengths": [2, 2, 3], "strides": [1, 1, 2]}, [t],
             layout.slice_of(t, [0, 1, 1], [2, 2, 3], [1, 1, 2]))  # fmt: skip
        case("iota", {"shape": [300], "axis": 0, "type": type}, [], vector(type, [wrap(type, i) for i in range(300)]))
    others = [*OTHER_INTS, "f16"]
    for source in [*TYPES, *others]:
        values = special(source)
        for target in [*TYPES, *others]:
            if source in others or target in others:
                out = [cast(target, x, source) for x in values]
                tags = ["subnormal"] if any(is_subnormal(t, x) for t, x in zip([target] * len(out), out)) else []
                case("as_type", {"type": target}, [vector(source, values)], vector(target, out), tags=tags)


def main():
    for group in (
        unary,
        binary,
        broadcasting,
        choices,
        casts,
        made_of_nothing,
        movement,
        reductions,
        reduction_edges,
        dots,
        other_types,
    ):
        group()
    text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in CASES)
    if "--check" in sys.argv[1:]:
        if TARGET.read_text() != text:
            sys.exit("%s differs from what %s writes" % (TARGET, __file__))
        return
    TARGET.write_text(text)
    print("%d cases, %d bytes" % (len(CASES), len(text)))


if __name__ == "__main__":
    main()
