"""A project of a few files, with or without git, in a folder with a space and a Korean letter."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Callable, Mapping

import pytest

Make = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Make:
    """Return what makes a project of files, by path; tracked by git unless told otherwise."""

    def make(files: Mapping[str, str | bytes], *, git: bool = True) -> Path:
        root = (tmp_path / "빈 shop").resolve()
        root.mkdir()
        for path, held in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(held if isinstance(held, bytes) else held.encode())
        if git:
            for words in (["init", "-q"], ["add", "-A", "-f"]):
                subprocess.run(["git", "-C", str(root), *words], check=True)
        return root

    return make
