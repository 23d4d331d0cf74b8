"""It reproduces, it does not hold, or an engine cannot judge; never a guess (H-031, Z-117)."""

from __future__ import annotations

import pytest

from okstra_ctl.evidence import citation
from okstra_ctl.evidence.citation import Citation
from okstra_ctl.local import lint, syntax, verdicts
from okstra_ctl.local.assignment import Claim
from okstra_ctl.local.hit import FRAME, Hit, Look
from okstra_ctl.local.verdicts import FAILS, HOLDS, OPEN, Opened

CODE = "import os\nimport sys\n\n\ndef pay(cart):\n    return totl + sys.maxsize\n\n\npay([])\n"
TEXTS = CODE.split("\n")[:-1]
ENDS = Hit("a.py", 6, 6, FRAME, ("totl",), "It ends here", "The trace ends here.", "major", "", "")
LOOKS = {
    "lint": lint.look("a.py", CODE.encode()),
    "syntax": syntax.look("a.py", CODE.encode()),
    "trace": Look((ENDS,)),
}


@pytest.mark.parametrize(
    ("engine", "line", "claim", "what"),
    [
        ("lint", 6, "undefined name 'totl'", HOLDS),
        ("lint", 6, "`totl` is a misspelling of `total`", HOLDS),
        ("lint", 6, "`totl` is unused", OPEN),  # it sees another thing of that name
        ("lint", 6, "the sum is wrong", OPEN),
        ("lint", 6, "`cart` is ignored", OPEN),
        ("lint", 1, "'os' imported but unused", HOLDS),
        ("lint", 2, "'sys' imported but unused", OPEN),
        ("syntax", 2, "'sys' imported but unused", FAILS),
        ("syntax", 9, "undefined name 'pay'", FAILS),
        ("lint", 9, "undefined name 'pay'", OPEN),
        ("lint", 9, "undefined name 'totl'", FAILS),  # nothing of that name stands there
        ("lint", 9, "calling it raises NameError: name 'totl' is not defined", OPEN),
        ("lint", 9, "The line reads `pay([1])`.", FAILS),
        ("lint", 9, "The line reads `pay([])`.", OPEN),
        ("lint", 1, "syntax error at `os`", OPEN),
        ("trace", 6, "the sum is wrong", HOLDS),
        ("trace", 6, "`totl` is not defined", HOLDS),
        ("trace", 6, "`cart` is never used", OPEN),
        ("trace", 6, "`cart` is not defined", FAILS),
        ("trace", 5, "the sum is wrong", OPEN),
        ("lint", 10, "it ends wrongly", FAILS),
    ],
)
def test_each_verdict(engine: str, line: int, claim: str, what: str) -> None:
    place = Citation("a.py", line, line)
    opened = [Opened(place, TEXTS, "", False)]
    found = verdicts.judge(Claim("F-001", "", claim, (place,)), opened, LOOKS_OF[engine], engine)
    assert found.what == what
    assert any(one.end <= len(TEXTS) for one in citation.mentioned(found.basis))


LOOKS_OF = {engine: {"a.py": look} for engine, look in LOOKS.items()}


@pytest.mark.parametrize(
    ("opened", "what", "basis"),
    [
        ([], OPEN, "It cites no place that lint could open."),
        ([Opened(Citation("b.py", 1, 1), (), "", True)], FAILS, "There is no file b.py"),
        ([Opened(Citation("b.py", 1, 1), (), "over 1 MiB", False)], OPEN, "lint did not read it"),
        ([Opened(Citation("b.py", 3, 4), ["x", "y"], "", False)], FAILS, "ends at `b.py:2`: `y`."),
    ],
)
def test_what_cannot_be_opened(opened: list[Opened], what: str, basis: str) -> None:
    found = verdicts.judge(Claim("F-001", "", "it is wrong", ()), opened, {}, "lint")
    assert (found.what, basis in found.basis) == (what, True)


def test_both_vocabularies() -> None:
    words = {
        mode: [verdicts.Verdict(what, "").word(mode) for what in (HOLDS, FAILS, OPEN)]
        for mode in ("adversarial", "collaborative")
    }
    assert words == {
        "adversarial": ["SURVIVES", "REFUTED", "UNVERIFIABLE"],
        "collaborative": ["AGREE", "DISAGREE", "UNVERIFIABLE"],
    }
