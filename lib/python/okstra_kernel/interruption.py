"""What a signal that asks a command to end does: a sentence, and exit status 128 + n (XF-06)."""

from __future__ import annotations

import contextlib
import signal
from typing import Iterator, NoReturn

from okstra_kernel import UserError

ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(UserError):
    """Somebody asked the command to end."""

    def __init__(self, number: int, message: str, next_step: str) -> None:
        name = signal.Signals(number).name
        super().__init__(f"interrupted by {name}; {message}", next_step=next_step)
        self.status = 128 + number


class _Signal(BaseException):
    """On its way up nothing that handles faults may take it for one."""


@contextlib.contextmanager
def told(message: str, next_step: str) -> Iterator[None]:
    """Raise Interrupted when one of these signals comes; one that is ignored stays so (nohup)."""

    def end(number: int, _: object) -> NoReturn:
        raise _Signal(number)

    old = {one: signal.getsignal(one) for one in ASKING}
    try:
        for one, before in old.items():
            if before is not signal.SIG_IGN:
                signal.signal(one, end)
        yield
    except _Signal as err:
        raise Interrupted(err.args[0], message, next_step) from None
    finally:
        for one, before in old.items():
            signal.signal(one, before)
