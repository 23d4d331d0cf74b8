"""One worker answer against the contract of its kind (H-014). Pure.

`worker-result check`, the audit check and whoever collects answers ask here, so that they agree.
"""

from __future__ import annotations

from okstra_ctl.evidence import document, result, reverify
from okstra_ctl.evidence.front_matter import Identity
from okstra_ctl.evidence.result import Result
from okstra_ctl.evidence.reverify import Reverification


def read(data: bytes, expected: Identity = result.ANYBODY) -> Result | Reverification:
    """Read an answer; its `dispatchKind` tells findings from verdicts on findings.

    Whoever knows the mode and the batch of a re-verification asks `reverify.read` (H-012).
    """
    doc = document.read(data, expected)
    if reverify.KIND.fullmatch(doc.identity.dispatchKind or expected.dispatchKind):
        return reverify.parse(doc)
    return result.parse(doc)
