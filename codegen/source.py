"""YAML with line numbers: every value knows where it stands, duplicate keys are errors, all scalars are strings."""

import yaml


class CatalogError(Exception):
    """One sentence about one line of a catalog file."""

    def __init__(self, where, message):
        super().__init__(f"{where}: {message}")
        self.where = where
        self.message = message


class CatalogErrors(Exception):
    """All that is wrong with a catalog."""

    def __init__(self, errors):
        super().__init__("\n".join(str(error) for error in errors))
        self.errors = errors


class Text(str):
    """A scalar and its place, "file:line"."""

    def __new__(cls, value, where):
        text = super().__new__(cls, value)
        text.where = where
        return text


class Rows(list):
    """A sequence and its place."""

    def __init__(self, values, where):
        super().__init__(values)
        self.where = where


class Fields(dict):
    """A mapping and its place; its keys are Texts."""

    def __init__(self, values, where):
        super().__init__(values)
        self.where = where


def _convert(node, name):
    where = f"{name}:{node.start_mark.line + 1}"
    if isinstance(node, yaml.ScalarNode):
        return Text(node.value, where)
    if isinstance(node, yaml.SequenceNode):
        return Rows([_convert(child, name) for child in node.value], where)
    fields = {}
    for key_node, value_node in node.value:
        key_where = f"{name}:{key_node.start_mark.line + 1}"
        if not isinstance(key_node, yaml.ScalarNode):
            raise CatalogError(key_where, "a key must be a plain word")
        key = Text(key_node.value, key_where)
        if key in fields:
            raise CatalogError(key_where, f"duplicate key {key}")
        fields[key] = _convert(value_node, name)
    return Fields(fields, where)


def parse(text, name):
    """The document as Fields, Rows and Texts. `name` is the file's name in messages."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise CatalogError(f"{name}:{line}", f"not YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise CatalogError(f"{name}:1", f"not YAML: {error}") from None
    if node is None:
        raise CatalogError(f"{name}:1", "the file is empty")
    if not isinstance(node, yaml.MappingNode):
        raise CatalogError(f"{name}:1", "expected a mapping")
    return _convert(node, name)
