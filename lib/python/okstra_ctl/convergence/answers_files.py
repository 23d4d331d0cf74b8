"""Reads workers' answers: first ones into groups, later ones into results (C-013, Z-023)."""

from __future__ import annotations

from typing import Any, Callable, Mapping

from okstra_ctl.convergence import answers, document_files, grouping, working
from okstra_ctl.convergence.answers import Response
from okstra_ctl.convergence.grouping import Author
from okstra_ctl.evidence import citation_files, result
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.findings import Finding
from okstra_ctl.runs import team_state_files
from okstra_kernel import UserError


def groups(
    results: Mapping[str, str], output: str, *, adversarial: bool, round_limit: int = 0
) -> dict[str, Any]:
    """Write the groups document of these first answers (worker: file). Raises UserError.

    `round_limit` 0: that of the engine.
    """
    found: dict[Author, tuple[Finding, ...]] = {}
    origins: dict[str, tuple[str, str]] = {}
    faults: list[str] = []
    for worker, path in results.items():
        response = _response(path, output)
        read = result.read(response.data, result.ANYBODY._replace(workerId=worker))
        faults += [f"{worker}: {path}:{one.line}: {one.message}" for one in read.violations]
        faults += [f"{worker}: {path}: cut: it lacks its closing line"] if read.cut else []
        author = Author(worker, read.identity.provider, read.identity.model)
        found[author] = read.findings
        origins[worker] = response.path, response.sha256
    if faults:
        raise UserError(f"{len(faults)} faults in the results", details=faults)
    made = grouping.document(found, origins, adversarial=adversarial)
    made |= {"roundLimit": round_limit} if round_limit else {}
    document_files.write(output, made)
    count = {"findings": sum(map(len, found.values())), "groups": len(made["groups"])}
    return {"ok": True, "output": output, **count}


def collect(
    plan_path: str,
    mode: str,
    results: Mapping[str, str],
    dispatches: Mapping[str, str],
    output: str,
) -> dict[str, Any]:
    """Write the results of a round. Raises UserError that names all faults; then nothing is."""
    plan = document_files.read(plan_path).record
    working.versioned(plan)
    responses = {worker: _response(path, plan_path) for worker, path in results.items()}
    made = answers.results(
        plan.integer("round"),
        working.batches_of(plan),
        mode,
        responses,
        {worker: answers.dispatch(text) for worker, text in dispatches.items()},
        looked_up(plan_path),
    )
    document_files.write(output, made)
    votes = sum(len(one["votes"]) for one in made["outcomes"])
    return {"ok": True, "output": output, "round": made["round"], "votes": votes}


def looked_up(path: str) -> Callable[[Citation], bool]:
    """Return what tells whether a place exists in the project that a file of a run belongs to.

    A file that lies in no project has no places.
    """
    try:
        root = team_state_files.project_of(path)[0]
    except UserError:
        return lambda place: False
    known: dict[Citation, bool] = {}

    def exists(place: Citation) -> bool:
        if place not in known:
            known[place] = citation_files.exists(root, place)
        return known[place]

    return exists


def _response(path: str, beside: str) -> Response:
    data = document_files.content(path)
    base = document_files.run_dir(beside)
    return Response(data, document_files.relative(path, base), document_files.sha256(data))
