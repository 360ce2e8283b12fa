"""From checked families to variants. Pure: the same catalog gives the same list, sorted by key."""

from dataclasses import dataclass

from codegen import catalog
from codegen.source import CatalogError, Fields


@dataclass(frozen=True)
class Variant:
    """One entry of the pack, before its GLSL is written."""

    key: str
    family: catalog.Family
    op: catalog.Op
    signature: catalog.Signature
    access: str
    caps: tuple  # sorted names
    elems: int
    expr: object  # None or a string
    defines: tuple  # of (macro, string)

    @property
    def operands(self):
        """(letter, type) of the inputs, then of the output."""
        inputs = [(chr(ord("A") + index), dtype) for index, dtype in enumerate(self.signature.inputs)]
        return [*inputs, ("Z", self.signature.out)]


def elems_of(signature):
    """Elements that one invocation handles as one vector: 16 bytes of the widest operand, at least 4 of the least.

    Functions of complex numbers are long: their modules hold them once.
    """
    dtypes = (*signature.inputs, signature.out)
    widths = [max(dtype.bits // 8, 1) for dtype in dtypes]
    widest = 16 if any(dtype.kind == "complex" for dtype in dtypes) else max(widths)
    return max(16 // widest, 4 // min(widths), 1)


def _caps_of(family, op, signature):
    caps = set(signature.out.caps)
    for dtype in signature.inputs:
        caps.update(dtype.caps)
    for value in (family.caps, op.caps):
        if isinstance(value, Fields):
            try:
                value = catalog.select(value, signature, "caps")
            except CatalogError:
                value = ()  # a map of capabilities speaks only of the types that need more
        caps.update(str(cap) for cap in value or ())
    return tuple(sorted(caps))


def _defines_of(family, op, signature):
    defines = {}
    for owner in (family, op):
        for name, value in owner.defines:
            defines[name] = str(catalog.select(value, signature, f"defines {name}"))
    return tuple(defines.items())


def _variant(family, op, signature, access):
    return Variant(
        key=f"{family.name}.{op.name}.{signature.types}.{access}",
        family=family,
        op=op,
        signature=signature,
        access=access,
        caps=_caps_of(family, op, signature),
        elems=family.elems or elems_of(signature),
        expr=None if op.expr is None else str(catalog.select(op.expr, signature, "expr")),
        defines=_defines_of(family, op, signature),
    )


def expand(families):
    variants = [
        _variant(family, op, signature, access)
        for family in families
        for op in family.ops
        for signature in op.signatures
        for access in op.access
    ]
    return sorted(variants, key=lambda variant: variant.key)
