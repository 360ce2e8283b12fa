"""The type table, kernels/catalog/dtypes.yaml."""

from dataclasses import dataclass

from codegen import schema
from codegen.source import CatalogError, parse

KINDS = ("uint", "sint", "bfloat", "float", "complex")
FIELDS = {"kind", "bits", "storage", "compute", "load", "store", "decode", "encode", "caps", "npy", "cpp", "nx"}


@dataclass(frozen=True)
class Dtype:
    name: str
    kind: str  # one of KINDS, or "bits" for a width
    bits: int
    storage: str
    compute: str
    load: str
    store: str
    decode: str  # of narrow floats, else empty
    encode: str
    caps: tuple
    npy: str
    cpp: str
    nx: str

    @property
    def is_width(self):
        return self.kind == "bits"

    def matches(self, selector):
        """Whether a catalog's map key speaks of this type: a kind, `int` for both integers, `float` for bfloat too."""
        return (
            selector == self.kind
            or (selector == "int" and self.kind in ("uint", "sint"))
            or (selector == "float" and self.kind == "bfloat")
        )


def _dtype(name, fields, is_width):
    what = f"type {name}"
    schema.as_fields(fields, what)
    schema.known_fields(fields, FIELDS - {"kind", "npy", "nx", "decode", "encode"} if is_width else FIELDS, what)

    def text(key, default=None):
        if key in fields or default is None:
            return str(schema.as_text(schema.required(fields, key, what), key))
        return default

    kind = "bits" if is_width else text("kind")
    if kind not in KINDS and not is_width:
        raise CatalogError(fields["kind"].where, f"unknown kind {kind}; known are {', '.join(KINDS)}")
    storage, decode, encode = text("storage"), text("decode", ""), text("encode", "")
    if bool(decode) != bool(encode) or (decode and ("load" in fields or "store" in fields)):
        raise CatalogError(fields.where, f"{what} needs decode and encode, or load and store")
    return Dtype(
        name=str(name),
        kind=kind,
        bits=schema.as_int(schema.required(fields, "bits", what), "bits", 1, 128),
        storage=storage,
        compute=text("compute"),
        load=decode.replace("(x)", "(uint(x))") or text("load", "(x)"),
        store=f"{storage}({encode})" if encode else text("store", "(x)"),
        decode=decode,
        encode=encode,
        caps=tuple(str(cap) for cap in schema.as_caps(fields["caps"], "caps")) if "caps" in fields else (),
        npy="" if is_width else text("npy"),
        cpp=text("cpp"),
        nx="" if is_width else text("nx"),
    )


def load(text, name):
    """Name → Dtype, in the file's order, widths last."""
    document = parse(text, name)
    schema.known_fields(document, {"types", "widths"}, "the type table")
    table = {}
    for section, is_width in (("types", False), ("widths", True)):
        for key, fields in schema.as_fields(schema.required(document, section, "the type table"), section).items():
            schema.as_name(key, "a type")
            if key in table:
                raise CatalogError(key.where, f"duplicate key {key}")
            table[str(key)] = _dtype(key, fields, is_width)
    return table
