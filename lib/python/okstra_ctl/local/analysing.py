"""The analyser and the critic: what an engine found, as findings (H-031, H-032)."""

from __future__ import annotations

from typing import Callable, Mapping, NamedTuple, Sequence

from okstra_ctl.local import engines, line_text, selection, survey_files
from okstra_ctl.local.assignment import Claim
from okstra_ctl.local.engines import Project, Seen
from okstra_ctl.local.hit import Hit

_TOLD = 12  # paths or notes that section 5 names
_LIMITS = {
    engines.LINT: "`lint` knows what linters know: it judges no behaviour and no intent.",
    engines.SYNTAX: "`syntax` knows syntax and names: it judges no behaviour and no intent.",
    engines.TRACE: "`trace` finds what the brief names: it judges no code, and no cause is proved.",
}


class Findings(NamedTuple):
    hits: tuple[Hit, ...]
    texts: Mapping[str, Sequence[str]]  # of the cited files
    notes: tuple[str, ...]  # for section 5


def analyse(
    engine: str,
    where: Project,
    seconds: float,
    tick: Callable[[int], None],
    task_type: str,
) -> Findings:
    """Return what an engine finds in a project within a time, as far as it matters to the task."""
    ranks, left = engines.whole(where, seconds)
    seen = engines.survey(engine, where, tuple(ranks), left, tick)
    hits = engines.chosen(engine, seen)
    texts = survey_files.texts(where.root, sorted({hit.path for hit in hits}))
    focused = bool(where.named) and engine != engines.TRACE and task_type not in selection.WIDE
    chosen = selection.choose(hits, texts, ranks, _brief_lines(where, texts), focused=focused)
    notes = [*_notes(engine, where, seen, seconds), *chosen.left_out]
    return Findings(chosen.hits, texts, tuple(notes))


def criticise(where: Project, claims: Sequence[Claim]) -> Findings:
    """Return the files that the brief names and that no finding cites."""
    touched = {place.plain_path for claim in claims for place in claim.evidence}
    texts = survey_files.texts(where.root, where.named)
    lines: dict[str, int] = {}
    for path, line in _brief_lines(where, texts):
        lines.setdefault(path, line)
    gaps = [
        _gap(path, lines.get(path, 1), texts[path])
        for path in where.named
        if path in texts and path not in touched
    ]
    compared = f"Compared {len(where.named)} files that the brief names with the places of "
    notes = [f"{compared}{len(claims)} findings; other gaps this engine cannot see."]
    return Findings(tuple(gaps), texts, tuple(notes))


def _gap(path: str, line: int, texts: Sequence[str]) -> Hit:
    shown = line_text.shown(path)
    number = min(line, len(texts))
    said = f"The brief names {shown}; no finding cites a line of it."
    advice = "Look at the file before the findings are taken for complete."
    title = f"No finding touches {shown}"
    return Hit(path, number, number, "", (), title, said, "minor", "risk", advice)


def _brief_lines(where: Project, texts: Mapping[str, Sequence[str]]) -> list[tuple[str, int]]:
    """Return the lines of the project that the brief names, in its order."""
    from okstra_ctl.local import brief_clues

    names = brief_clues.by_name(where.paths)
    frames = [frame for one in where.clues.traces for frame in one.frames]
    found = [
        (brief_clues.resolve(frame.path, names), frame.line)
        for frame in (*frames, *where.clues.mentions)
    ]
    return [(path, line) for path, line in found if path]


def _notes(engine: str, where: Project, seen: Seen, seconds: float) -> list[str]:
    """Return what was looked at and what was not, counted (H-032)."""
    count = len(where.paths) + where.left_out
    what = "that git tracks" if where.tracked else "of the project, which is not under git"
    notes = [f"Looked at {len(seen.looks)} of {count} files {what}.", _LIMITS[engine]]
    reasons: dict[str, int] = {}
    for why in seen.refused.values():
        reasons[why] = reasons.get(why, 0) + 1
    if where.left_out:
        reasons["a path that cannot be cited"] = where.left_out
    if seen.left:
        reasons[f"no time left of {seconds:g} s"] = len(seen.left)
    if seen.lost:
        reasons["the engine did not come to an end on it"] = len(seen.lost)
    if reasons:
        told = "; ".join(f"{why}: {number}" for why, number in sorted(reasons.items()))
        notes.append(f"Not looked at: {told}.")
    notes += [f"Not judged: {line_text.shown(path)}." for path in sorted(seen.lost)[:_TOLD]]
    said = dict.fromkeys(note for look in seen.looks.values() for note in look.notes)
    notes += [f"{line_text.shown(note)}." for note in list(said)[:_TOLD]]
    if len(said) > _TOLD:
        notes.append(f"{len(said) - _TOLD} files more could not be judged whole.")
    return notes
