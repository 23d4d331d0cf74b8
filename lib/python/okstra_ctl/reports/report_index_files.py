"""`okstra inject-report-index`: the index put into a report's Markdown (R-030)."""

from __future__ import annotations

from okstra_ctl.convergence import document_files
from okstra_ctl.reports import report_index
from okstra_kernel import UserError, plain_file, store

LIMIT = 32 << 20  # bytes


def command(path: str, language: str) -> tuple[int, str]:
    """Put the index into a report, or a fresh one in its place; print the report's path."""
    inject(path, language)
    return 0, path


def inject(path: str, language: str) -> None:
    """Put the index into a report; an index that is right stays. Raises UserError."""
    text = read(path)
    made = report_index.inject(text, language)
    if made != text:
        store.write_text(*document_files.place(path), made)


def read(path: str) -> str:
    """Return the text of a Markdown report. Raises UserError."""
    data = plain_file.read(path, path, limit=LIMIT)
    if len(data) > LIMIT:
        raise UserError(f"{path}: larger than {LIMIT >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as err:
        raise UserError(f"{path}: byte {err.start} is not UTF-8") from None
