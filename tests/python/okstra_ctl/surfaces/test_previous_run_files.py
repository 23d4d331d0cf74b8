from __future__ import annotations

import os
from pathlib import Path

from okstra_ctl.surfaces.previous_run_files import previous_backend


def manifest(root: Path, name: str, text: str, *, at: int = 100) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at, at))


def test_the_highest_number_that_can_be_read_counts(tmp_path: Path) -> None:
    """L-170, D-018."""
    assert previous_backend(str(tmp_path / "none")) == ""
    one, two = '{"terminalBackend": "cmux-pane"}', '{"terminalBackend": "tmux-pane"}'
    manifest(tmp_path, "manifests/run-manifest-t-009.json", one)
    assert previous_backend(str(tmp_path)) == "cmux-pane"
    manifest(tmp_path, "stage-2/manifests/run-manifest-t-1000.json", two)
    assert previous_backend(str(tmp_path)) == "tmux-pane"
    manifest(tmp_path, "manifests/run-manifest-t-1001.json", "{")
    manifest(tmp_path, "manifests/run-manifest-t-1002.json", '{"terminalBackend": 1}')
    manifest(tmp_path, "reports/run-manifest-t-1003.json", one)
    manifest(tmp_path, "manifests/run-manifest-t-99.json", one)
    manifest(tmp_path, "manifests/other-t-2000.json", one)
    assert previous_backend(str(tmp_path)) == "tmux-pane"
    manifest(tmp_path, "manifests/run-manifest-t-1004.json", "{}")
    assert previous_backend(str(tmp_path)) == ""


def test_of_one_number_in_two_stages_the_later_file_counts(tmp_path: Path) -> None:
    """L-171."""
    for stage, name, at in (("1", "cmux-pane", 300), ("2", "tmux-pane", 200)):
        text = f'{{"terminalBackend": "{name}"}}'
        manifest(tmp_path, f"stage-{stage}/manifests/run-manifest-t-001.json", text, at=at)
    assert previous_backend(str(tmp_path)) == "cmux-pane"
