"""The verifier: each cited place opened again, and the engine run on it anew (H-031, Z-117)."""

from __future__ import annotations

import os
from typing import Callable, Sequence

from okstra_ctl.evidence.citation import Citation
from okstra_ctl.local import engines, survey_files, verdicts
from okstra_ctl.local.assignment import Claim
from okstra_ctl.local.engines import Project
from okstra_ctl.local.verdicts import Opened, Verdict


def verify(
    engine: str,
    where: Project,
    claims: Sequence[Claim],
    seconds: float,
    tick: Callable[[int], None],
) -> list[tuple[Claim, Verdict]]:
    """Return a verdict on each finding, in their order."""
    known = frozenset(where.paths)
    claims = [claim._replace(evidence=_own(claim.evidence, where.root)) for claim in claims]
    paths = sorted({place.plain_path for claim in claims for place in claim.evidence} & known)
    seen = engines.survey(engine, where, paths, seconds, tick)
    texts = survey_files.texts(where.root, paths)
    why = {**dict.fromkeys(seen.lost, "the engine did not come to an end on it"), **seen.refused}
    why.update(dict.fromkeys(seen.left, "no time was left"))

    def opened(place: Citation) -> Opened:
        path = place.plain_path
        if path in why or path not in known:
            reason = why.get(path, "not among the files that are looked at")
            gone = path not in known and not engines.exists(where.root, path)
            return Opened(place, (), reason, gone)
        return Opened(place, texts.get(path, ()), "it is empty", False)

    name = f"local/{engine}"
    return [
        (claim, verdicts.judge(claim, [*map(opened, claim.evidence)], seen.looks, name))
        for claim in claims
    ]


def _own(places: Sequence[Citation], root: str) -> tuple[Citation, ...]:
    """Return places relative to the project, those that were given by their whole path, too."""
    found = []
    for place in places:
        path = place.path
        if os.path.isabs(path) and path.startswith(f"{root}/"):
            path = os.path.relpath(path, root)
        found.append(place._replace(path=path if os.path.isabs(path) else place.plain_path))
    return tuple(found)
