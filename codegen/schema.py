"""Checks of catalog fields. Every message names the file and the line."""

import re

from codegen.source import CatalogError, Fields, Rows, Text

NAME = re.compile(r"^[a-z][a-z0-9_]*$")
MACRO = re.compile(r"^[A-Z][A-Z0-9_]*$")
EXTENSION = re.compile(r"^GL_[A-Za-z0-9_]+$")
INCLUDE = re.compile(r"^[a-z][a-z0-9_]*\.glsl$")

# Names of the bits of Cap in runtime/core/traits.h.
CAPS = {
    "float64": "kCapFloat64",
    "int64": "kCapInt64",
    "storage8": "kCapStorage8",
    "storage16": "kCapStorage16",
    "float16": "kCapFloat16",
    "int8": "kCapInt8",
    "int16": "kCapInt16",
}


def known_fields(fields, allowed, what):
    for key in fields:
        if key not in allowed:
            raise CatalogError(key.where, f"unknown field {key} in {what}; known are {', '.join(sorted(allowed))}")


def required(fields, key, what):
    if key not in fields:
        raise CatalogError(fields.where, f"{what} lacks the field {key}")
    return fields[key]


def as_text(value, what):
    if not isinstance(value, Text):
        raise CatalogError(value.where, f"{what} must be a string")
    return value


def as_name(value, what, pattern=NAME):
    if not isinstance(value, Text) or not pattern.match(value):
        shown = f": {value}" if isinstance(value, Text) else ""
        raise CatalogError(value.where, f"not a name for {what}{shown}")
    return value


def as_fields(value, what):
    if not isinstance(value, Fields):
        raise CatalogError(value.where, f"{what} must be a mapping")
    return value


def as_names(value, what, pattern=NAME):
    if not isinstance(value, Rows):
        raise CatalogError(value.where, f"{what} must be a list")
    seen = set()
    for item in value:
        as_name(item, what, pattern)
        if item in seen:
            raise CatalogError(item.where, f"{item} stands twice in {what}")
        seen.add(item)
    return list(value)


def as_caps(value, what):
    names = as_names(value, what)
    for name in names:
        if name not in CAPS:
            raise CatalogError(name.where, f"unknown capability {name}; known are {', '.join(sorted(CAPS))}")
    return names


def as_int(value, what, low, high):
    text = as_text(value, what)
    if not text.isdigit() or not low <= int(text) <= high:
        raise CatalogError(value.where, f"{what} must be a number from {low} to {high}")
    return int(text)


def as_bool(value, what):
    text = as_text(value, what)
    if text not in ("true", "false"):
        raise CatalogError(value.where, f"{what} must be true or false")
    return text == "true"
