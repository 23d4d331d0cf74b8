from __future__ import annotations

from pathlib import Path

import pytest

from okstra_ctl.roster import profiles_files
from okstra_kernel import UserError

FILES = {
    "profiles/_a.md": "A\n{{INCLUDE:_b.md}}\n",
    "profiles/_b.md": "B\n\n",
    "profiles/_self.md": "{{INCLUDE:_self.md}}",
    "profiles/_x.md": "{{INCLUDE:_y.md}}",
    "profiles/_y.md": "{{INCLUDE:_x.md}}",
    "profiles/_gap.md": "{{INCLUDE:_none.md}}",
    "lead/up.md": "up {{INCLUDE:_b.md}}\n{{INCLUDE:../profiles/_b.md}}",
}


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    root = tmp_path / "글 prompts"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (root / "profiles" / "_link.md").symlink_to(tmp_path / "secret.md")
    return root


def expand(prompts: Path, text: str) -> str:
    return profiles_files.expand_includes(text, str(prompts / "profiles"), str(prompts))


def test_a_line_is_replaced_by_its_file_and_what_that_includes(prompts: Path) -> None:
    assert expand(prompts, "1\n{{INCLUDE:_a.md}}\n2 {{INCLUDE:_a.md}}\n{{TOKEN}}\n") == (
        "1\nA\nB\n2 {{INCLUDE:_a.md}}\n{{TOKEN}}\n"
    )


def test_a_file_may_be_put_in_twice(prompts: Path) -> None:
    assert expand(prompts, "{{INCLUDE:_b.md}}\n{{INCLUDE:_b.md}}") == "B\nB"


def test_a_name_starts_at_the_file_it_stands_in(prompts: Path) -> None:
    assert expand(prompts, "{{INCLUDE:../lead/up.md}}") == "up {{INCLUDE:_b.md}}\nB"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("_none.md", "cannot include profiles/_none.md: No such file or directory"),
        ("_gap.md", "cannot include profiles/_gap.md -> profiles/_none.md: No such file"),
        ("_self.md", "a file includes itself: profiles/_self.md -> profiles/_self.md"),
        ("_x.md", "a file includes itself: profiles/_x.md -> profiles/_y.md -> profiles/_x.md"),
        ("../../secret.md", "include outside the prompts: ../../secret.md"),
        ("/etc/hosts", "include outside the prompts: /etc/hosts"),
        ("", "include outside the prompts: "),
        ("_link.md", "cannot include profiles/_link.md: a link leads out of the prompts: "),
        ("../profiles", "cannot include profiles: Is a directory"),
    ],
)
def test_what_cannot_be_included_is_named_with_its_chain(
    prompts: Path, name: str, message: str
) -> None:
    """P-170."""
    with pytest.raises(UserError) as caught:
        expand(prompts, f"{{{{INCLUDE:{name}}}}}")
    assert str(caught.value).startswith(message)


def test_without_a_root_the_folder_is_the_bound(prompts: Path) -> None:
    with pytest.raises(UserError, match="include outside the prompts: "):
        profiles_files.expand_includes("{{INCLUDE:../lead/up.md}}", str(prompts / "profiles"))
