"""Writes the NumPy files of demo/ and what a few ops must make of them, worked out with integers and fractions.

demo/steps.txt names the runs: the arguments of `nxv run` without --out, a tab, the file with the expected result.

    python3 test/data/make_demo.py [FOLDER]
"""

import pathlib
import struct
import sys
from fractions import Fraction

FOLDER = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("demo")
FORMATS = {"<i4": "i", "<f4": "f", "<f8": "d"}

# Pieces of six goods that four shops sold, and the price of each good.
SALES = [[3, 0, 7, 2, 11, 5], [8, 1, 0, 4, 6, 9], [2, 2, 2, 2, 2, 2], [0, 13, 5, 1, 3, 8]]
PRICES = [1.25, 19.5, 0.75, 4.0, 2.5, 12.125]
# Degrees Celsius, three places, four times a day; and what each thermometer reads too high.
READINGS = [[-4.5, 1.25, 6.0, -0.5], [11.0, 17.75, 23.5, 15.0], [24.25, 29.0, 33.5, 27.75]]
ERRORS = [[0.25], [-0.5], [1.0]]


def write(name, descr, shape, values):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %r, }" % (descr, tuple(shape))
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = b"".join(struct.pack("<" + FORMATS[descr], value) for value in values)
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
    (FOLDER / name).write_bytes(start + header.encode() + data)


def flat(rows):
    return [value for row in rows for value in row]


def main():
    FOLDER.mkdir(exist_ok=True)
    write("sales.npy", "<i4", (4, 6), flat(SALES))
    write("prices.npy", "<f8", (6,), PRICES)
    write("readings.npy", "<f4", (3, 4), flat(READINGS))
    write("errors.npy", "<f4", (3, 1), flat(ERRORS))

    steps = []

    def step(arguments, name, descr, shape, values):
        write(name, descr, shape, [float(v) if descr != "<i4" else v for v in values])
        steps.append("%s\t%s\n" % (arguments, name))

    corrected = [[Fraction(r) - Fraction(e[0]) for r in row] for row, e in zip(READINGS, ERRORS)]
    step("subtract --in readings.npy --in errors.npy", "corrected.npy", "<f4", (3, 4), flat(corrected))
    goods = [sum(shop[i] for shop in SALES) for i in range(6)]
    step("sum --in sales.npy --attr axes=[0]", "goods.npy", "<i4", (6,), goods)
    takings = [sum(n * Fraction(p) for n, p in zip(shop, PRICES)) for shop in SALES]
    step(
        "dot --in sales.npy --in prices.npy --attr contract_a=[1] --attr contract_b=[0]",
        "takings.npy",
        "<f8",
        (4,),
        takings,
    )
    turned = [SALES[shop][good] for good in range(6) for shop in range(4)]
    step("transpose --in sales.npy --attr axes=[1,0]", "by_good.npy", "<i4", (6, 4), turned)
    halves = [Fraction(v) / 2 for v in flat(READINGS)]
    step("divide --in readings.npy --in 2", "halves.npy", "<f4", (3, 4), halves)
    (FOLDER / "steps.txt").write_text("".join(steps))


if __name__ == "__main__":
    main()
