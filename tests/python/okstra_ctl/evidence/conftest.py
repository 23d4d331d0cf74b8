"""A good result, a good re-verification and a good audit sidecar, as a worker would write them."""

from __future__ import annotations

import pytest

FRONT = """\
---
workerId: codex-analyser
provider: codex
model: gpt-5
taskKey: shop:checkout:dev-1
taskType: error-analysis
seq: 001
dispatchKind: initial
---
"""
RESULT = (
    FRONT
    + """\
## 1. Findings

### F-001 — the key ignores the tenant
- Severity: major
- Kind: defect
- Statement: two tenants share a row.
- Evidence: `src/cache.py:41`, `빈 folder/a.py:44-48`
- Recommendation: put the tenant into the key.
- Ticket: SHOP-7

### F-002 — nobody looked at the clock
- Severity: info
- Kind: fact
- Statement: times are local.
- Evidence: none — it is not in the code
- Recommendation: ask.

## 2. Evidence
`src/cache.py:41` was opened.

## 3. Risks
None.

## 4. Recommendations
None.

## 5. Missing Information or Assumptions
None.

<!-- okstra:result-complete -->
"""
)
REVERIFICATION = (
    FRONT.replace("dispatchKind: initial", "dispatchKind: reverify-r1")
    + """\
### F-001
**Verdict**: REFUTED
**Basis**: opened src/cache.py:41-48: the tenant is there.
**Evidence**: `src/cache.py:44`

### F-004
**Verdict**: SURVIVES
**Basis**:
ran it:
```
$ grep -n tenant src/cache.py
**Verdict**: REFUTED
```

<!-- okstra:result-complete -->
"""
)
AUDIT = """\
## 0. Reading Confirmation
- `instruction-set/001/task-brief.md` sha256:0123456789ab
- instruction-set/001/packet.md — abcdef012345

## 1. Ledger
- Evidence read: src/cache.py:30-60
- Evidence read: `빈 folder/a.py:44-48`
- PROGRESS: 2026-03-01T10:05:00Z read-inputs
"""


@pytest.fixture(scope="session")
def good_result() -> str:
    return RESULT


@pytest.fixture(scope="session")
def good_reverification() -> str:
    return REVERIFICATION


@pytest.fixture(scope="session")
def good_audit() -> str:
    return AUDIT
