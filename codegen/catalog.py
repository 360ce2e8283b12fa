"""Families and ops as kernels/catalog/*.yaml describe them, checked, with their types resolved."""

from dataclasses import dataclass
from pathlib import Path

from codegen import dtypes, schema
from codegen.source import CatalogError, CatalogErrors, Fields, Rows, Text, parse

FAMILY_FIELDS = {
    "family", "doc", "inputs", "access", "include", "contract", "sets", "ops", "extensions", "defines", "caps",
    "elems",
}  # fmt: skip
OP_FIELDS = {
    "types", "out", "expr", "ref", "nx", "doc", "include", "operands", "access", "caps", "defines", "domain", "ulp",
    "extensions", "kernel",
}  # fmt: skip
# What an op may say that is planned with another op's variants.
PLANNED_FIELDS = {"kernel", "nx", "doc"}


@dataclass(frozen=True)
class Signature:
    """The types of one op's variants: `types` is the key's part, `subject` its first type, `t` of the catalog."""

    types: str
    subject: dtypes.Dtype
    inputs: tuple  # of Dtype
    out: dtypes.Dtype
    where: str


@dataclass(frozen=True)
class Op:
    name: str
    where: str
    signatures: tuple
    access: tuple
    include: tuple
    extensions: tuple
    expr: object  # None, a string, or Fields of selectors
    ref: object
    caps: object  # None, a list, or Fields of selectors
    defines: tuple  # of (macro, string or Fields)
    nx: str
    doc: str
    domain: str
    ulp: str


@dataclass(frozen=True)
class Family:
    name: str
    where: str
    doc: str
    inputs: int
    contract: bool
    include: tuple
    extensions: tuple
    defines: tuple
    caps: object
    elems: int  # 0: as the types have it
    ops: tuple


def select(value, signature, what):
    """What a map by type says of this signature: the key's types win, then the type, a pair of kinds, the kind."""
    if not isinstance(value, Fields):
        return value
    for name in (signature.types, signature.subject.name):
        if name in value:
            return value[name]
    found = [selector for selector in value if _speaks_of(selector, signature)]
    if not found:
        raise CatalogError(value.where, f"{what} says nothing for {signature.types}")
    return value[min(found, key=_breadth)]


def _speaks_of(selector, signature):
    if "-" not in selector:
        return signature.subject.matches(selector)
    left, right = selector.split("-", 1)
    return signature.subject.matches(left) and signature.out.matches(right)


def _breadth(selector):
    """Pairs are narrower than single kinds, `int` is wider than `sint` and `uint`."""
    return ("-" not in selector, selector.split("-").count("int"), selector)


def used_selectors(value, signatures, what):
    """Which keys of a map by type some signature picks."""
    chosen = [select(value, signature, what) for signature in signatures]
    return {key for key, item in value.items() if any(item is one for one in chosen)}


class _FamilyReader:
    def __init__(self, text, name, table, kernels):
        self.table = table
        self.kernels = kernels
        self.document = parse(text, name)
        self.stem = Path(name).stem
        self.used_sets = set()
        self.errors = []

    def read(self):
        document = self.document
        schema.known_fields(document, FAMILY_FIELDS, "the family")
        name = schema.as_name(schema.required(document, "family", "the family"), "the family")
        if name != self.stem:
            raise CatalogError(name.where, f"family {name} stands in {self.stem}.yaml")
        if not (self.kernels / f"{name}.comp").is_file():
            raise CatalogError(name.where, f"no template kernels/{name}.comp")
        self.inputs = schema.as_int(schema.required(document, "inputs", "the family"), "inputs", 0, 8)
        self.access = schema.as_names(schema.required(document, "access", "the family"), "access")
        if not self.access:
            raise CatalogError(document["access"].where, "access is empty")
        self.sets = self._sets(document)
        ops = schema.as_fields(schema.required(document, "ops", "the family"), "ops")
        if not ops:
            raise CatalogError(ops.where, "no ops")
        self._check_kernels(ops)
        family = Family(
            name=str(name),
            where=name.where,
            doc=self._text(document, "doc"),
            inputs=self.inputs,
            contract=schema.as_bool(document["contract"], "contract") if "contract" in document else False,
            include=self._includes(document),
            extensions=self._extensions(document),
            defines=self._defines(document),
            caps=self._caps(document),
            elems=schema.as_int(document["elems"], "elems", 1, 16) if "elems" in document else 0,
            ops=tuple(op for op in (self._caught(self._op, key, value) for key, value in ops.items()) if op),
        )
        for key in self.sets:
            if key not in self.used_sets:
                self.errors.append(CatalogError(key.where, f"unused set {key}"))
        return family

    def _check_kernels(self, ops):
        for name, op in ops.items():
            kernel = op.get("kernel") if isinstance(op, Fields) else None
            if kernel is not None and (kernel not in ops or "types" not in ops[kernel]):
                raise CatalogError(kernel.where, f"op {name}: {kernel} is no op of the family with variants of its own")

    def _caught(self, function, *args):
        try:
            return function(*args)
        except CatalogError as error:
            self.errors.append(error)
            return None

    def _text(self, fields, key):
        return str(schema.as_text(fields[key], key)) if key in fields else ""

    def _sets(self, document):
        sets = {}
        for key, value in schema.as_fields(document.get("sets", Fields({}, document.where)), "sets").items():
            schema.as_name(key, "a set")
            if key in self.table:
                raise CatalogError(key.where, f"set {key} has the name of a type")
            if not isinstance(value, Rows) or not value:
                raise CatalogError(key.where, f"set {key} must be a list of types")
            sets[key] = self._type_list(value, f"set {key}")
        return sets

    def _type_list(self, rows, what):
        seen = set()
        for item in rows:
            schema.as_text(item, what)
            if item in seen:
                raise CatalogError(item.where, f"{item} stands twice in {what}")
            seen.add(item)
            for part in item.split("-"):
                self._dtype(Text(part, item.where))
        return list(rows)

    def _dtype(self, name):
        if name not in self.table:
            raise CatalogError(name.where, f"unknown type {name}; known are {', '.join(self.table)}")
        return self.table[name]

    def _includes(self, fields):
        if "include" not in fields:
            return ()
        names = schema.as_names(fields["include"], "include", schema.INCLUDE)
        for name in names:
            if not (self.kernels / "lib" / name).is_file():
                raise CatalogError(name.where, f"no file kernels/lib/{name}")
        return tuple(str(name) for name in names)

    def _extensions(self, fields):
        if "extensions" not in fields:
            return ()
        return tuple(str(name) for name in schema.as_names(fields["extensions"], "extensions", schema.EXTENSION))

    def _defines(self, fields):
        if "defines" not in fields:
            return ()
        pairs = []
        for key, value in schema.as_fields(fields["defines"], "defines").items():
            schema.as_name(key, "a define", schema.MACRO)
            pairs.append((str(key), self._by_type(value, f"defines {key}")))
        return tuple(pairs)

    def _caps(self, fields):
        if "caps" not in fields:
            return None
        value = fields["caps"]
        for item in value.values() if isinstance(value, Fields) else [value]:
            schema.as_caps(item, "caps")
        return value

    def _by_type(self, value, what):
        if isinstance(value, Fields):
            if not value:
                raise CatalogError(value.where, f"{what} is empty")
            for key, item in value.items():
                self._selector(key)
                schema.as_text(item, what)
            return value
        return schema.as_text(value, what)

    def _selector(self, key):
        for part in key.split("-"):
            if part not in self.table and part not in (*dtypes.KINDS, "int", "bits"):
                raise CatalogError(key.where, f"neither a type nor a kind: {key}")

    def _op(self, name, fields):
        what = f"op {name}"
        schema.as_name(name, "an op")
        schema.as_fields(fields, what)
        schema.known_fields(fields, PLANNED_FIELDS if "kernel" in fields else OP_FIELDS, what)
        signatures = () if "kernel" in fields else self._signatures(name, fields)
        access = () if "kernel" in fields else self.access
        if "access" in fields:
            access = schema.as_names(fields["access"], "access")
            for item in access:
                if item not in self.access:
                    raise CatalogError(item.where, f"unknown access {item}; the family has {', '.join(self.access)}")
        expr = self._by_type(fields["expr"], "expr") if "expr" in fields else None
        ref = self._by_type(fields["ref"], "ref") if "ref" in fields else None
        if ref is not None and expr is None:
            raise CatalogError(fields["ref"].where, f"{what} has a ref but no expr")
        op = Op(
            name=str(name),
            where=name.where,
            signatures=signatures,
            access=tuple(str(item) for item in access),
            include=self._includes(fields),
            extensions=self._extensions(fields),
            expr=expr,
            ref=ref,
            caps=self._caps(fields),
            defines=self._defines(fields),
            nx=str(schema.as_name(fields["nx"], "nx")) if "nx" in fields else "",
            doc=self._text(fields, "doc"),
            domain=self._text(fields, "domain"),
            ulp=self._ulp(fields),
        )
        self._check_maps(op, what)
        return op

    def _ulp(self, fields):
        if "ulp" not in fields:
            return "0"
        text = schema.as_text(fields["ulp"], "ulp")
        try:
            good = float(text) >= 0
        except ValueError:
            good = False
        if not good:
            raise CatalogError(text.where, "ulp must be a number")
        return str(text)

    def _check_maps(self, op, what):
        maps = [("expr", op.expr), ("ref", op.ref), *((f"defines {name}", value) for name, value in op.defines)]
        for label, value in maps:
            if not isinstance(value, Fields):
                continue
            picked = used_selectors(value, op.signatures, f"{what}: {label}")
            for key in value:
                if key not in picked:
                    raise CatalogError(key.where, f"{what}: no variant takes {label} of {key}")

    def _signatures(self, name, fields):
        what = f"op {name}"
        value = schema.required(fields, "types", what)
        if isinstance(value, Text):
            names = self._set(value)
        elif isinstance(value, Rows) and value:
            names = self._type_list(value, "types")
        else:
            raise CatalogError(value.where, f"{what}: types must be a set or a list of types")
        signatures = []
        for text in names:
            place = text.where if isinstance(value, Rows) else value.where
            signatures.append(self._signature(text, fields, place, what))
        return tuple(sorted(signatures, key=lambda signature: signature.types))

    def _set(self, value):
        """The types of a set; `a+b` has those of both sets, `a-b` every pair of different types of the two."""
        if "+" in value:
            return [name for part in value.split("+") for name in self._set(Text(part, value.where))]
        parts = value.split("-")
        for part in parts:
            if part not in self.sets or len(parts) > 2:
                raise CatalogError(value.where, f"unknown set {value}; known are {', '.join(self.sets) or 'none'}")
            self.used_sets.add(part)
        if len(parts) == 1:
            return self.sets[value]
        return [f"{a}-{b}" for a in self.sets[parts[0]] for b in self.sets[parts[1]] if a != b]

    def _signature(self, text, fields, place, what):
        parts = [self.table[part] for part in text.split("-")]
        if len(parts) not in (1, 2, self.inputs + 1):
            raise CatalogError(place, f"{what}: {text} names {len(parts)} types, the family has {self.inputs} inputs")
        first = parts[0]
        inputs = parts[: self.inputs] if len(parts) == self.inputs + 1 else [first] * self.inputs
        if "operands" in fields:
            inputs = self._operands(fields["operands"], first, what)
        out = parts[-1]
        if "out" in fields:
            if len(parts) > 1:
                raise CatalogError(fields["out"].where, f"{what}: {text} names its output already")
            out = self._out(fields["out"], Signature(str(text), first, tuple(inputs), out, place), what)
        return Signature(str(text), first, tuple(inputs), out, place)

    def _operands(self, rows, subject, what):
        if not isinstance(rows, Rows) or len(rows) != self.inputs:
            raise CatalogError(rows.where, f"{what}: operands must list {self.inputs} types")
        return [subject if item == "t" else self._dtype(schema.as_text(item, "operands")) for item in rows]

    def _out(self, value, signature, what):
        if isinstance(value, Fields):
            for key in value:
                self._selector(key)
            value = select(value, signature, f"{what}: out")
        return self._dtype(schema.as_text(value, "out"))


def load(kernels):
    """(types, families sorted by name) of a kernels folder. Raises CatalogErrors with all that is wrong."""
    kernels = Path(kernels)
    folder = kernels / "catalog"
    errors, families = [], []

    def shown(path):
        return f"kernels/catalog/{path.name}"

    types_path = folder / "dtypes.yaml"
    if not types_path.is_file():
        raise CatalogErrors([CatalogError(shown(types_path) + ":1", "no such file")])
    try:
        table = dtypes.load(types_path.read_text("utf-8"), shown(types_path))
    except CatalogError as error:
        raise CatalogErrors([error]) from None
    for path in sorted(folder.glob("*.yaml")):
        if path == types_path:
            continue
        try:
            reader = _FamilyReader(path.read_text("utf-8"), shown(path), table, kernels)
            families.append(reader.read())
            errors += reader.errors
        except CatalogError as error:
            errors.append(error)
    names = {}
    for family in families:
        for op in family.ops:
            if op.name in names:
                errors.append(CatalogError(op.where, f"op {op.name} stands in {names[op.name]} already"))
            names.setdefault(op.name, op.where)
    if errors:
        raise CatalogErrors(errors)
    return table, families
