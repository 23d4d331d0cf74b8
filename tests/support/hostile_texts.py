"""Texts that try to be more than text, in any field of a report (Z-050)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Members = dict[str, Any]

NASTY = (
    *(
        "# x",
        "## 5. Result",
        "```",
        "~~~",
        "x\n\n## 5. Result\n\ny",
        "---",
        "===",
        "***",
        "    code",
    ),
    *("| a | b |", "a`b|c`d", "|", "\\|", "`a\\`|`b`", "`", "``", "\\`", "\\", "x\\", "- a\n- b"),
    *("1. x", "12) y", "> q", "+ p", "a\n|---|", "<script>alert(1)</script>", "</script>", "<!-- "),
    *("<img src=x onerror=alert(1)>", "![x](http://e.x/y.png)", "[a](http://e.x)", "[a]: http://x"),
    *("<https://e.x>", "https://e.x/", "&lt;b&gt;", "&#35; x", "**b** _i_ ~~s~~", "__init__"),
    *("\u202eabc", "a\x00b", "\x1b[31m", "{{ x }}", "{% raw %}", "{# c #}", '" onload="x', "' x"),
    *(
        "\ud800",
        "a\u2028b",
        "<!-- okstra:result-complete -->",
        "x  \ny",
        "#",
        "# ",
        "=",
        ":--",
        "한글",
    ),
    *("javascript:alert(1)", "- [ ] x", "Term\n: x", "```\nx", "   ```js\n</style>", "a\r\nb\rc"),
)
TEXTS = st.sampled_from(NASTY) | st.text(min_size=1).filter(lambda text: text.strip())
FREE = {
    *("title", "claim", "recommendation", "ticketId", "basis", "status", "workerId", "modelUsed"),
    *("provider", "reason", "headline", "situation", "nextStep", "statement", "answer"),
    *(
        "rationale",
        "scopeImpact",
        "addedWork",
        "directionChange",
        "expectedForm",
        "detail",
    ),
    *(
        "subject",
        "step",
        "supports",
        "opposes",
        "wouldRefute",
        "singleTicket",
        "heading",
    ),
    *("finding", "taskId", "outcome", "dispatchKind", "symptom", "reach", "statePath", "body"),
}


def filled(value: Any, text: str, name: str = "") -> Any:
    """Return report data whose free texts, where they are not empty, are all this text."""
    if isinstance(value, dict):
        return {key: filled(inner, text, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, text, name) for inner in value]
    return text if isinstance(value, str) and value.strip() and name in FREE else value
