"""Which files are looked at (H-032)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Callable

import pytest

from okstra_ctl.local import project_files, reading_order, survey_files

Make = Callable[..., Path]


def test_what_git_tracks_is_listed_and_nothing_of_okstras_own(project: Make) -> None:
    root = project(
        {"b.py": "", "a/빈 칸.py": "x", ".okstra/x.py": "", "`odd`.py": "", "tab\t.py": ""}
    )
    (root / "new.py").write_text("x")
    assert project_files.listing(str(root)) == (("a/빈 칸.py", "b.py"), True, 2)


def test_without_git_all_files_are(project: Make) -> None:
    root = project({"b.py": "", "a/c.py": "x", ".okstra/x.py": ""}, git=False)
    os.symlink("/etc", root / "etc")
    assert project_files.listing(str(root)) == (("a/c.py", "b.py", "etc"), False, 0)


def test_a_project_within_a_larger_checkout_is_listed_from_its_own_root(project: Make) -> None:
    root = project({"shop/a.py": "", "other/b.py": ""})
    assert project_files.listing(str(root / "shop")).paths == ("a.py",)


def test_what_is_no_plain_file_is_never_opened(project: Make, tmp_path: Path) -> None:
    root = project(
        {"a.py": "x", "big.py": b"#" * ((1 << 20) + 1), "just.py": b"#" * (1 << 20), "in/b.py": ""}
    )
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/b.py").write_text("secret")
    os.symlink(tmp_path / "secret/b.py", root / "link.py")
    os.mkfifo(root / "pipe.py")
    os.rename(root / "in", root / "gone")
    os.symlink(tmp_path / "secret", root / "in")  # git still names in/b.py
    subprocess.run(["git", "-C", str(root), "add", "-f", "link.py"], check=True)
    told = {
        path: project_files.content(str(root), path)[1]
        for path in (
            "a.py",
            "big.py",
            "just.py",
            "link.py",
            "pipe.py",
            "in/b.py",
            "none.py",
            "gone",
        )
    }
    assert told == {
        "a.py": "",
        "big.py": project_files.TOO_LARGE,
        "just.py": "",
        "link.py": project_files.LINK,
        "pipe.py": project_files.NOT_PLAIN,
        "in/b.py": project_files.LINK,
        "none.py": project_files.GONE,
        "gone": project_files.NOT_PLAIN,
    }


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        (
            "a/x.py",
            "import b.c\nfrom . import d\nfrom .e import f\n",
            {"b/c.py", "a/d.py", "a/e.py"},
        ),
        ("a/x.py", "from b import c, g\nimport h, nothing\n", {"b/c.py", "b/__init__.py", "h.py"}),
        ("a/x.py", "from ..h import y\n", {"h.py"}),
        ("w/x.js", "const a = require('./y'); import b from '../w/z.ts'\n", {"w/y.js", "w/z.ts"}),
        ("s/x.sh", '. "$here/lib.sh"\nsource ./m.sh\n', {"s/lib.sh", "s/m.sh"}),
        ("a/x.py", "", set()),
    ],
)
def test_import_neighbours(path: str, text: str, found: set[str]) -> None:
    paths = [
        "a/d.py",
        "a/e.py",
        "b/__init__.py",
        "b/c.py",
        "h.py",
        "w/y.js",
        "w/z.ts",
        "s/lib.sh",
        "s/m.sh",
        "q.py",
    ]
    assert set(reading_order.imported(path, text, frozenset(paths))) == found


def test_the_order_is_named_files_then_neighbours_then_the_rest(project: Make) -> None:
    files = {
        "a.py": "x = 1\n",
        "uses.py": "from zshop import pay\n",
        "zlib2.py": "y = 1\n",
        "zshop.py": "import zlib2\n",
    }
    root = project(files)
    assert dict(survey_files.order(str(root), sorted(files), ["zshop.py"])) == {
        "zshop.py": reading_order.NAMED,
        "uses.py": reading_order.NEIGHBOUR,
        "zlib2.py": reading_order.NEIGHBOUR,
        "a.py": reading_order.OTHER,
    }
