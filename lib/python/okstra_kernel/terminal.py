"""Questions to the person at the terminal (Z-008): asked there, whatever stdin and stdout are."""

from __future__ import annotations

import os

from okstra_kernel import UserError

DEVICE = "/dev/tty"
_LONGEST = 4096  # bytes of an answer


def confirm(question: str, *, flag: str) -> bool:
    """Show a question and tell whether the answer was `y` or `Y`; anything else is a no.

    Raises UserError where there is no terminal, naming the flag that would have answered.
    """
    try:
        stream = os.open(DEVICE, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise UserError("there is no terminal to ask on", next_step=f"pass {flag}") from None
    try:
        os.write(stream, question.encode("utf-8", "backslashreplace"))
        answer = os.read(stream, _LONGEST)
    except OSError as err:
        raise UserError(f"the terminal cannot be asked: {err.strerror}") from err
    finally:
        os.close(stream)
    return answer.strip(b"\n") in (b"y", b"Y")
