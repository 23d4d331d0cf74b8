"""Run a command on a terminal of its own, as a user would, and print what the terminal showed.

    python3 tests/support/pty_run.py [--answer=<text>]... [--eof] [--timeout=<s>] -- <command>...

Each answer is typed when the screen ends in a prompt that stands still. Exits with the command's
status (128+n for a signal), 124 when it took too long.
"""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time

STILL = 0.25  # seconds without output before an answer is typed
PROMPT = re.compile(rb"[^\n]\Z")


def run(command: list[str], answers: list[bytes], timeout: float) -> tuple[int, bytes]:
    """Return the exit status and all output. An answer of b"\\x04" is the end of input."""
    pid, terminal = pty.fork()
    if pid == 0:
        for one in (signal.SIGINT, signal.SIGHUP):  # whoever runs the tests may ignore them
            signal.signal(one, signal.SIG_DFL)
        try:
            os.execvp(command[0], command)
        except OSError as err:
            os.write(2, f"{command[0]}: {err.strerror}\n".encode())
        os._exit(127)
    shown, end, still, left = b"", time.monotonic() + timeout, 0.0, list(answers)
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.05)
        if ready:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                piece = b""
            if not piece:
                return _status(os.waitpid(pid, 0)[1]), shown
            shown, still = shown + piece, time.monotonic()
        elif left and PROMPT.search(shown) and time.monotonic() - still > STILL:
            os.write(terminal, left.pop(0))
            still = time.monotonic() + STILL  # its echo is no prompt
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return 124, shown


def _status(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def main(words: list[str]) -> int:
    end = words.index("--")
    answers, timeout = [], 60.0
    for word in words[:end]:
        name, _, value = word.partition("=")
        if name == "--answer":
            answers.append(value.encode() + b"\n")
        elif name == "--key":
            answers.append(value.encode().decode("unicode_escape").encode("latin-1"))
        elif name == "--timeout":
            timeout = float(value)
        else:
            sys.exit(f"pty_run: unknown: {word}")
    status, shown = run(words[end + 1 :], answers, timeout)
    sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
