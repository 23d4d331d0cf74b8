"""Questions to the person at the terminal (Z-008): asked there, whatever stdin and stdout are."""

from __future__ import annotations

import contextlib
import os
from typing import Iterator

from okstra_kernel import UserError

DEVICE = "/dev/tty"
_LONGEST = 4096  # bytes of an answer


def is_there() -> bool:
    """Tell whether there is a terminal to ask on."""
    with _open() as stream:
        return stream is not None


def ask(question: str) -> str | None:
    """Show a question and return the line that was typed.

    None at the end of input, and where there is no terminal.
    """
    with _open() as stream:
        if stream is None:
            return None
        _discard_typed(stream)
        try:
            os.write(stream, question.encode("utf-8", "backslashreplace"))
            answer = os.read(stream, _LONGEST)
        except OSError:
            return None
    return answer.decode("utf-8", "replace").removesuffix("\n") if answer else None


def discard_typed() -> None:
    """Forget what was typed before a question was shown: it answers none (XS-09)."""
    with _open() as stream:
        if stream is not None:
            _discard_typed(stream)


def confirm(question: str, *, flag: str) -> bool:
    """Show a question and tell whether the answer was `y` or `Y`; anything else is a no.

    Raises UserError where there is no terminal, naming the flag that would have answered.
    """
    if not is_there():
        raise UserError("there is no terminal to ask on", next_step=f"pass {flag}")
    return ask(question) in ("y", "Y")


def tell(text: str) -> None:
    """Show a line to the person at the terminal; nobody there is no error."""
    with _open() as stream, contextlib.suppress(OSError):
        if stream is not None:
            os.write(stream, f"{text}\n".encode("utf-8", "backslashreplace"))


def _discard_typed(stream: int) -> None:
    import termios

    with contextlib.suppress(termios.error):
        termios.tcflush(stream, termios.TCIFLUSH)


@contextlib.contextmanager
def _open() -> Iterator[int | None]:
    try:
        stream = os.open(DEVICE, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        yield None
        return
    try:
        yield stream
    finally:
        os.close(stream)
