from __future__ import annotations

import pytest
from prepare_place import Place

from okstra_ctl.inspect import validation
from okstra_ctl.prepare.waiver_files import record_answer
from okstra_kernel import UserError, jsonl


@pytest.mark.parametrize("answer", ["tty", "--yes", "declined"])
def test_an_answer_is_written_down(place: Place, answer: str) -> None:
    """Z-006, XS-09: a waiver in the manifest only when it was granted."""
    ref = place.prepare().run.ref
    path = str(place.project / ref.manifest)
    record_answer([path, answer])
    waiver = place.json(ref.manifest).get("sandboxWaiver", {})
    assert (waiver.get("grantedBy"), waiver.get("flags")) == (
        (None, None) if answer == "declined" else (answer, ["-s", "danger-full-access"])
    )
    events = jsonl.read(str(place.project / ref.lead_events)).records
    assert [(event.text("type"), event.record("details").text("answer")) for event in events] == [
        ("sandbox-waiver", answer)
    ]
    assert validation.judge(path).status == validation.VALID


def test_another_word_is_no_answer(place: Place) -> None:
    ref = place.prepare().run.ref
    before = place.tree()
    with pytest.raises(UserError, match=r"^not an answer: y$"):
        record_answer([str(place.project / ref.manifest), "y"])
    assert place.tree() == before
