"""The question whether a project's `.okstra/` may take effect, asked on the terminal (Z-102)."""

from __future__ import annotations

from okstra_kernel import display, terminal, texts
from okstra_project import trust_files

_FEW = 3  # records of runs that are listed one by one
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
    """Return the holdings with the records of earlier runs, one for each, as a single line."""
    records = [item for item in holdings if item.startswith(trust_files.RECORD)]
    if len(records) <= _FEW:
        return holdings
    others = [item for item in holdings if item not in records]
    such = records[0].removeprefix(f"{trust_files.RECORD}: ")
    return [*others, f"{trust_files.RECORD}: {len(records)}, such as {such}"]
