"""Which lead runtime was asked for, and which it is to be (L-056 to L-063).

Nothing is guessed: that a CLI is installed selects no host (L-061).
"""

from __future__ import annotations

from typing import Collection, NamedTuple, Sequence

from okstra_ctl.leads import runtimes
from okstra_kernel import UserError

HOST_VARIABLE = "OKSTRA_RUNTIME_HOST"

_FLAG = "--lead-runtime"
_ALIASES = {"claude": "claude-code"}  # leading words that are no runtime's name


class Resolution(NamedTuple):
    requested: str
    resolved: str
    reason: str

    def to_json(self) -> dict[str, str]:
        """Return what `--runtime-resolution-json` carries and manifests keep (L-063)."""
        return {
            "requestedRuntime": self.requested,
            "resolvedRuntime": self.resolved,
            "reason": self.reason,
        }


def leading_words() -> tuple[str, ...]:
    """Return the words that `okstra run` takes first (L-056)."""
    return (*_ALIASES, *runtimes.runtime_names())


def split_run_arguments(argv: Sequence[str], valued: Collection[str]) -> tuple[str, list[str]]:
    """Return the runtime that `okstra run`'s words ask for, or `auto`, and the other words.

    The flag beats the leading word; an empty or missing value counts as not given (L-058, L-059).
    `valued` are the launcher's options that take a value: `--directive --lead-runtime=x` is a
    directive, and no request. Raises UserError for another leading word (L-057). The runtime's name
    is not yet checked.
    """
    words = list(argv)
    leading = ""
    if words and not words[0].startswith("-"):
        word = words.pop(0)
        if word not in leading_words():
            raise UserError(f"not a lead: {word!r}; known: {', '.join(leading_words())}")
        leading = _ALIASES.get(word, word)
    flag, rest = _take_flag(words, valued)
    return flag or leading or runtimes.AUTO, rest


def resolve(
    requested: str, host_variable: str, host_session: str, tmux_available: bool
) -> Resolution:
    """Return the runtime of a run (L-060).

    `host_variable` is the value of OKSTRA_RUNTIME_HOST, `host_session` the runtime of the innermost
    host session; both may be empty. Raises UserError.
    """
    requested = requested.strip() or runtimes.AUTO
    host_variable = host_variable.strip()
    if requested != runtimes.AUTO:
        return Resolution(requested, _checked(requested, _FLAG), "explicit")
    if host_variable:
        return Resolution(requested, _checked(host_variable, HOST_VARIABLE), HOST_VARIABLE)
    if host_session:
        return Resolution(requested, _checked(host_session, "host session"), "host-session")
    if tmux_available:
        return Resolution(requested, runtimes.EXTERNAL, "tmux-available")
    raise UserError(
        "no lead was named, and none can be told from where this runs",
        next_step=f"okstra run <{'|'.join(leading_words())}>",
    )


def _checked(name: str, source: str) -> str:
    try:
        return runtimes.lead_runtime_info(name).runtime
    except runtimes.UnknownRuntimeError as err:
        raise runtimes.UnknownRuntimeError(f"{source}: {err}") from None


def _take_flag(words: Sequence[str], valued: Collection[str]) -> tuple[str, list[str]]:
    """Return the flag's last value that is not empty, and the words without it."""
    value, rest = "", []
    remaining = iter(words)
    for word in remaining:
        if word == "--":
            rest += [word, *remaining]
        elif word == _FLAG:
            value = next(remaining, "").strip() or value
        elif word.startswith(f"{_FLAG}="):
            value = word.partition("=")[2].strip() or value
        elif word in valued:
            rest += [
                word,
                *([next_word] if (next_word := next(remaining, None)) is not None else []),
            ]
        else:
            rest.append(word)
    return value, rest
