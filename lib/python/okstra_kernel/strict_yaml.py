"""Read YAML that okstra's own data files hold: mappings, lists and texts, nothing else.

Every scalar stays text as it was written: a model called 1.10 is not the number 1.1, and `no` is
not false. What Python's reader takes in silence (a repeated key, an alias) is refused with its
line.
"""

from __future__ import annotations

from typing import Any

from okstra_kernel import UserError


def parse(text: str, source: str) -> dict[str, object]:
    """Return the mapping that a text holds; `source` says where it is from. Raises UserError."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as err:
        mark = getattr(err, "problem_mark", None)
        place = f"{source}:{mark.line + 1}" if mark else source
        raise UserError(f"{place}: not YAML: {getattr(err, 'problem', None) or err}") from err
    value = _value(node, source, set()) if node else {}
    if not isinstance(value, dict):
        raise UserError(f"{source}: expected a mapping")
    return value


def _value(node: Any, source: str, seen: set[int]) -> object:
    place = f"{source}:{node.start_mark.line + 1}"
    if id(node) in seen:
        raise UserError(f"{place}: an alias is not taken here")
    seen.add(id(node))
    if node.id == "scalar":
        return str(node.value)
    if node.id == "sequence":
        return [_value(one, source, seen) for one in node.value]
    members: dict[str, object] = {}
    for key, value in node.value:
        if key.id != "scalar":
            raise UserError(f"{place}: a name must be text")
        if key.value in members:
            raise UserError(f"{source}:{key.start_mark.line + 1}: repeated: {key.value}")
        members[key.value] = _value(value, source, seen)
    return members
