"""A signal ends a command with a sentence, and nothing that handles faults takes it for one."""

from __future__ import annotations

import os
import signal

import pytest

from okstra_kernel import UserError, interruption
from okstra_kernel.interruption import Interrupted


@pytest.mark.parametrize("number", interruption.ASKING)
def test_a_signal_is_told_with_its_status(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with pytest.raises(Interrupted) as caught, interruption.told("all goes on", "wait"):
        try:
            os.kill(os.getpid(), number)
        except (UserError, Exception):  # allowed: what must not happen
            pytest.fail("taken for a fault")
    told = caught.value
    words = f"interrupted by {number.name}; all goes on"
    assert (str(told), told.next_step, told.status) == (words, "wait", 128 + number)
    assert signal.getsignal(number) is before


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruption.told("x", "y"):
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
