"""What a violated schema says: one line each, `$.workers[0].status: expected …, found …`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import ValidationError

LONGEST = 60  # characters of a value that is shown
_TYPES = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "null": "null",
}


def lines(fault: ValidationError) -> list[str]:
    """Return the lines of one violation; of alternatives, those of the one that fits best."""
    if fault.validator == "anyOf" and fault.context:
        return _best(fault)
    where = _path(fault)
    found: Any = fault.instance
    if fault.validator == "required":
        missing = [name for name in _rule(fault) if name not in found]
        name = next((n for n in missing if f"{n!r} is" in fault.message), missing[0])
        return [f"{where}{_step(name)}: missing"]
    if fault.validator == "additionalProperties":
        known = fault.schema.get("properties", {}) if isinstance(fault.schema, dict) else {}
        return [f"{where}{_step(name)}: unknown member" for name in found if name not in known]
    return [f"{where}: expected {_wanted(fault)}, found {shown(found)}"]


def shown(value: Any) -> str:
    """Return a value as it stands in JSON, shortened, on one line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _best(fault: ValidationError) -> list[str]:
    """Alternatives are an object or null here: what is no object at all gets one line."""
    groups: dict[Any, list[ValidationError]] = {}
    for inner in fault.context or []:
        groups.setdefault(inner.schema_path[0], []).append(inner)
    for group in groups.values():
        if all(inner.path or inner.validator != "type" for inner in group):
            return [line for inner in group for line in lines(inner)]
    wanted = [_wanted(inner) for group in groups.values() for inner in group]
    return [f"{_path(fault)}: expected {' or '.join(wanted)}, found {shown(fault.instance)}"]


def _rule(fault: ValidationError) -> Any:
    return fault.validator_value


def _wanted(fault: ValidationError) -> str:
    rule, about = _rule(fault), fault.schema
    if fault.validator == "pattern" and isinstance(about, dict) and "description" in about:
        return str(about["description"])
    return _expected(str(fault.validator), rule)


def _expected(validator: str, rule: Any) -> str:
    if validator == "type":
        return " or ".join(_TYPES[name] for name in ([rule] if isinstance(rule, str) else rule))
    if validator == "enum":
        return f"one of {', '.join(map(shown, rule))}"
    words = {
        "const": f"{shown(rule)}",
        "pattern": f"text like {rule}",
        "minLength": "text that is not empty",
        "minimum": f"at least {rule}",
    }
    return words.get(validator, f"{validator} {shown(rule)}")


def _path(fault: ValidationError) -> str:
    return "$" + "".join(map(_step, fault.absolute_path))


def _step(step: object) -> str:
    """Return a step of a path (RFC 9535): a plain name after a dot, any other in brackets."""
    if isinstance(step, int):
        return f"[{step}]"
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", str(step))
    return f".{step}" if plain else f"[{json.dumps(step, ensure_ascii=False)}]"
