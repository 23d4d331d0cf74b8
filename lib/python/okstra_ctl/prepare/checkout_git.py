"""The checkout a run starts from: what git says of it, in few questions (Q-7)."""

from __future__ import annotations

from okstra_kernel import UserError, git_process
from okstra_project.root import checkout_top


def facts(project_root: str) -> list[tuple[str, str]]:
    """Return (fact, value) pairs of the checkout; none where there is no git or no commit."""
    if not checkout_top(project_root):
        return []
    answer = git_process.run(project_root, "rev-parse", "HEAD", "--abbrev-ref", "HEAD")
    commit, _, branch = answer.out.strip().partition("\n")
    if answer.status:
        return [("branch", "none yet")]
    return [("head", commit), ("branch", "detached" if branch == "HEAD" else branch)]


def base_commit(project_root: str, base_ref: str) -> str:
    """Return the commit that `--base-ref` names; empty without one. Raises UserError."""
    word = base_ref.strip()
    if not word:
        return ""
    if not checkout_top(project_root):
        raise UserError(f"no git checkout here, so no --base-ref={base_ref}")
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{word}^{{commit}}")
    found = git_process.line(project_root, *words)
    if not found:
        raise UserError(f"not a commit here: --base-ref={base_ref}")
    return found
