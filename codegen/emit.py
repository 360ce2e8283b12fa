"""The tables of generated/: for C++ and for Elixir. Pure text, no compiler."""

from codegen import catalog, mirror
from codegen.schema import CAPS

HEADER = "{0} Written by python3 -m codegen from kernels/catalog. Do not edit.\n"


def _string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _caps(names):
    return " | ".join(CAPS[name] for name in names) or "0"


def _cpp(rows):
    return HEADER.format("//") + "// clang-format off\n" + "".join(rows) + "// clang-format on\n"


def types_inc(table):
    kinds = {"float": "float_"}
    return _cpp(
        f"NXV_TYPE({dtype.name}, {kinds.get(dtype.kind, dtype.kind)}, {dtype.bits}, {_caps(dtype.caps)}, "
        f"{_string(dtype.npy)})\n"
        for dtype in table.values()
        if not dtype.is_width
    )


def _ulp(op, signature):
    return str(catalog.select(op.ulp, signature, "ulp"))


def _ops(families):
    pairs = [(family, op) for family in families for op in family.ops]
    return sorted(pairs, key=lambda pair: pair[1].name)


def catalog_inc(families, variants):
    """NXV_FAMILY(name, whether the compiler may contract), NXV_OP, NXV_SIGNATURE(family, op, types, operand types,
    output type, bound in ULP) and NXV_VARIANT, each taken alone."""
    rows = ["#ifdef NXV_FAMILY\n"]
    rows += [f"NXV_FAMILY({_string(family.name)}, {str(family.contract).lower()})\n" for family in families]
    rows.append("#endif\n#ifdef NXV_OP\n")
    for family, op in _ops(families):
        rows.append(f"NXV_OP({_string(family.name)}, {_string(op.name)}, {family.inputs}, {_string(op.nx)})\n")
    rows.append("#endif\n#ifdef NXV_SIGNATURE\n")
    for family, op in _ops(families):
        for signature in op.signatures:
            inputs = ",".join(dtype.name for dtype in signature.inputs)
            names = ", ".join(map(_string, (family.name, op.name, signature.types, inputs, signature.out.name)))
            rows.append(f"NXV_SIGNATURE({names}, {_ulp(op, signature)})\n")
    rows.append("#endif\n#ifdef NXV_VARIANT\n")
    for variant in variants:
        signature = variant.signature
        names = ", ".join(map(_string, (variant.key, variant.op.name, signature.types, variant.access)))
        out = _string(signature.out.name)
        rows.append(f"NXV_VARIANT({names}, {_caps(variant.caps)}, {variant.elems}, {out})\n")
    rows.append("#endif\n")
    return _cpp(rows)


def oracle_inc(families):
    """NXV_ORACLE(family, op, types, inputs, (input types), output type, domain, ulp, reference…)."""
    rows = []
    for family, op in _ops(families):
        if op.expr is None:
            continue
        for signature in op.signatures:
            if mirror.mirrored(op, signature):
                reference = f"glsl::{mirror.function_name(op, signature)}({', '.join('abc'[: family.inputs])})"
            else:
                reference = catalog.select(op.ref if op.ref is not None else op.expr, signature, "ref")
            names = ", ".join(map(_string, (family.name, op.name, signature.types)))
            inputs = ", ".join(dtype.cpp for dtype in signature.inputs)
            bounds = f"{_string(op.domain)}, {_ulp(op, signature)}"
            reference = " ".join(reference.split())
            rows.append(
                f"NXV_ORACLE({names}, {family.inputs}, ({inputs}), {signature.out.cpp}, {bounds}, {reference})\n"
            )
    return _cpp(rows)


def bounds_md(families):
    """The table of docs/NUMERICS.md: how far results may be from the exact ones."""
    rows = ["<!-- Written by python3 -m codegen from kernels/catalog. Do not edit. -->\n\n"]
    rows.append("| function | bound in ULP | types | |\n| --- | --- | --- | --- |\n")
    for _, op in _ops(families):
        bounds = {}
        for signature in op.signatures:
            bound = _ulp(op, signature)
            if op.expr is not None and bound != "0":
                bounds.setdefault(bound, []).append(signature.types)
        rows += [f"| {op.name} | {bound} | {', '.join(types)} | {op.doc} |\n" for bound, types in bounds.items()]
    return "".join(rows)


def catalog_exs(table, families):
    """A term: what lib/nx/vulkan/catalog.ex makes its functions of."""
    rows = [HEADER.format("#"), "%{\n  types: [\n"]
    dtypes = [dtype for dtype in table.values() if not dtype.is_width]
    rows += ",\n".join(f"    {{:{dtype.name}, :{dtype.kind}, {dtype.bits}}}" for dtype in dtypes)
    rows.append("\n  ],\n  ops: [\n")
    ops = []
    for family, op in _ops(families):
        types = ", ".join(_string(signature.types) for signature in op.signatures)
        nx = f":{op.nx}" if op.nx else "nil"
        ops.append(
            f"    %{{\n      name: :{_atom(op.name)},\n      family: :{family.name},\n      inputs: {family.inputs},\n"
            f"      nx: {nx},\n      types: [{types}],\n      doc: {_elixir_string(op.doc)}\n    }}"
        )
    rows.append(",\n".join(ops) + "\n  ]\n}\n")
    return "".join(rows)


def _atom(name):
    return _string(name) if name in ("and", "or", "not", "in", "when", "fn", "do", "end") else name


def _elixir_string(text):
    return _string(text).replace("#{", "\\#{")


def tables(table, families, variants, sources):
    """Path below generated/ → bytes."""
    texts = {
        "types.inc": types_inc(table),
        "catalog.inc": catalog_inc(families, variants),
        "oracle.inc": oracle_inc(families),
        "bounds.md": bounds_md(families),
        "oracle_library.inc": _cpp([mirror.library(families, sources)]),
        "catalog.exs": catalog_exs(table, families),
    }
    return {path: text.encode("utf-8") for path, text in texts.items()}
