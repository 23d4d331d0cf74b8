"""The question whether a project's `.okstra/` may take effect, asked on the terminal (Z-102)."""

from __future__ import annotations

from okstra_kernel import display, terminal, texts

_FEW = 3  # of one kind that are listed one by one
_MOST = 40  # lines of what it holds; more would scroll away what is asked


def ask(project_root: str, holdings: list[str], lang: str, *, flag: str = "--trust") -> bool:
    """Show what would take effect and tell whether the answer is yes.

    Raises UserError, naming the flag that would answer, where there is no terminal.
    """
    return terminal.confirm(question(project_root, holdings, lang), flag=flag)


def question(project_root: str, holdings: list[str], lang: str) -> str:
    """Return the question's text; names out of the project cannot drive the terminal."""
    shown = _gathered(holdings)
    lines = [f"  {display.visible(item)}" for item in shown[:_MOST]]
    if len(shown) > _MOST:
        lines.append(f"  … +{len(shown) - _MOST}")
    contents = "\n".join(lines) or texts.text(lang, "launcher.trustNothingFound")
    project = display.visible(project_root)
    return texts.text(lang, "launcher.trustQuestion", project=project, contents=contents)


def _gathered(holdings: list[str]) -> list[str]:
    """Return the holdings, those of one kind as one line where there are many of them."""
    kinds: dict[str, list[str]] = {}
    for item in holdings:
        kinds.setdefault(item.partition(":")[0], []).append(item)
    lines = []
    for kind, items in kinds.items():
        lines += (
            items
            if len(items) <= _FEW
            else [f"{kind}: {len(items)}, the first{items[0][len(kind) :]}"]
        )
    return lines
