"""Read JSON that others may have written: one object, or a UserError that names the place.

Python's reader takes NaN, repeated keys, half surrogates and any depth (E-07). They are refused
here, so that nothing behind this module has to think of them. The fast reader goes first; the slow
look through the text follows only when there is, or may be, something to name.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any, NoReturn

from okstra_kernel import UserError, iso_time, plain_file

MAX_BYTES = 64 << 20
MAX_DEPTH = 200
_CHUNK = 1 << 20
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Record:
    """A JSON object that knows its place (RFC 9535), so that what is wrong in it can be named.

    Its readers raise UserError for a member that is not there or of another type.
    """

    __slots__ = ("_members", "_where")

    def __init__(self, members: object, where: str) -> None:
        if not isinstance(members, dict):
            raise UserError(f"{where}: expected an object, found {_kind(members)}")
        self._members = members
        self._where = where

    @property
    def members(self) -> dict[str, Any]:
        """What was read, for those who write it again with something changed."""
        return self._members

    @property
    def where(self) -> str:
        return self._where

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def versioned(self, version: int) -> Record:
        """Return itself if it is of this `schemaVersion`; no other is half read (Z-112)."""
        found = self.integer("schemaVersion")
        if found != version:
            raise self.fault("schemaVersion", f"this okstra reads {version}, found {found}")
        return self

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; `default`, if there is one, for a member that is missing."""
        value = self._members.get(name, default)
        if not isinstance(value, str):
            raise self._unexpected(name, "text")
        return value

    def integer(self, name: str, default: int | None = None) -> int:
        value = self._members.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._unexpected(name, "a whole number")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self._members.get(name, default)
        if not isinstance(value, bool):
            raise self._unexpected(name, "true or false")
        return value

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; an empty one for a member that is missing."""
        value = self._members.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._unexpected(name, "a list of texts")
        return value

    def record(self, name: str) -> Record:
        """Return an object; an empty one for a member that is missing."""
        return Record(self._members.get(name, {}), f"{self._where}.{name}")

    def time(self, name: str) -> int:
        """Return seconds since 1970 (UTC)."""
        try:
            return iso_time.parse(self.text(name))
        except ValueError as err:
            raise self.fault(name, str(err)) from err

    def records(self, name: str) -> list[Record]:
        value = self._members.get(name)
        if not isinstance(value, list):
            raise self._unexpected(name, "a list")
        return [Record(item, f"{self._where}.{name}[{i}]") for i, item in enumerate(value)]

    def fault(self, name: str, what: str) -> UserError:
        """Return the error to raise for a member whose value makes no sense."""
        return UserError(f"{self._where}.{name}: {what}")

    def _unexpected(self, name: str, expected: str) -> UserError:
        found = _kind(self._members[name]) if name in self._members else "nothing"
        return self.fault(name, f"expected {expected}, found {found}")


def read(path: str, *, follow: bool = True) -> Record:
    """Return the object that a file holds; `follow`: through a link, too. Raises UserError."""
    return _record(_text(path, follow), path)


def parse(data: bytes | str, source: str) -> Record:
    """Return the object that a text holds; `source` says where it is from. Raises UserError."""
    if isinstance(data, str):
        return _record(data, source)
    try:
        return _record(data.decode("utf-8"), source)
    except UnicodeDecodeError as err:
        raise UserError(f"{source}: byte {err.start} is not UTF-8") from err


def _record(text: str, source: str) -> Record:
    try:
        value = _loads(text)
    except json.JSONDecodeError as err:
        raise UserError(f"{source}:{err.lineno}:{err.colno}: {err.msg}") from err
    return Record(value, f"{source}: $")


def _text(path: str, follow: bool) -> str:
    try:
        data = _bytes(path, follow)
        if len(data) > MAX_BYTES:
            raise UserError(f"{path}: larger than {MAX_BYTES} bytes")
        return data.decode("utf-8")
    except OSError as err:
        raise UserError(f"{path}: {err.strerror}") from err
    except UnicodeDecodeError as err:
        raise UserError(f"{path}: byte {err.start} is not UTF-8") from err
    except ValueError as err:  # a NUL in the path
        raise UserError(f"{path!r}: {err}") from err


def _bytes(path: str, follow: bool) -> bytes:
    """Return what a file holds, up to one byte more than is allowed, in one read if it is plain.

    A buffer of the size allowed, which `read(MAX_BYTES)` makes, costs more than a small file.
    """
    stream, size = plain_file.opened(path, follow=follow)
    try:
        data = os.read(stream, min(size, MAX_BYTES) + 1)
        if len(data) == size:  # the usual case: nothing follows
            return data
        parts = [data]
        while data and sum(map(len, parts)) <= MAX_BYTES:
            data = os.read(stream, _CHUNK)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(stream)


def _loads(text: str) -> object:
    try:
        value = _READER.decode(text)
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError):
        value = None
    if value is None or _SURROGATE.search(text) or _too_deep(value, text):
        _look_closer(text)
    return value


def _too_deep(value: object, text: str) -> bool:
    """Tell whether a value is nested too deeply. Most texts have not that many brackets at all."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    layer: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        members = (v.values() if isinstance(v, dict) else v for v in layer)  # of a list, itself
        layer = [one for inner in members for one in inner if isinstance(one, (dict, list))]
        if not layer:
            return False
    return True


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError
    return members


def _constant(word: str) -> NoReturn:
    raise ValueError


def _float(digits: str) -> float:
    value = float(digits)
    if abs(value) == float("inf"):
        raise ValueError
    return value


def _int(digits: str) -> int:
    _float(digits)  # of thousands of digits, `int` would take its time
    return int(digits)


_READER = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_float=_float, parse_int=_int
)


def _look_closer(text: str) -> None:
    """Raise JSONDecodeError at the first thing that Python's reader takes and we refuse."""
    keys: list[set[str]] = []  # of each object and list that is open
    string, number = r'("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?', r"-?\d[\d.eE+-]*"
    for token in re.finditer(rf"{string}|({number})|[][{{}}]|NaN|-?Infinity", text):
        word, fault = token[0], ""
        if token[1]:
            value = json.loads(token[1])
            if re.search("[\ud800-\udfff]", value):
                fault = "half of a surrogate pair"
            elif token[2] and value in keys[-1]:
                fault = f"repeated key {token[1]}"
            elif token[2]:
                keys[-1].add(value)
        elif word in ("{", "["):
            keys.append(set())
            if len(keys) > MAX_DEPTH:
                fault = f"nested deeper than {MAX_DEPTH}"
        elif word in ("}", "]"):
            keys.pop()
        elif not token[3] or abs(float(word)) == float("inf"):
            fault = f"not a JSON number: {word[:20]}"
        if fault:
            raise json.JSONDecodeError(fault, text, token.start())


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
