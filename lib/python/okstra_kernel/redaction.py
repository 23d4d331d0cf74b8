"""What takes secrets out of text that is shown or leaves the machine (Z-051).

Pure: the environment comes in as a mapping. A shape is searched for only where its mark stands in
the text, so that text without secrets costs a few substring searches and no regular expression.
"""

from __future__ import annotations

from typing import Any, Mapping, NamedTuple

SHORTEST = 12  # characters of an environment value that is taken for a secret
_NAMES = ("TOKEN", "KEY", "SECRET", "PASSWORD")


class Shape(NamedTuple):
    kind: str
    marks: tuple[str, ...]  # one of them stands in each such token
    pattern: str  # its group, if it has one, is the secret


_EDGE = r"(?<![A-Za-z0-9_])"
_PEM = r"[A-Z ]*PRIVATE KEY(?: BLOCK)?-----"

SHAPES = (
    Shape(
        "private-key",
        ("PRIVATE KEY",),
        rf"-----BEGIN {_PEM}[\s\S]*?(?:-----END {_PEM}|\Z)",  # cut or whole
    ),
    Shape("url-password", ("://",), r"(?<=://)[^\s/:@\"']*:([^\s/@\"']+)(?=@)"),
    Shape("anthropic-key", ("sk-ant-",), rf"{_EDGE}sk-ant-[A-Za-z0-9_-]{{20,}}"),
    Shape("openai-key", ("sk-",), rf"{_EDGE}sk-(?:[a-z]+-)?[A-Za-z0-9_-]{{20,}}"),
    Shape("github-token", ("gh",), rf"{_EDGE}gh[opsur]_[A-Za-z0-9]{{36,}}"),
    Shape("github-token", ("github_pat_",), rf"{_EDGE}github_pat_[A-Za-z0-9_]{{22,}}"),
    Shape("gitlab-token", ("glpat-",), rf"{_EDGE}glpat-[A-Za-z0-9_-]{{20,}}"),
    Shape("aws-key-id", ("AKIA", "ASIA"), rf"{_EDGE}(?:AKIA|ASIA)[A-Z0-9]{{16}}(?![A-Z0-9])"),
    Shape(
        "aws-secret",
        ("aws", "AWS"),
        r"(?i)aws_?secret_?(?:access_?)?key[\"']?\s*[:=]\s*[\"']?([A-Za-z0-9/+]{40})",
    ),
    Shape("google-key", ("AIza",), rf"{_EDGE}AIza[A-Za-z0-9_-]{{35}}"),
    Shape("google-token", ("ya29.",), rf"{_EDGE}ya29\.[A-Za-z0-9_-]{{20,}}"),
    Shape("slack-token", ("xox", "xapp-"), rf"{_EDGE}(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{{10,}}"),
    Shape(
        "slack-webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})",
    ),
    Shape("stripe-key", ("_live_", "_test_"), rf"{_EDGE}[rsp]k_(?:live|test)_[A-Za-z0-9]{{16,}}"),
    Shape("npm-token", ("npm_",), rf"{_EDGE}npm_[A-Za-z0-9]{{36,}}"),
    Shape("pypi-token", ("pypi-",), rf"{_EDGE}pypi-[A-Za-z0-9_-]{{50,}}"),
    Shape("hugging-face-token", ("hf_",), rf"{_EDGE}hf_[A-Za-z0-9]{{30,}}"),
    Shape("xai-key", ("xai-",), rf"{_EDGE}xai-[A-Za-z0-9]{{40,}}"),
    Shape(
        "jwt",
        ("eyJ",),
        rf"{_EDGE}eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{8,}}\.[A-Za-z0-9_-]*",
    ),
    Shape(
        "authorization",
        ("earer ", "asic ", "BEARER ", "BASIC "),
        r"(?i)\b(?:bearer|authorization:\s*basic)\s+([A-Za-z0-9._~+/-]{16,}=*)",
    ),
)


def redact(text: str, environment: Mapping[str, str]) -> str:
    """Return the text with `[redacted:<kind>]` in place of each secret."""
    for name, value in secrets(environment):
        if value in text:
            text = text.replace(value, f"[redacted:{name}]")
    for shape in SHAPES:
        if any(mark in text for mark in shape.marks):
            text = _replace(shape, text)
    return text


def redact_value(value: Any, environment: Mapping[str, str]) -> Any:
    """Return a JSON value with the secrets taken out of its texts, names of members too."""
    if isinstance(value, str):
        return redact(value, environment)
    if isinstance(value, list):
        return [redact_value(item, environment) for item in value]
    if isinstance(value, dict):
        return {redact(k, environment): redact_value(v, environment) for k, v in value.items()}
    return value


def secrets(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return name and value of the variables whose value is a secret, the longest value first."""
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

    def hide(found: re.Match[str]) -> str:
        word = f"[redacted:{shape.kind}]"
        if not found.re.groups:
            return word
        begin, end = found.start(1) - found.start(), found.end(1) - found.start()
        return found[0][:begin] + word + found[0][end:]

    return re.sub(shape.pattern, hide, text)
