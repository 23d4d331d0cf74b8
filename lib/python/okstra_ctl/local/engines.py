"""The three engines by name, and what each says of one file or of a project (H-030, H-032)."""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Mapping, NamedTuple, Sequence

from okstra_ctl.local import (
    brief_clues,
    lint,
    pool_process,
    project_files,
    shellcheck_process,
    survey_files,
    syntax,
    syntax_process,
    trace,
)
from okstra_ctl.local.hit import Hit, Look, from_row, to_row
from okstra_kernel import UserError

LINT, SYNTAX, TRACE = "lint", "syntax", "trace"
NAMES = (LINT, SYNTAX, TRACE)


class Project(NamedTuple):
    """What is looked at: a folder, its files, and what the brief says of them."""

    root: str
    paths: tuple[str, ...]
    tracked: bool
    left_out: int
    brief: str
    clues: brief_clues.Clues
    named: tuple[str, ...]  # files that the brief names


class Seen(NamedTuple):
    looks: dict[str, Look]  # by path, those that were looked at
    order: tuple[str, ...]
    refused: dict[str, str]  # path: why it was not looked at
    lost: tuple[str, ...]
    left: tuple[str, ...]  # for lack of time


def project(root: str, brief: str) -> Project:
    """Return what there is to look at. Raises UserError."""
    found = project_files.listing(root)
    text = brief.replace(f"{root}/", "")  # a trace of this machine names files by their whole path
    named = brief_clues.named_files(text, found.paths)
    clues = brief_clues.read(text)
    return Project(root, found.paths, found.tracked, found.left_out, text, clues, named)


def named(engine: str) -> str:
    """Return an engine's name without its provider's. Raises UserError for one there is not."""
    name = engine.strip().removeprefix("local/")
    if name not in NAMES:
        raise UserError(f"not an engine of local: {engine!r}; known: {', '.join(NAMES)}")
    return name


def look(engine: str, path: str, data: bytes, wanted: trace.Needles) -> Look:
    """Return what an engine sees in one file."""
    if engine == TRACE:
        return trace.search(path, data, wanted)
    own, other = (
        (lint.look, shellcheck_process.look)
        if engine == LINT
        else (syntax.look, syntax_process.look)
    )
    one, two = own(path, data), other(path, data)
    return Look((*one.hits, *two.hits), (*one.notes, *two.notes), one.against)


def survey(
    engine: str,
    where: Project,
    paths: Sequence[str],
    seconds: float,
    tick: Callable[[int], None] = lambda done: None,
) -> Seen:
    """Return what an engine sees in files, in their order, as far as the time goes."""
    wanted = trace.needles(where.clues)

    def judge(path: str) -> Mapping[str, Any]:
        data, why = project_files.content(where.root, path)
        return {"why": why} if why else to_row(look(engine, path, data, wanted))

    judged = pool_process.judge_all(paths, judge, seconds=seconds, tick=tick)
    looks: dict[str, Look] = {}
    refused: dict[str, str] = {}
    for path in paths:
        row = judged.rows.get(path)
        if row is not None and "why" in row:
            refused[path] = str(row["why"])
        elif row is not None:
            looks[path] = from_row(row)
    if engine == TRACE:
        _add_frames(where, looks)
    return Seen(looks, tuple(paths), refused, judged.lost, judged.left)


def _add_frames(where: Project, looks: dict[str, Look]) -> None:
    """Put the frames of the brief to the hits of their files; of one line they say more."""
    texts = survey_files.texts(where.root, where.named)
    for hit in trace.frame_hits(where.clues, texts):
        if hit.path in looks:
            known = looks[hit.path]
            looks[hit.path] = known._replace(hits=(hit, *known.hits))


def whole(where: Project, seconds: float) -> tuple[Mapping[str, int], float]:
    """Return the ranks of all files in their order, and the seconds that are left."""
    began = time.monotonic()
    ranks = survey_files.order(where.root, where.paths, where.named)
    return ranks, max(0.0, seconds - (time.monotonic() - began))


def chosen(engine: str, seen: Seen) -> list[Hit]:
    """Return the hits of a survey; of `trace` the few best of each thing that the brief names."""
    hits = [hit for path in seen.order if path in seen.looks for hit in seen.looks[path].hits]
    if engine != TRACE:
        return hits
    places = {path: number for number, path in enumerate(seen.order)}
    plain = [hit for hit in hits if hit.names and hit.topic == "named" and hit.kind == "fact"]
    kept = {*trace.best(plain, places)}
    first: dict[tuple[str, int], Hit] = {}
    for hit in hits:
        if hit not in plain or hit in kept:
            first.setdefault((hit.path, hit.start), hit)
    return list(first.values())


def exists(root: str, path: str) -> bool:
    return os.path.lexists(os.path.join(root, path))
