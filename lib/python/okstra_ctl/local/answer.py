"""The Markdown that a worker of `local` leaves (H-010 to H-013). Pure."""

from __future__ import annotations

from typing import Iterable, Mapping, NamedTuple, Sequence

from okstra_ctl.evidence import document, heartbeat, own_lines, result
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.evidence.findings import NOTHING
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.local.assignment import Claim
from okstra_ctl.local.hit import Hit
from okstra_ctl.local.line_text import quoted
from okstra_ctl.local.verdicts import Verdict


class Read(NamedTuple):
    """An input as it was found: `path` as the prompt names it, hash empty if it was not there."""

    path: str
    sha256: str  # its first twelve hexadecimal digits now
    told: str  # those of the prompt; empty: it gives none


def findings(
    identity: Identity,
    hits: Sequence[Hit],
    texts: Mapping[str, Sequence[str]],
    notes: Sequence[str],
) -> str:
    """Return a result; `texts`: the lines of each cited file, `notes`: what section 5 says."""
    blocks = [_finding(number, hit) for number, hit in enumerate(hits, 1)]
    shown = [_evidence(hit, texts.get(hit.path, ())) for hit in hits]
    bodies = (
        "\n\n".join(blocks) or NOTHING,
        "\n".join(dict.fromkeys(shown)) or NOTHING,
        NOTHING,
        NOTHING,
        "\n".join(f"- {note}" for note in notes) or NOTHING,
    )
    parts = [f"## {name}\n\n{body}" for name, body in zip(result.SECTIONS, bodies, strict=True)]
    return _framed(identity, "\n\n".join(parts))


def verdicts(identity: Identity, found: Sequence[tuple[Claim, Verdict]], mode: str) -> str:
    """Return a re-verification."""
    blocks = [
        f"### {claim.id}\n\n**Verdict**: {verdict.word(mode)}\n**Basis**: {verdict.basis}"
        for claim, verdict in found
    ]
    return _framed(identity, "\n\n".join(blocks) or "There was nothing to verify.")


def audit(
    inputs: Sequence[Read], opened: Iterable[Citation], beats: Sequence[tuple[float, str]]
) -> str:
    """Return the sidecar; `beats`: when, in seconds since 1970, and what was being done."""
    rows = [f"- `{one.path}` sha256:{one.sha256}" for one in inputs if one.sha256]
    odd = [line for one in inputs if (line := difference(one))]
    evidence = [f"- Evidence read: {place}" for place in dict.fromkeys(map(_range, opened))]
    progress = [heartbeat.line(at, text) for at, text in beats]
    parts = [f"## {document.CONFIRMATION}", *filter(None, map("\n".join, (rows, odd)))]
    parts += [*filter(None, map("\n".join, (evidence, progress)))]
    return "\n\n".join(parts) + "\n"


def difference(one: Read) -> str:
    """Return a sentence on an input that is not what the prompt says; empty if it is."""
    if not one.sha256:
        return f"The input {one.path} cannot be read."
    if one.told and one.told != one.sha256:
        return f"The input {one.path} has another sha256 than the prompt says, {one.told}."
    return ""


def _finding(number: int, hit: Hit) -> str:
    items = {
        "Severity": hit.severity,
        "Kind": hit.kind,
        "Statement": hit.statement,
        "Evidence": f"`{hit.place}`" if hit.start else "none — the file is empty",
        "Recommendation": hit.advice,
    }
    lines = [f"- {key}: {value}" for key, value in items.items()]
    return "\n".join([f"### F-{number:03d} — {hit.title}", "", *lines])


def _evidence(hit: Hit, texts: Sequence[str]) -> str:
    code = quoted(texts[hit.start - 1]) if 0 < hit.start <= len(texts) else ""
    return f"- `{hit.place}` begins with {code}" if code else f"- `{hit.place}`"


def _framed(identity: Identity, body: str) -> str:
    rows = [f"{name}: {value}" for name, value in identity._asdict().items()]
    return "\n".join(["---", *rows, "---", "", body, "", own_lines.MARKER, ""])


def _range(place: Citation) -> str:
    return f"{place.path}:{place.start}-{place.end}"
