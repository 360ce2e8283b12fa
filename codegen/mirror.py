"""The GLSL library as C++: the reference of ops whose mathematics is defined by their own code.

An op with an `expr` and an `include` is its own reference for the types of which its `ref` says nothing. The files it
includes are translated here, so that the host computes the bits that every device must give; how near those are to the
truth, `nxv verify` tells.
What the files may use is what test/cpp/support/glsl.h offers; their functions are overloads by type, without A_COMPUTE.
"""

import re

from codegen import catalog
from codegen.source import CatalogError

NUMBER = re.compile(r"(?<![\w.])((?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)(lf|LF|f|F)?(?![\w.])")
PARAMETER = re.compile(r"(?<=[(,])(\s*)(?:const\s+)?(in|out|inout)\s+(\w+)\s+")
ARRAY = re.compile(r"\b\w+\s*\[\s*\w*\s*\]\s*\(")
COMMENT = re.compile(r"//.*$")
SKIPPED = re.compile(r"^\s*#\s*(line|extension)\b")


def _number(match):
    digits, suffix = match.groups()
    return digits if suffix in ("lf", "LF") else digits + "f"


def _parameter(match):
    space, direction, dtype = match.groups()
    return f"{space}{dtype} " if direction == "in" else f"{space}{dtype}& "


def _braces(text):
    """Array constructors `float[2](a, b)` as initialisers `{a, b}`."""
    while True:
        match = ARRAY.search(text)
        if not match:
            return text
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: match.start()] + "{" + text[match.end() : end - 1] + "}" + text[end:]


def translate(lines):
    kept = []
    for line in lines:
        if SKIPPED.match(line):
            continue
        line = COMMENT.sub("", line).rstrip()
        if line:
            kept.append(line if line.lstrip().startswith("#") else NUMBER.sub(_number, line))
    return PARAMETER.sub(_parameter, _braces("\n".join(kept))) + "\n"


def mirrored(op, signature):
    """Whether the op is its own reference for these types."""
    return op.expr is not None and bool(op.include) and not catalog.speaks(op.ref, signature)


def function_name(op, signature):
    return f"{op.name}_{signature.types.replace('-', '_')}"


def library(families, sources):
    """The translated files, then a function for each signature of each mirrored op."""
    seen, lines, functions = set(), [], []
    for family in families:
        for op in family.ops:
            signatures = [signature for signature in op.signatures if mirrored(op, signature)]
            for name in op.include if signatures else ():
                sources.expand(name, op.where, seen, lines)
            functions += [_function(op, signature) for signature in signatures]
    return translate(lines) + "".join(sorted(functions))


def _function(op, signature):
    expr = catalog.select(op.expr, signature, "expr")
    if "_COMPUTE" in expr:
        raise CatalogError(op.where, f"op {op.name}: an expr without ref names types of its own, not A_COMPUTE")
    letters = "abc"
    arguments = ", ".join(f"{dtype.compute} {letters[i]}" for i, dtype in enumerate(signature.inputs))
    body = translate([" ".join(expr.split())]).strip()
    return f"{signature.out.compute} {function_name(op, signature)}({arguments}) {{ return {body}; }}\n"
