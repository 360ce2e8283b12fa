"""The whole GLSL of a variant: prelude, includes in place, template. docs/ARCHITECTURE.md describes the prelude."""

import re

from codegen.source import CatalogError

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"\s*$')
ONCE = re.compile(r"^\s*#\s*pragma\s+once\s*$")

EXTENSIONS = (
    "GL_EXT_buffer_reference",
    "GL_EXT_buffer_reference2",
    "GL_EXT_scalar_block_layout",
    "GL_EXT_control_flow_attributes",
    "GL_GOOGLE_cpp_style_line_directive",
)

CAP_EXTENSIONS = {
    "int64": "GL_EXT_shader_explicit_arithmetic_types_int64",
    "int16": "GL_EXT_shader_explicit_arithmetic_types_int16",
    "int8": "GL_EXT_shader_explicit_arithmetic_types_int8",
    "float16": "GL_EXT_shader_explicit_arithmetic_types_float16",
    "storage8": "GL_EXT_shader_8bit_storage",
    "storage16": "GL_EXT_shader_16bit_storage",
}

# The access of variants that are functions for the linker of runtime/core, not kernels.
FUNCTION = "function"

KIND_DEFINES = {"uint": "UINT", "sint": "SINT", "float": "FLOAT", "bfloat": "FLOAT", "complex": "COMPLEX"}


class Sources:
    """The files of a kernels folder, read once. Includes are looked for in the folder itself, then in lib/."""

    def __init__(self, kernels):
        self.kernels = kernels
        self.files = {}
        self.used = set()

    def find(self, name, where):
        for path in (name, f"lib/{name}"):
            if path not in self.files:
                file = self.kernels / path
                self.files[path] = file.read_text("utf-8").splitlines() if file.is_file() else None
            if self.files[path] is not None:
                self.used.add(path)
                return path, self.files[path]
        raise CatalogError(where, f"no file {name} in kernels or kernels/lib")

    def expand(self, name, where, seen, out, stack=()):
        """Appends the lines of `name` with its includes in place. A file with `#pragma once` comes once a variant."""
        path, lines = self.find(name, where)
        if path in stack:
            raise CatalogError(where, f"{name} includes itself")
        if path in seen:
            return
        if any(ONCE.match(line) for line in lines):
            seen.add(path)
        shown = f"kernels/{path}"
        out.append(f'#line 1 "{shown}"')
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                self.expand(match.group(1), f"{shown}:{number}", seen, out, (*stack, path))
                out.append(f'#line {number + 1} "{shown}"')
            else:
                out.append("" if ONCE.match(line) else line)


def _operand_defines(letter, dtype):
    lines = [
        f"#define {letter}_TYPE_{dtype.name} 1",
        f"#define {letter}_STORAGE {dtype.storage}",
        f"#define {letter}_COMPUTE {dtype.compute}",
        f"#define {letter}_BITS {dtype.bits}",
    ]
    if dtype.kind in KIND_DEFINES:
        lines.append(f"#define {letter}_{KIND_DEFINES[dtype.kind]} 1")
    if dtype.decode:
        lines += [f"#define {letter}_DECODE(x) {dtype.decode}", f"#define {letter}_ENCODE(x) {dtype.encode}"]
    return [*lines, f"#define {letter}_LOAD(x) {dtype.load}", f"#define {letter}_STORE(x) {dtype.store}"]


def extensions_of(variant):
    names = {*variant.family.extensions, *variant.op.extensions}
    names.update(CAP_EXTENSIONS[cap] for cap in variant.caps if cap in CAP_EXTENSIONS)
    return [*EXTENSIONS, *sorted(names.difference(EXTENSIONS))]


def exported(variant):
    """The op as a symbol of the linker. `const` parameters are passed as values."""
    inputs = [(f"const {letter}_COMPUTE {letter.lower()}", letter.lower()) for letter, _ in variant.operands[:-1]]
    parameters, arguments = (", ".join(part) for part in zip(*inputs, strict=True))
    result = as_stored(f"op({arguments})", variant.signature.out)
    return [f"Z_COMPUTE link_export_op({parameters}) {{ return {result}; }}", "void main() {}"]


def as_stored(value, dtype):
    """The value as memory would give it back: registers hold more than narrow types do."""
    if dtype.bits >= 32 or dtype.is_width:
        return value
    if dtype.kind == "uint":
        return f"{value} & {2**dtype.bits - 1}u"
    if dtype.kind == "sint":
        return f"bitfieldExtract({value}, 0, {dtype.bits})"
    return f"Z_DECODE(Z_ENCODE({value}))"


def generate(variant, sources):
    """The GLSL text that the compiler sees; it needs no file beside it."""
    family, op = variant.family, variant.op
    out = ["#version 460"]
    out += [f"#extension {name} : require" for name in extensions_of(variant)]
    out += [
        f"#define FAMILY_{family.name} 1",
        f"#define OP_{op.name} 1",
        f"#define ACCESS_{variant.access} 1",
        f"#define INPUTS {len(variant.signature.inputs)}",
    ]
    for letter, dtype in variant.operands:
        out += _operand_defines(letter, dtype)
    out.append(f"#define ELEMS {variant.elems}")
    if "float64" in variant.caps:
        out.append("#define HAS_DOUBLE 1")
    out += [f"#define {name} {' '.join(value.split())}" for name, value in variant.defines]
    seen = set()
    for name in dict.fromkeys((*family.include, *op.include)):
        sources.expand(name, op.where, seen, out)
    if variant.expr is not None:
        arguments = ", ".join(f"{letter}_COMPUTE {letter.lower()}" for letter, _ in variant.operands[:-1])
        out.append(f'#line 1 "kernels/catalog/{family.name}.yaml:{op.name}"')
        out.append(f"Z_COMPUTE op({arguments}) {{ return Z_COMPUTE({' '.join(variant.expr.split())}); }}")
    if variant.access == FUNCTION and variant.expr is not None:
        sources.expand("narrow_floats.glsl", family.where, seen, out)
        out += exported(variant)
    else:
        sources.expand(f"{family.name}.comp", family.where, seen, out)
    return "\n".join(out) + "\n"
