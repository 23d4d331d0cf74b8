from __future__ import annotations

import os
import time

import pytest

from okstra_kernel import short_process
from okstra_kernel.short_process import Output


def sh(script: str, timeout: float = 10) -> Output:
    return short_process.run(["/bin/sh", "-c", script], os.environ, timeout=timeout)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("printf out; printf err >&2; exit 3", Output(3, b"out", b"err")),
        ("cat", Output(0, b"", b"")),  # no input
        ("kill -TERM $$", Output(-15, b"", b"")),
    ],
)
def test_output_and_status(script: str, expected: Output) -> None:
    assert sh(script) == expected


def test_much_on_both_streams_blocks_neither() -> None:
    found = sh("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2")
    assert (len(found.out), len(found.err)) == (1_000_000, 1_000_000)


def test_the_wait_has_an_end_and_leaves_no_process() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        sh("exec sleep 60", timeout=0.1)
    assert time.monotonic() - begun < 5
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_what_cannot_be_started_is_an_os_error_and_leaves_no_descriptor() -> None:
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(FileNotFoundError):
        short_process.run(["no such program"], {}, timeout=1)
    assert len(os.listdir("/dev/fd")) == before
