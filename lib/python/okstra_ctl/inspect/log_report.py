"""`okstra log-report`: how large the transcripts of the workers are (D-190, R-161 to R-163)."""

from __future__ import annotations

import operator
import os
import re
from typing import Any, Iterable, Iterator

from okstra_ctl.inspect import transcripts_files
from okstra_ctl.inspect.transcripts_files import Pair
from okstra_kernel import UserError, display
from okstra_project.root import resolve_project_root

_HEADS = ("TRANSCRIPT", "BYTES", "PROMPT BYTES", "RATIO")


class Totals:
    """Adds up what passes by."""

    def __init__(self) -> None:
        self.transcripts = self.pairs = self.transcript_bytes = self.prompt_bytes = 0

    def among(self, found: Iterable[Pair]) -> Iterator[Pair]:
        for pair in found:
            self.transcripts += 1
            self.transcript_bytes += pair.transcript_bytes
            if pair.prompt_bytes is not None:
                self.pairs += 1
                self.prompt_bytes += pair.prompt_bytes
            yield pair


def report(project_root: str, cwd: str, top: str | None, *, as_json: bool) -> tuple[int, str]:
    """Return 0 and the transcripts, the largest first; the totals are those of all of them."""
    most = _number(top)
    here = os.getcwd()
    root = resolve_project_root(project_root, here if project_root else os.path.join(here, cwd))
    totals = Totals()
    largest = _largest(totals.among(transcripts_files.pairs(root)), most)
    if not display.wants_json(as_json):
        return 0, _table(largest, totals)
    head = {"schemaVersion": 1, "ok": True, "projectRoot": root, "totals": _members(totals)}
    document = display.document(head).removesuffix("\n}")
    return 0, f'{document},\n  "entries": [{_listing(largest)}]\n}}'


def _largest(found: Iterable[Pair], most: int | None) -> list[Pair]:
    """Return the largest; of equals, the one whose path comes first.

    All of them are held only where all are wanted: memory takes longer to get than to fill (Q-23).
    """
    if most is not None:
        import heapq

        return heapq.nsmallest(most, found, key=_order)
    return sorted(sorted(found, key=_path), key=_bytes, reverse=True)


_bytes, _path = operator.itemgetter(0), operator.itemgetter(1)


def _order(pair: Pair) -> tuple[int, str]:
    return -pair.transcript_bytes, pair.transcript


def _listing(found: list[Pair]) -> str:
    """Return the entries as JSON, a line each.

    Written by hand where no name needs care: a tenth of what a writer of any JSON takes (Q-23).
    """
    places = {os.path.dirname(pair.transcript) for pair in found}
    names = {os.path.basename(pair.transcript) for pair in found}
    names |= {os.path.basename(pair.prompt) for pair in found if pair.prompt}
    if display.is_plain(places | names):  # what would be a secret has no slash in its middle
        return ",\n    ".join(map(_row, found))
    return display.listing(map(_entry, found), "path")


def _row(pair: Pair) -> str:
    """Return what `_entry` holds, for names that stand in JSON as they are."""
    size, path, prompt, known = pair
    shown, beside, bytes = "null", "null", "null"
    if prompt is not None and known is not None:
        beside, bytes = f'"{prompt}"', str(known)
        if known:
            shown = repr(round(size / known, 2))
    return (
        f'{{"path": "{path}", "sizeBytes": {size}, "transcriptPath": "{path}", '
        f'"transcriptBytes": {size}, "promptPath": {beside}, "promptBytes": {bytes}, '
        f'"transcriptToPromptRatio": {shown}}}'
    )


def _entry(pair: Pair) -> dict[str, Any]:
    return {
        "path": pair.transcript,
        "sizeBytes": pair.transcript_bytes,
        "transcriptPath": pair.transcript,
        "transcriptBytes": pair.transcript_bytes,
        "promptPath": pair.prompt,
        "promptBytes": pair.prompt_bytes,
        "transcriptToPromptRatio": _ratio(pair),
    }


def _ratio(pair: Pair) -> float | None:
    return round(pair.transcript_bytes / pair.prompt_bytes, 2) if pair.prompt_bytes else None


def _members(totals: Totals) -> dict[str, int]:
    return {
        "transcripts": totals.transcripts,
        "pairs": totals.pairs,
        "transcriptBytes": totals.transcript_bytes,
        "promptBytes": totals.prompt_bytes,
    }


def _table(largest: list[Pair], totals: Totals) -> str:
    if not totals.transcripts:
        return "no transcripts yet"
    cells = []
    for pair in largest:
        known = "-" if pair.prompt_bytes is None else str(pair.prompt_bytes)
        row = (pair.transcript, str(pair.transcript_bytes), known, str(_ratio(pair) or "-"))
        cells.append(row)
    sizes = f"{totals.transcript_bytes} bytes, their prompts {totals.prompt_bytes} bytes"
    total = f"{totals.transcripts} transcripts, {totals.pairs} with a prompt: {sizes}"
    return f"{display.table(_HEADS, cells)}\n{total}"


def _number(top: str | None) -> int | None:
    if top is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", top) or not int(top):
        raise UserError(f"not a number of transcripts: --top={top}")
    return int(top)
