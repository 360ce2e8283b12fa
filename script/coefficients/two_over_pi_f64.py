#!/usr/bin/env python3
"""Writes kernels/lib/two_over_pi_f64.glsl: windows of the bits of 2/π, by selects rather than a table in memory."""

import pathlib

import mpmath

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / "kernels" / "lib"
WINDOW = 7  # words that a call gives
PADDING = 2  # zero words before the first
WORDS = 39
STEPS = [32, 16, 8, 4, 2, 1]


def main():
    mpmath.mp.prec = 32 * WORDS + 64
    bits = int(mpmath.floor(mpmath.ldexp(2 / mpmath.pi, 32 * (WORDS - PADDING))))
    words = [0] * PADDING + [bits >> 32 * k & 0xFFFFFFFF for k in reversed(range(WORDS - PADDING))]
    names = [f"0x{word:08x}u" for word in words]
    lines = ["#pragma once", "// Written by script/coefficients/two_over_pi_f64.py.", ""]
    lines += ["// Words index … index + 6 of the fraction of 2/π, after two words of zeros; index ≤ 32."]
    lines += [f"void two_over_pi(uint index, {', '.join(f'out uint w{k}' for k in range(WINDOW))}) {{"]
    for step in STEPS:
        kept = WINDOW if step == 32 else WINDOW + step - 1
        lines.append(f"  const bool by_{step} = (index & {step}u) != 0u;")
        chosen = [f"s{step}_{k}" for k in range(kept)]
        for k in range(kept):
            lines.append(f"  const uint {chosen[k]} = by_{step} ? {names[k + step]} : {names[k]};")
        names[:kept] = chosen
    lines += [f"  w{k} = {names[k]};" for k in range(WINDOW)] + ["}"]
    (LIBRARY / "two_over_pi_f64.glsl").write_text("\n".join(lines) + "\n")


main()
