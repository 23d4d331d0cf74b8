"""The question whether a project's `.okstra/` may take effect, asked on the terminal (Z-102)."""

from __future__ import annotations

from okstra_kernel import display, terminal, texts

_MOST = 40  # lines of what it holds; more would scroll away what is asked


def ask(project_root: str, holdings: list[str], lang: str, *, flag: str = "--trust") -> bool:
    """Show what would take effect and tell whether the answer is yes.

    Raises UserError, naming the flag that would answer, where there is no terminal.
    """
    return terminal.confirm(question(project_root, holdings, lang), flag=flag)


def question(project_root: str, holdings: list[str], lang: str) -> str:
    """Return the question's text; names out of the project cannot drive the terminal."""
    lines = [f"  {display.visible(item)}" for item in holdings[:_MOST]]
    if len(holdings) > _MOST:
        lines.append(f"  … +{len(holdings) - _MOST}")
    contents = "\n".join(lines) or texts.text(lang, "launcher.trustNothingFound")
    project = display.visible(project_root)
    return texts.text(lang, "launcher.trustQuestion", project=project, contents=contents)
