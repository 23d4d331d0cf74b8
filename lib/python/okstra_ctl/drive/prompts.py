"""What reviewers and report writers are told beyond what all workers are (H-012). Pure."""

from __future__ import annotations

from typing import Mapping, Sequence

from okstra_ctl.convergence import answers
from okstra_ctl.convergence.ballot import Group
from okstra_kernel import fence

MODE = "Mode"  # a header: adversarial or collaborative
_BURDEN = {
    answers.ADVERSARIAL: (
        "Try to refute it: look for the code that makes it wrong, and for the case in which it "
        "does not happen. The burden of proof is on the claim."
    ),
    answers.COLLABORATIVE: "Find out whether it is so, and what it leaves out.",
}
_MEANING = {
    "disagree": "the code shows that the claim is wrong; the basis says where",
    "agree": "the cited places show it, and you found nothing against it",
    "supplement": "it holds, with a limit that the report must tell; the basis names the limit",
    "unverifiable": "it cannot be told from here; the basis says what is missing. Never a guess",
}


def verifier_tokens(mode: str, claims: Sequence[Group], token: str) -> dict[str, str]:
    """Return the values that only a verifier's template has; `token` is new for each prompt."""
    words = answers.WORDS[mode]
    listed = "\n\n".join(claim(group) for group in claims)
    return {
        "BURDEN": _BURDEN[mode],
        "WORDS": "\n".join(f"- `{word}`: {_MEANING[verdict]}." for word, verdict in words.items()),
        "EXAMPLE_WORD": next(word for word, verdict in words.items() if verdict == "agree"),
        "CLAIMS": fence.fenced(listed, "claims", token),
    }


def claim(group: Group) -> str:
    """Return a claim as it stands in a prompt: each of its texts on one line."""
    details = dict(group.details)
    rows = {
        "Title": details.get("title", ""),
        "Claim": group.claim,
        "Evidence": ", ".join(f"`{place}`" for place in group.evidence) or "none",
    }
    lines = [f"- {name}: {' '.join(text.split())}" for name, text in rows.items() if text]
    return "\n".join([f"### {group.finding_id}", *lines])


def writer_headers(paths: Mapping[str, str], language: str) -> dict[str, str]:
    """Return the headers that only a report writer's prompt has. Paths are absolute."""
    return {**paths, "Report Language": language}
