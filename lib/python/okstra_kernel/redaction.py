"""What takes secrets out of text that is shown or leaves the machine (Z-051).

Pure: the environment comes in as a mapping. A shape is searched for only where its mark stands in
the text, so that text without secrets costs a few substring searches and no regular expression.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

SHORTEST = 12  # characters of an environment value that is taken for a secret
_NAMES = ("TOKEN", "KEY", "SECRET", "PASSWORD")
_PEM = r"[A-Z ]*PRIVATE KEY(?: BLOCK)?-----"


class Shape(NamedTuple):
    kind: str
    marks: tuple[str, ...]  # one of them stands in each such token
    pattern: str  # its group, if it has one, is the secret


def _token(kind: str, prefix: str, rest: str) -> Shape:
    """Return the shape of a token that begins with this text, and not within a word.

    The prefix goes first, so that Python's `re` can jump from one to the next.
    """
    return Shape(kind, (prefix,), rf"{prefix}(?<![A-Za-z0-9_]{prefix}){rest}")


SHAPES = (
    Shape(
        "private-key",
        ("PRIVATE KEY",),
        rf"-----BEGIN {_PEM}(?:[\s\S]{{0,20000}}?-----END {_PEM}|[\w+/=\s:,-]*)",  # or cut
    ),
    Shape("url-password", ("://",), r"://[^\s/:@\"']*:([^\s/@\"']+)@"),
    _token("anthropic-key", "sk-ant-", r"[A-Za-z0-9_-]{20,}"),
    _token("openai-key", "sk-", r"(?:[a-z]+-)?[A-Za-z0-9_-]{20,}"),
    *(_token("github-token", f"gh{c}_", r"[A-Za-z0-9]{36,}") for c in "opsur"),
    _token("github-token", "github_pat_", r"[A-Za-z0-9_]{22,}"),
    _token("gitlab-token", "glpat-", r"[A-Za-z0-9_-]{20,}"),
    *(_token("aws-key-id", name, r"[A-Z0-9]{16}(?![A-Z0-9])") for name in ("AKIA", "ASIA")),
    Shape(
        "aws-secret",
        ("aws", "AWS"),
        r"(?i)aws_?secret_?(?:access_?)?key[\"']?\s*[:=]\s*[\"']?([A-Za-z0-9/+]{40})",
    ),
    _token("google-key", "AIza", r"[A-Za-z0-9_-]{35}"),
    _token("google-token", "ya29\\.", r"[A-Za-z0-9_-]{20,}")._replace(marks=("ya29.",)),
    _token("slack-token", "xox", r"[abeoprs]-[A-Za-z0-9-]{10,}"),
    _token("slack-token", "xapp-", r"[A-Za-z0-9-]{10,}"),
    Shape(
        "slack-webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})",
    ),
    Shape("stripe-key", ("k_live_", "k_test_"), r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    _token("npm-token", "npm_", r"[A-Za-z0-9]{36,}"),
    _token("pypi-token", "pypi-", r"[A-Za-z0-9_-]{50,}"),
    _token("hugging-face-token", "hf_", r"[A-Za-z0-9]{30,}"),
    _token("xai-key", "xai-", r"[A-Za-z0-9]{40,}"),
    _token("jwt", "eyJ", r"[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    Shape(
        "authorization",
        ("earer ", "asic ", "EARER ", "ASIC "),
        r"(?i)\b(?:bearer|authorization:\s*basic)\s+([A-Za-z0-9._~+/-]{16,}=*)",
    ),
)
MARKS = tuple(dict.fromkeys(mark for shape in SHAPES for mark in shape.marks))

Secrets = list[tuple[str, str]]  # name and value, the longest value first


def redact(text: str, environment: Mapping[str, str]) -> str:
    """Return the text with `[redacted:<kind>]` in place of each secret."""
    return hide(text, secrets(environment))


def hide(text: str, known: Secrets) -> str:
    """Do what `redact` does; what the environment holds has been looked up before."""
    for name, value in known:
        if value in text:
            text = text.replace(value, f"[redacted:{name}]")
    for shape in SHAPES:
        for mark in shape.marks:
            if mark in text:
                text = _replace(shape, text)
                break
    return text


def hide_in(value: Any, known: Secrets) -> Any:
    """Return a JSON value with the secrets taken out of its texts, names of members too."""
    if isinstance(value, str):
        return hide(value, known)
    if isinstance(value, list):
        return [hide_in(item, known) for item in value]
    if isinstance(value, dict):
        return {hide(name, known): hide_in(item, known) for name, item in value.items()}
    return value


def suspect(text: str, known: Secrets) -> bool:
    """Tell whether a text, escaped as in JSON or not, may hold a secret. Quick; errs on yes."""
    if any(map(text.__contains__, MARKS)):
        return True
    return any(value in text or not _stands_in_json(value) for _, value in known)


def _stands_in_json(value: str) -> bool:
    """Tell whether every writer of JSON puts this text down as it is."""
    return value.isascii() and value.isprintable() and not any(c in value for c in '"\\/')


def secrets(environment: Mapping[str, str]) -> Secrets:
    """Return the variables whose value is a secret."""
    found = [
        (name, value)
        for name, value in environment.items()
        if any(word in name.upper() for word in _NAMES) and _is_secret(value)
    ]
    return sorted(found, key=lambda pair: (-len(pair[1]), pair))


def _is_secret(value: str) -> bool:
    """Tell a secret from a short text, a number, or a plain word such as `placeholder`."""
    plain = value.isalpha() and (value.islower() or value.isupper() or value.istitle())
    number = value.removeprefix("-").replace(".", "", 1).isdigit()
    return len(value) >= SHORTEST and not plain and not number


def _replace(shape: Shape, text: str) -> str:
    import re

    def hidden(found: re.Match[str]) -> str:
        word = f"[redacted:{shape.kind}]"
        if not found.re.groups:
            return word
        begin, end = found.start(1) - found.start(), found.end(1) - found.start()
        return found[0][:begin] + word + found[0][end:]

    return re.sub(shape.pattern, hidden, text)
