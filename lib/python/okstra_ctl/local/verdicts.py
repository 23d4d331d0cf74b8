"""What an engine can say of a finding of somebody: it reproduces, it does not hold, or neither.

H-031. Pure. A refutation names what stands at the cited line; where an engine cannot judge, it says
so and never guesses.
"""

from __future__ import annotations

import re
from typing import Mapping, NamedTuple, Sequence

from okstra_ctl.evidence.citation import Citation
from okstra_ctl.local import line_text
from okstra_ctl.local.assignment import COLLABORATIVE, Claim
from okstra_ctl.local.hit import FRAME, SYNTAX, UNDEFINED, UNUSED, Hit, Look

HOLDS, FAILS, OPEN = "holds", "fails", "open"
_WORDS = {HOLDS: "SURVIVES", FAILS: "REFUTED", OPEN: "UNVERIFIABLE"}
_TOGETHER = {HOLDS: "AGREE", FAILS: "DISAGREE", OPEN: "UNVERIFIABLE"}
_SHOWN = 3  # lines of a range

_TOPICS = (
    (SYNTAX, r"syntax ?error|cannot (?:be )?(?:read|parse)|parse error|conflict marks"
     r"|\bnot (?:valid )?(?:JSON|YAML|TOML)"),
    (UNDEFINED, r"undefined|not defined|NameError|never bound|nothing binds|no binding|unbound"),
    (UNUSED, r"unused|never used|never read|serves nothing|not used"),
)  # fmt: skip
_NAME = re.compile(r"['`\"]\$?([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?['`\"]|\b(SC\d{4})\b")
# A name that a finding itself says to be undefined, or imported for nothing, at its line; one that
# it only reports may stand elsewhere, and one that is never used need not stand where it is not.
_ASSERTED = re.compile(
    r"\bundefined (?:name |variable |local )?['`\"]([A-Za-z_]\w*)['`\"]"
    r"|['`\"]([A-Za-z_]\w*)['`\"] (?:is )?"
    r"(?:undefined|not defined|never bound|imported (?:but|and) )"
)
_SECOND_HAND = re.compile(r"\w+Error\b|\brais|\btrace|\bcall", re.IGNORECASE)
_READS = re.compile(r"\bline reads `([^`]+)`")


class Opened(NamedTuple):
    """A cited place as it is now."""

    place: Citation
    texts: Sequence[str]  # of the whole file; empty if it was not read
    why: str  # why it was not read
    gone: bool  # there is no such file

    @property
    def exists(self) -> bool:
        return bool(self.texts) and self.place.end <= len(self.texts)

    @property
    def lines(self) -> Sequence[str]:
        return self.texts[self.place.start - 1 : self.place.end]


class Verdict(NamedTuple):
    what: str  # HOLDS, FAILS or OPEN
    basis: str

    def word(self, mode: str) -> str:
        return (_TOGETHER if mode == COLLABORATIVE else _WORDS)[self.what]


def judge(
    claim: Claim, opened: Sequence[Opened], looks: Mapping[str, Look], engine: str
) -> Verdict:
    """Return the verdict on a finding; `looks`: what the engine sees in each file that is cited."""
    if not opened:
        return Verdict(OPEN, f"It cites no place that {engine} could open.")
    there = [one for one in opened if one.exists]
    if not there:
        return _absent(opened, engine)
    told = " ".join(_told(one) for one in there)
    topic, names = topic_of(claim), names_of(claim)
    wrong = _misquoted(claim, there)
    if wrong:
        return Verdict(FAILS, f"{told} The finding says that the line reads {wrong}: no line does.")
    for one in there:
        hit = _reproduced(one, looks.get(one.place.plain_path, Look()), topic, names)
        if hit:
            return Verdict(HOLDS, f"{told} {engine} sees at `{hit.place}`: {hit.statement}")
    against = _disproved(there, looks, topic, names)
    if against:
        return Verdict(FAILS, f"{told} {against}")
    missing = _missing(claim, there)
    if missing:
        return Verdict(FAILS, f"{told} Nothing called '{missing}' stands there.")
    notes = [note for one in there for note in looks.get(one.place.plain_path, Look()).notes]
    reason = f" ({'; '.join(dict.fromkeys(notes))})" if notes else ""
    return Verdict(OPEN, f"{told} {engine} sees nothing there that it could judge it by{reason}.")


def topic_of(claim: Claim) -> str:
    """Return what a finding is about, as far as an engine knows such things; else nothing."""
    text = _READS.sub("", f"{claim.title} {claim.claim}")
    found = [topic for topic, shape in _TOPICS if re.search(shape, text, re.IGNORECASE)]
    return found[0] if len(found) == 1 else ""


def names_of(claim: Claim) -> frozenset[str]:
    """Return the identifiers that a finding quotes, and the rules that it names."""
    text = _READS.sub("", f"{claim.title}\n{claim.claim}")
    return frozenset(one or rule for one, rule in _NAME.findall(text))


def _reproduced(one: Opened, look: Look, topic: str, names: frozenset[str]) -> Hit | None:
    """Return what the engine sees at a place that is the same: topic, or name, and no contrary."""
    for hit in look.hits:
        if not hit.touches(one.place):
            continue
        if hit.topic == FRAME:
            if topic in ("", UNDEFINED) and (not hit.names or not names or names & {*hit.names}):
                return hit
            continue
        if hit.topic in (UNDEFINED, UNUSED, SYNTAX) and topic and topic != hit.topic:
            continue
        if (hit.topic == topic == SYNTAX) or names & {*hit.names}:
            return hit
    return None


def _disproved(
    there: Sequence[Opened], looks: Mapping[str, Look], topic: str, names: frozenset[str]
) -> str:
    for one in there:
        look = looks.get(one.place.plain_path, Look())
        for line in range(one.place.start, one.place.end + 1):
            for name in sorted(names):
                by = look.against.get(f"{topic} {name} {line}")
                if by and by <= len(one.texts):
                    place = Citation(one.place.plain_path, by, by)
                    verb = "bound" if topic == UNDEFINED else "used"
                    return f"'{name}' is {verb} at `{place}`{_code(one.texts[by - 1])}."
    return ""


def _misquoted(claim: Claim, there: Sequence[Opened]) -> str:
    quoted = _READS.findall(claim.claim)
    lines = {text.strip() for one in there for text in one.lines}
    return next((f"`{code}`" for code in quoted if code.strip() not in lines), "")


def _missing(claim: Claim, there: Sequence[Opened]) -> str:
    """Return the name that a finding asserts something of and that stands at none of its places."""
    text = _READS.sub("", f"{claim.title}\n{claim.claim}")
    found = None if _SECOND_HAND.search(text) else _ASSERTED.search(text)
    if not found:
        return ""
    name = found[1] or found[2]
    lines = "\n".join(line for one in there for line in one.lines)
    return "" if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lines) else name


def _absent(opened: Sequence[Opened], engine: str) -> Verdict:
    """Judge a finding of which no place can be opened: gone is a refutation, unread is none."""
    unread = [one for one in opened if not one.gone and not one.texts]
    if unread:
        why = "; ".join(f"{one.place.path}: {one.why}" for one in unread)
        return Verdict(OPEN, f"{engine} did not read it: {line_text.shown(why)}.")
    said = []
    for one in opened:
        if one.gone:
            said.append(f"There is no file {line_text.shown(one.place.path)} in the project.")
        else:
            last = Citation(one.place.plain_path, len(one.texts), len(one.texts))
            code = _code(one.texts[-1])
            said.append(f"The file of {one.place} ends at `{last}`{code}.")
    return Verdict(FAILS, " ".join(said))


def _told(one: Opened) -> str:
    """Return a sentence on what stands at a place."""
    codes = [code for code in map(line_text.quoted, one.lines[:_SHOWN]) if code]
    if not codes:
        return f"Opened `{one.place}`."
    return f"Opened `{one.place}`: it holds {', '.join(codes)}."


def _code(text: str) -> str:
    code = line_text.quoted(text)
    return f": {code}" if code else ""
