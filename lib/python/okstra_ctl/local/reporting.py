"""The report writer: a report's data out of the run's own records, nothing invented (H-031)."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple

from okstra_ctl.local.answer import Read
from okstra_ctl.reportdata import draft, report
from okstra_kernel import UserError, plain_file, strict_json

MANIFEST, STATE, LANGUAGE = "Run Manifest", "Convergence State", "Report Language"
DRAFT = "Report Draft"
_LARGEST = strict_json.MAX_BYTES


class Written(NamedTuple):
    data: bytes  # of the data.json
    findings: int
    inputs: tuple[Read, ...]  # what it was made of, by whole path, with hashes


def write(root: str, headers: Mapping[str, str]) -> Written:
    """Return the report of a run whose votes are done. Raises UserError.

    Where the prompt names a draft of okstra's, that is it. Else it is drafted from what the prompt
    names: the run's manifest, the final state of its convergence, and the language.
    """
    if headers.get(DRAFT):
        data, sha = _read(root, headers[DRAFT])
        return _checked(data, (Read(headers[DRAFT], sha[:12], ""),))
    missing = [name for name in (MANIFEST, STATE) if not headers.get(name)]
    if missing:
        raise UserError(f"the prompt lacks headers: {', '.join(missing)}")
    manifest, manifest_sha = _read(root, headers[MANIFEST])
    state, state_sha = _read(root, headers[STATE])
    team_path = os.path.join(root, str(manifest.get("teamStatePath", "")))
    team, team_sha = _read(root, team_path)
    data = _drafted(
        manifest,
        state,
        team,
        language=headers.get(LANGUAGE, ""),
        state_path=os.path.relpath(os.path.join(root, headers[STATE]), root),
        state_sha256=state_sha,
    )
    inputs = (
        Read(headers[MANIFEST], manifest_sha[:12], ""),
        Read(headers[STATE], state_sha[:12], ""),
        Read(team_path, team_sha[:12], ""),
    )
    return _checked(data, inputs)


def _checked(data: dict[str, Any], inputs: tuple[Read, ...]) -> Written:
    faults = report.faults(data)
    if faults:
        raise UserError(f"the report would not be valid: {faults[0]}", details=faults[1:])
    return Written(report.file_bytes(data), len(data["findings"]), inputs)


def _drafted(*records: Mapping[str, Any], **words: Any) -> dict[str, Any]:
    """Return the draft; records that lack a member are no run's. Raises UserError."""
    try:
        return draft.draft(*map(dict, records), **words)
    except (KeyError, TypeError, ValueError, AttributeError) as err:
        told = f"{type(err).__name__}: {err}"
        raise UserError(f"the run's records cannot be made a report of: {told}") from err


def _read(root: str, path: str) -> tuple[dict[str, Any], str]:
    """Return the object that a file of the project holds, and its sha256. Raises UserError."""
    import hashlib

    whole = os.path.join(root, path)
    if not os.path.realpath(whole).startswith(f"{root}/"):
        raise UserError(f"not a file of the project: {path}")
    data = plain_file.read(whole, path, limit=_LARGEST)
    return strict_json.parse(data, path).members, hashlib.sha256(data).hexdigest()
