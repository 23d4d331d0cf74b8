"""The answers that a run takes along from an earlier one (P-146, P-151, P-152, L-031, L-086)."""

from __future__ import annotations

import os
import re

from okstra_kernel import Refusal, UserError, plain_file

LIMIT = 8 << 20  # bytes of one file
_SIDECAR = r"user-response-.+-(\d{3,})\.md"


def carry_in(path: str, named: str) -> str:
    """Return a report or note with the answers that lie beside it, oldest first.

    `path` is absolute. Raises UserError for a file that is not there or is no text.
    """
    if not os.path.isfile(path):
        raise UserError(f"clarification response file not found: {named}")
    parts = [_text(path, named).rstrip("\n")]
    for sidecar in sidecars(path):
        if os.path.islink(sidecar):
            raise Refusal(f"okstra reads no links among answers: {sidecar}")
        parts.append(
            f"## Answers: {os.path.basename(sidecar)}\n\n{_text(sidecar, sidecar).strip()}"
        )
    return "\n\n".join(parts) + "\n"


def sidecars(report: str) -> list[str]:
    """Return the answer files of the run folder that a report lies in, by number.

    A file that is no report (a note) has none (P-152).
    """
    folder = os.path.dirname(os.path.abspath(report))
    if os.path.basename(folder) != "reports":
        return []
    answers = os.path.join(os.path.dirname(folder), "user-responses")
    try:
        names = os.listdir(answers)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as err:
        raise UserError(f"{answers}: {err.strerror}") from err
    found = [(int(match[1]), name) for name in names if (match := re.fullmatch(_SIDECAR, name))]
    return [os.path.join(answers, name) for _, name in sorted(found)]


def _text(path: str, named: str) -> str:
    data = plain_file.read(path, named, limit=LIMIT)
    if len(data) > LIMIT:
        raise UserError(f"larger than {LIMIT >> 20} MiB: {named}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as err:
        raise UserError(f"{named}: byte {err.start} is not UTF-8") from err
