"""The rows of `nxv bench` for PyTorch, on the same machine.

    python3 bench/peers.py                          PyTorch's rows alone
    nxv bench --json > ours.json
    python3 bench/peers.py --ours ours.json         both, with ours / theirs: above 1 is faster
    python3 bench/peers.py --json                   for other programs

Kernels are timed by CUDA events around many runs in a row, the median of several rounds; latencies and transfers by the
clock. Matrix products use full f32 (no TF32).
"""

import argparse
import json
import re
import statistics
import time

import torch

GIB = 2**30
ROUNDS = 9


AROUND_ZERO, POSITIVE = (-10, 10), (1e-3, 10)
FUNCTIONS = [
    ("exp.f32", torch.float32, 4, torch.exp, AROUND_ZERO),
    ("sin.f32", torch.float32, 4, torch.sin, AROUND_ZERO),
    ("sin.f32.large", torch.float32, 4, torch.sin, (-1e6, 1e6)),
    ("tanh.f32", torch.float32, 4, torch.tanh, AROUND_ZERO),
    ("sigmoid.f32", torch.float32, 4, torch.sigmoid, AROUND_ZERO),
    ("erf.f32", torch.float32, 4, torch.erf, AROUND_ZERO),
    ("log.f32", torch.float32, 4, torch.log, POSITIVE),
    ("pow.f32", torch.float32, 4, torch.pow, POSITIVE),
    ("exp.f64", torch.float64, 8, torch.exp, AROUND_ZERO),
    ("sin.f64", torch.float64, 8, torch.sin, AROUND_ZERO),
    ("log.f64", torch.float64, 8, torch.log, POSITIVE),
    ("add.f16", torch.float16, 2, torch.add, AROUND_ZERO),
    ("exp.f16", torch.float16, 2, torch.exp, AROUND_ZERO),
    ("add.bf16", torch.bfloat16, 2, torch.add, AROUND_ZERO),
    ("exp.bf16", torch.bfloat16, 2, torch.exp, AROUND_ZERO),
]


def median(measure, rounds=ROUNDS):
    return statistics.median(measure() for _ in range(rounds))


def device_seconds(work, turns):
    """Seconds of one run of work(turn) on the device, many in a row; operands take turns, past every cache."""
    for turn in range(turns):
        work(turn)
    torch.cuda.synchronize()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    work(0)
    end.record()
    torch.cuda.synchronize()
    runs = max(turns, min(1000, int(0.05 / max(start.elapsed_time(end) / 1e3, 1e-6))))

    def once():
        start.record()
        for run in range(runs):
            work(run % turns)
        end.record()
        torch.cuda.synchronize()
        return start.elapsed_time(end) / 1e3 / runs

    once()
    return median(once)


def counters(shape, dtype):
    count = 1
    for dim in shape:
        count *= dim
    return torch.arange(count, device="cuda", dtype=torch.int64).to(dtype).reshape(shape)


def uniform(shape, dtype, low, high):
    return torch.empty(shape, device="cuda", dtype=dtype).uniform_(low, high)


def rates(elements, first, wanted):
    """(name, elements, bytes, flops, seconds) a row; all rows for the first size, additions for the others."""
    bits = elements.bit_length() - 1
    rows = 2 ** (bits // 2)
    columns = elements // rows

    def row(name, operands, out_bytes, run, flops=0, within=None):
        if not wanted(name):
            return None
        turns = 3

        def made(shape, dtype):
            return uniform(shape, dtype, *within) if within else counters(shape, dtype)

        sets = [[made(shape, dtype) for shape, dtype in operands] for _ in range(turns)]
        size = sum(t.numel() * t.element_size() for t in sets[0]) + out_bytes
        seconds = device_seconds(lambda turn: run(*sets[turn]), turns)
        largest = max([t.numel() for t in sets[0]], default=elements)
        sets.clear()
        torch.cuda.empty_cache()
        return {"name": name, "elements": largest, "bytes": size, "flops": flops, "seconds": seconds}

    types = {"f32": (torch.float32, 4), "f64": (torch.float64, 8)}
    for name, (dtype, width) in types.items():
        flat = [((elements,), dtype)]
        if first and name == "f32":
            yield row("copy.f32", flat, 4 * elements, lambda a: a.clone())
        yield row("add." + name, flat * 2, width * elements, lambda a, b: a + b)
    if not first:
        return
    for name, (dtype, width) in types.items():
        flat, matrix = [((elements,), dtype)], [((rows, columns), dtype)]
        yield row("sqrt." + name, flat, width * elements, torch.sqrt)
        yield row("multiply." + name, flat * 2, width * elements, lambda a, b: a * b)
        yield row("divide." + name, flat * 2, width * elements, lambda a, b: a / b)
        yield row("sum.%s.all" % name, matrix, width, torch.sum)
        yield row("sum.%s.axis0" % name, matrix, width * columns, lambda a: torch.sum(a, 0))
        yield row("sum.%s.axis1" % name, matrix, width * rows, lambda a: torch.sum(a, 1))
        yield row("transpose." + name, matrix, width * elements, lambda a: a.t().contiguous())
    for name, dtype, width, function, within in FUNCTIONS:
        inputs = 2 if function in (torch.pow, torch.add) else 1
        yield row(name, [((elements,), dtype)] * inputs, width * elements, function, within=within)
    flat, matrix = [((elements,), torch.float32)], [((rows, columns), torch.float32)]
    yield row("clip.f32", flat * 3, 4 * elements, torch.clamp)
    yield row("less.f32", flat * 2, elements, torch.lt)
    yield row("select.f32", [((elements,), torch.bool)] + flat * 2, 4 * elements, torch.where)
    yield row("as_type.f32-f64", flat, 8 * elements, lambda a: a.to(torch.float64))
    yield row("as_type.s32-f32", [((elements,), torch.int32)], 4 * elements, lambda a: a.to(torch.float32))
    yield row("add.f32.row", matrix + [((columns,), torch.float32)], 4 * elements, lambda a, b: a + b)
    yield row("add.f32.column", matrix + [((rows, 1), torch.float32)], 4 * elements, lambda a, b: a + b)
    yield row("reduce_max.f32.all", matrix, 4, torch.amax)
    yield row("reduce_max.f32.axis1", matrix, 4 * rows, lambda a: torch.amax(a, 1))
    span = (-10, 10)
    for name, (dtype, width) in types.items():
        yield row(
            "argmax.%s.axis1" % name, [((rows, columns), dtype)], 8 * rows, lambda a: torch.argmax(a, 1), within=span
        )
        fewer = [((elements // 4,), dtype)]
        yield row("cumulative_sum." + name, fewer, width * elements // 4, lambda a: torch.cumsum(a, 0), within=span)
        yield row("sort." + name, fewer, width * elements // 4, lambda a: torch.sort(a)[0], within=span)
    yield row("cumulative_sum.f32.axis0", matrix, 4 * elements, lambda a: torch.cumsum(a, 0), within=span)
    yield row("argsort.f32", [((elements // 4,), torch.float32)], elements, torch.argsort, within=span)
    few_rows = [((elements // 4096, 1024), torch.float32)]
    yield row("sort.f32.rows", few_rows, elements, lambda a: torch.sort(a, 1)[0], within=span)
    yield row("iota.f32", [], 4 * elements, lambda: torch.arange(elements, device="cuda", dtype=torch.float32))
    yield row("reverse.f32", matrix, 4 * elements, lambda a: torch.flip(a, [1]))
    yield row("concatenate.f32", [((elements // 2,), torch.float32)] * 2, 4 * elements, lambda a, b: torch.cat([a, b]))
    for size in (1024, 4096):
        for name, (dtype, width) in types.items():
            operands = [((size, size), dtype)] * 2
            yield row("dot.%s.%d" % (name, size), operands, width * size * size, torch.matmul, 2 * size**3)


def clocked(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def figures(wanted):
    if not any(wanted(name) for name in ("latency", "eager", "transfer")):
        return
    a, b = counters((1024,), torch.float32), counters((1024,), torch.float32)

    def small_add():
        a + b
        torch.cuda.synchronize()

    def dependent():
        x = a
        for _ in range(1000):
            x = x + b
        torch.cuda.synchronize()

    def independent():
        for _ in range(1000):
            a + b
        torch.cuda.synchronize()

    for work in (small_add, dependent, independent):
        work()
    yield "latency.small_add", "us", 1e6 * median(lambda: clocked(small_add), 2000)
    yield "eager.dependent", "us", 1e3 * median(lambda: clocked(dependent))
    yield "eager.independent", "us", 1e3 * median(lambda: clocked(independent))
    host = torch.ones(GIB // 4)
    there = host.cuda()

    def upload():
        host.cuda()
        torch.cuda.synchronize()

    upload(), there.cpu()
    yield "transfer.upload", "GB/s", GIB / 1e9 / median(lambda: clocked(upload))
    yield "transfer.download", "GB/s", GIB / 1e9 / median(lambda: clocked(there.cpu))


def report(sizes, wanted):
    torch.backends.cuda.matmul.allow_tf32 = False
    rows = []
    for index, elements in enumerate(sizes):
        for row in filter(None, rates(elements, index == 0, wanted)):
            out = {"name": row["name"], "elements": row["elements"], "microseconds": row["seconds"] * 1e6}
            key, work = ("gigaflops", row["flops"]) if row["flops"] else ("gigabytes_per_second", row["bytes"])
            rows.append({**out, key: work / row["seconds"] / 1e9})
    return {
        "device": torch.cuda.get_device_name(),
        "driver": "PyTorch " + torch.__version__,
        "rates": rows,
        "figures": [{"name": n, "unit": u, "value": v} for n, u, v in figures(wanted)],
    }


def speed(row):
    return row.get("gigaflops") or row.get("gigabytes_per_second")


def side_by_side(ours, theirs):
    print("%-22s %10s %12s %12s %8s" % ("", "elements", "nxv", "PyTorch", "ratio"))
    known = {(row["name"], row["elements"]): row for row in theirs["rates"]}
    for row in ours["rates"]:
        other = known.get((row["name"], row["elements"]))
        if other:
            unit = "GFLOP/s" if "gigaflops" in row else "GB/s"
            print(line(row["name"], row["elements"], speed(row), speed(other), unit, speed(row) / speed(other)))
    known = {figure["name"]: figure for figure in theirs["figures"]}
    for figure in ours["figures"]:
        other = known.get(figure["name"])
        if other:
            ratio = figure["value"] / other["value"]
            ratio = 1 / ratio if figure["unit"] == "us" else ratio
            print(line(figure["name"], "", figure["value"], other["value"], figure["unit"], ratio))


def line(name, elements, ours, theirs, unit, ratio):
    return "%-22s %10s %12.2f %12.2f %7.2fx  %s" % (name, elements, ours, theirs, ratio, unit)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ours", help="the output of nxv bench --json to compare with")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--sizes", default="28,27", help="powers of two: elements of the large tensors")
    parser.add_argument("--filter", default="", help="a regular expression: only rows whose name has it")
    options = parser.parse_args()
    sizes = [2 ** int(power) for power in options.sizes.split(",")]
    theirs = report(sizes, lambda name: re.search(options.filter, name))
    if options.json:
        print(json.dumps(theirs, indent=2))
    elif options.ours:
        with open(options.ours) as file:
            side_by_side(json.load(file), theirs)
    else:
        for row in theirs["rates"]:
            unit = "GFLOP/s" if "gigaflops" in row else "GB/s"
            print("%-22s %10d %12.2f %s" % (row["name"], row["elements"], speed(row), unit))
        for figure in theirs["figures"]:
            print("%-22s %10s %12.2f %s" % (figure["name"], "", figure["value"], figure["unit"]))


if __name__ == "__main__":
    main()
