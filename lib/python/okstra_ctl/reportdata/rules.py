"""What must hold between the members of a report, and no schema can say (R-016, C-270 to C-277).

Pure. The data has the shape of the schema already.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Callable, Iterator, Sequence

CONSENSUS = "consensus"
NO_PLACE = "none — "  # before the reason why something cites no place
PLACE = (  # the schema has it, too; no address, no `path:line:column`
    r"(?!.*://)(?!.*:[0-9]+:[0-9-]+$)[^\n`]*[^\s`:]:[1-9][0-9]{0,8}(-[1-9][0-9]{0,8})?"
)
_CHECKED = re.compile(r"Evidence checked: (?P<what>\S.*)")
_NOBODY_ASKED = re.compile(r"none — *\S.*")

Members = dict[str, Any]


def faults(data: Members) -> list[str]:
    """Return what is wrong, a line each that begins with the place: `$.consensus: …`."""
    return [line for rule in _RULES for line in rule(data)]


def cites(text: str) -> bool:
    """Tell whether a text is `path:line` or `path:start-end`, its lines not backwards."""
    found = re.fullmatch(PLACE, text)
    if not found:
        return False
    start, _, end = text.rpartition(":")[2].partition("-")
    return not end or int(start) <= int(end)


def checked(statement: str) -> str:
    """Return what is wrong with a question's `Evidence checked:`, or nothing (C-277)."""
    found = list(_CHECKED.finditer(statement))
    if not found:
        return "no 'Evidence checked: <path:line>' in the statement"
    what = found[-1]["what"].strip()
    if _NOBODY_ASKED.fullmatch(what):
        return ""
    if what.startswith("none"):
        return "'Evidence checked: none' without ' — <why only a person knows>'"
    places = re.split(r"[,;] *", what.rstrip("."))
    if all(cites(one.strip().strip("`")) for one in places):
        return ""
    return f"'Evidence checked:' names no path:line: {what[:60]}"


def _ids(data: Members) -> Iterator[str]:
    """Ids are unique within their list (C-271)."""
    lists: list[tuple[str, Sequence[Members]]] = [
        ("clarificationItems", data["clarificationItems"]),
        ("findings", [*data["findings"], *data["gaps"]]),
        ("evidence.primary", data["evidence"]["primary"]),
        ("consensus", data["consensus"]),
        ("followUpTasks", data["followUpTasks"]),
        ("requirementsDiscovery.requirements", _requirements(data)),
    ]
    for name, rows in lists:
        count = Counter(row["id"] for row in rows)
        yield from (
            f"$.{name}: the id {one} stands there {n} times" for one, n in count.items() if n > 1
        )


def _questions(data: Members) -> Iterator[str]:
    """A decision has options, one recommended; whatever else is asked for has a form (C-275)."""
    for row in data["clarificationItems"]:
        where, options = f"$.clarificationItems {row['id']}", row.get("options", [])
        best = sum(option["role"] == "recommended" for option in options)
        if row["kind"] == "decision" and best != 1:
            yield f"{where}: a decision has exactly one recommended option, found {best}"
        if row["kind"] != "decision" and options:
            yield f"{where}: options are for a decision, this is a {row['kind']}"
        if not options and not row.get("expectedForm", "").strip():
            yield f"{where}: neither options nor expectedForm"
        wrong = checked(row["statement"])
        if wrong:
            yield f"{where}: {wrong}"


def _decisions(data: Members) -> Iterator[str]:
    known = {row["id"] for row in data["clarificationItems"]}
    for name in data["humanSummary"]["decisionsNeeded"]:
        if name not in known:
            yield f"$.humanSummary.decisionsNeeded: no such question: {name}"


def _consensus(data: Members) -> Iterator[str]:
    """`consensus[]` is the findings of that class, and no other (R-013)."""
    found = {row["id"]: row for row in data["findings"] if row["class"] == CONSENSUS}
    told = {row["id"]: row for row in data["consensus"]}
    for name in sorted(found.keys() - told.keys()):
        yield f"$.consensus: {name} is missing: its class is {CONSENSUS}"
    for name in sorted(told.keys() - found.keys()):
        yield f"$.consensus: {name} is no finding of class {CONSENSUS}"
    for name in sorted(told.keys() & found.keys()):
        evidence = told[name]["evidence"]
        none = evidence.startswith(NO_PLACE) and not found[name]["evidence"]
        if not none and not all(map(cites, evidence.split(", "))):
            yield f"$.consensus {name}: its evidence is no path:line: {evidence[:60]}"


def _places(data: Members) -> Iterator[str]:
    rows = [
        (f"$.evidence.primary {row['id']}", [row["source"]]) for row in data["evidence"]["primary"]
    ]
    for name in ("findings", "gaps"):
        rows += [(f"$.{name} {row['id']}", row["evidence"]) for row in data[name]]
    for where, places in rows:
        yield from (f"{where}: no path:line: {one[:60]}" for one in places if not cites(one))


def _votes(data: Members) -> Iterator[str]:
    """Nobody votes on what is theirs, and nobody votes twice (Z-022)."""
    for name in ("findings", "gaps"):
        for row in data[name]:
            count = Counter(vote["workerId"] for vote in row["votes"])
            for worker, times in count.items():
                if worker in row["raisedBy"]:
                    yield f"$.{name} {row['id']}: {worker} raised it and has a vote on it"
                if times > 1:
                    yield f"$.{name} {row['id']}: {worker} has {times} votes"


def _classes(data: Members) -> Iterator[str]:
    count = Counter(row["class"] for row in data["findings"])
    for name, told in data["convergence"]["classes"].items():
        if told != count[name]:
            yield f"$.convergence.classes.{name}: {told}, but {count[name]} findings have it"


def _causes(data: Members) -> Iterator[str]:
    known = {row["id"] for row in (*data["findings"], *data["gaps"])}
    for row in data.get("errorAnalysis", {}).get("causes", []):
        if row["findingId"] not in known:
            yield f"$.errorAnalysis.causes: no such finding: {row['findingId']}"


def _requirements(data: Members) -> list[Members]:
    found: list[Members] = data.get("requirementsDiscovery", {}).get("requirements", [])
    return found


_RULES: tuple[Callable[[Members], Iterator[str]], ...] = (
    *(_ids, _questions, _decisions, _consensus, _places, _votes, _classes, _causes),
)
