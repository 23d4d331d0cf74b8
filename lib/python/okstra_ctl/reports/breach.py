"""One thing in a finished run that breaks a contract: which, where, what (R-120). Pure."""

from __future__ import annotations

from typing import Iterable, NamedTuple

WORD = "contract-violated"  # what a run with a breach is called

ARTIFACTS = "artifacts"  # complete, and readable
WORKERS = "worker-results-audit"
SCHEMA = "schema"
CONVERGENCE = "convergence"  # the state and its replay
ROWS = "finding-rows"  # the report's against the state's
MARKDOWN = "markdown"  # not the rendering of the data
SECTION_0 = "section-0"
DEPRECATED = "deprecated-pattern"
INDEX = "index-anchor"
TOKENS = "token-usage"
FOLLOW_UPS = "follow-ups"
VIEWS = "report-views"
SESSION = "session-conformance"


class Breach(NamedTuple):
    contract: str  # one of the words above
    file: str  # relative to the project
    line: int  # from 1; 0: of none
    message: str

    def json(self) -> dict[str, object]:
        return dict(zip(self._fields, self, strict=True))

    def text(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.contract}: {self.message}"


def in_order(found: Iterable[Breach]) -> list[Breach]:
    """Return the breaches by file and line, each once."""
    return sorted(dict.fromkeys(found), key=lambda one: (one.file, one.line, one.contract))
