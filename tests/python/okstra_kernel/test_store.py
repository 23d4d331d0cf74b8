"""Old file or new one, and nothing through links (Z-043, Z-101, P-037, XS-06, XF-09, XF-11)."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import Refusal, UserError, store

LIB = str(Path(store.__file__).parents[1])


def run(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    head = f"import os, sys\nsys.path.insert(0, {LIB!r})\nfrom okstra_kernel import store\n"
    command = [sys.executable, "-I", "-c", head + program, *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


def names(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_file_is_written_with_its_folders_and_replaced(tmp_path: Path) -> None:
    root = str(tmp_path)
    store.write_json(root, "a/b/f.json", {"z": "결제", "a": [1]})
    file = tmp_path / "a/b/f.json"
    assert file.read_text(encoding="utf-8") == '{\n  "z": "결제",\n  "a": [\n    1\n  ]\n}\n'
    store.write_text(root, "a/b/f.json", "é", mode=store.PRIVATE)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == ("é".encode(), 0o600)
    store.make_folder(root, "a/c", mode=0o700)
    store.make_folder(root, "a/c")
    assert (tmp_path / "a/c").stat().st_mode & 0o777 == 0o700
    assert names(tmp_path) == ["a", "a/b", "a/b/f.json", "a/c"]


@pytest.mark.parametrize("relative", ["", "/x", "x/", "a//b", "..", "a/../b", ".", "a/.", "a\0b"])
def test_only_places_below_the_root_are_named(relative: str, tmp_path: Path) -> None:
    for act in (
        lambda: store.write(str(tmp_path), relative, b""),
        lambda: store.make_folder(str(tmp_path), relative),
        lambda: store.refuse_links(str(tmp_path), relative),
        lambda: store.open_append(str(tmp_path), relative).__enter__(),
    ):
        with pytest.raises(UserError, match="not a path below a folder"):
            act()
    assert names(tmp_path) == []


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    folder = tmp_path / "victim"
    folder.mkdir()
    (folder / "f").write_text("mine", encoding="utf-8")
    (folder / "f").chmod(0o640)
    return folder


@pytest.mark.parametrize(
    "planted", [".okstra", ".okstra/tasks", ".okstra/tasks/x", ".okstra/tasks/x/f"]
)
@pytest.mark.parametrize("kind", ["absolute", "relative", "dangling"])
def test_links_are_refused_and_what_they_lead_to_stays(
    planted: str, kind: str, tmp_path: Path, victim: Path
) -> None:
    root = tmp_path / "project"
    place = root / planted
    place.parent.mkdir(parents=True)
    target = victim / "f" if planted.endswith("/f") else victim
    text = {"absolute": str(target), "dangling": str(tmp_path / "none")}.get(kind)
    place.symlink_to(text or os.path.relpath(target, place.parent))

    relative = ".okstra/tasks/x/f"
    for act in (
        lambda: store.write(str(root), relative, b"theirs"),
        lambda: store.open_append(str(root), relative).__enter__(),
        lambda: store.refuse_links(str(root), relative),
    ):
        with pytest.raises(Refusal) as caught:
            act()
        assert str(caught.value) == f"okstra does not write through links: {root}/{planted}"
        assert caught.value.next_step == f"rm {root}/{planted}"
    assert (victim / "f").read_text(encoding="utf-8") == "mine"
    assert (victim / "f").stat().st_mode & 0o777 == 0o640
    assert names(victim) == ["f"] and not (tmp_path / "none").exists()


def test_what_is_no_link_is_not_refused(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    store.refuse_links(str(tmp_path), "a")
    store.refuse_links(str(tmp_path), "a/not/there")
    (tmp_path / "f").touch()
    with pytest.raises(UserError, match="Not a directory"):
        store.refuse_links(str(tmp_path), "f/x")


def test_what_the_system_does_not_allow_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for relative, why in (("file/x", "Not a directory"), ("folder", "Is a directory")):
        with pytest.raises(Refusal, match=f"^cannot write {tmp_path}/{relative}: {why}$"):
            store.write(str(tmp_path), relative, b"")
    with pytest.raises(Refusal, match="No such file or directory"):
        store.write(str(tmp_path / "none"), "x", b"")
    with pytest.raises(Refusal, match="File name too long"):
        store.write(str(tmp_path), "x" * 300, b"")
    assert names(tmp_path) == ["file", "folder"]


def test_what_no_json_file_can_hold_is_refused() -> None:
    with pytest.raises(UserError, match="not UTF-8"):
        store.json_bytes({"a": "\udcff"})
    with pytest.raises(ValueError):
        store.json_bytes({"a": float("nan")})


@pytest.mark.parametrize("call", ["rename", "fsync", "open", "write", "close"])
def test_killed_at_any_step_the_old_file_or_the_new_one_is_there(call: str, tmp_path: Path) -> None:
    program = """
call, number = sys.argv[2], int(sys.argv[3])
real = getattr(os, call)
def counted(*words, **named):
    global number
    if not number:
        os.kill(os.getpid(), 9)
    number -= 1
    return real(*words, **named)
setattr(os, call, counted)
store.write_json(sys.argv[1], "d/f.json", {"new": "x" * 10_000})
"""
    for number in range(20):
        store.write_json(str(tmp_path), "d/f.json", {"old": 1})
        done = run(program, str(tmp_path), call, str(number))
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        found = json.loads((tmp_path / "d/f.json").read_bytes())
        assert list(found) in (["old"], ["new"])
        if done.returncode == 0:
            assert number > 0 and list(found) == ["new"]
            break
    else:
        pytest.fail("it never came to the end")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS])
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_failing_step_leaves_the_old_file_and_no_other(
    call: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(str(tmp_path), "f", b"old")

    def fail(*words: object, **named: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(Refusal, match=f"cannot write {tmp_path}/f: {os.strerror(code)}"):
        store.write(str(tmp_path), "f", b"new")
    monkeypatch.undo()
    assert (tmp_path / "f").read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_a_full_disk_is_named_and_the_old_file_stays(tmp_path: Path) -> None:
    store.write(str(tmp_path), "f", b"old")
    program = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    store.write(sys.argv[1], "f", b"x" * 100_000)
except Exception as err:
    print(type(err).__name__, err)
"""
    done = run(program, str(tmp_path))
    assert done.stdout == f"Refusal cannot write {tmp_path}/f: {os.strerror(errno.EFBIG)}\n"
    assert (tmp_path / "f").read_bytes() == b"old"
    assert names(tmp_path) == ["f"]


def test_too_many_open_files_are_named(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    program = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
try:
    store.write(sys.argv[1], "a/f", b"x")
except Exception as err:
    print(type(err).__name__, err)
"""
    done = run(program, str(tmp_path))
    assert (soft, hard) == resource.getrlimit(resource.RLIMIT_NOFILE)
    assert done.stdout == f"Refusal cannot write {tmp_path}/a/f: {os.strerror(errno.EMFILE)}\n"


def test_many_writers_of_one_file_and_its_folders_leave_a_whole_one(tmp_path: Path) -> None:
    program = f"""import os, sys
sys.path.insert(0, {LIB!r})
from okstra_kernel import store
for n in range(20):
    store.write_json(sys.argv[1], f"a/{{n}}/f.json", {{"who": sys.argv[2] * 5000}})
"""
    words = [sys.executable, "-I", "-c", program, str(tmp_path)]
    writers = [subprocess.Popen([*words, who]) for who in "abcdefgh"]
    assert [writer.wait() for writer in writers] == [0] * 8
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 20
    for path in files:
        assert len(set(json.loads(path.read_bytes())["who"])) == 1


def test_several_files_are_written_in_their_order_and_need_few_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[str] = []
    rename = os.rename

    def told(old: str, new: str, **at: int) -> None:
        named.append(new)
        rename(old, new, **at)

    monkeypatch.setattr(os, "rename", told)
    files = {"b/2.md": b"two", "a/1.md": b"one", "b/1.md": b""}
    store.write_all(str(tmp_path), files, mode=store.PRIVATE)
    assert named == ["2.md", "1.md", "1.md"]
    assert {name: (tmp_path / name).read_bytes() for name in files} == files
    assert names(tmp_path) == ["a", "a/1.md", "b", "b/1.md", "b/2.md"]
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in files} == {0o600}


def test_of_several_files_none_is_there_when_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/old.md").write_text("old")
    files = {"a/old.md": b"new", "a/bad.md": b"x" * 99, "a/new.md": b""}
    fsync = os.fsync

    def failing(stream: int) -> None:
        if os.fstat(stream).st_size == 99:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        fsync(stream)

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(Refusal, match=r"^cannot write .*/a/bad\.md: Input/output error$"):
        store.write_all(str(tmp_path), files)
    monkeypatch.undo()
    (tmp_path / "a/new.md").symlink_to("old.md")
    with pytest.raises(Refusal, match=r"does not write through links: .*/a/new\.md"):
        store.write_all(str(tmp_path), files)
    assert names(tmp_path) == ["a", "a/new.md", "a/old.md"]
    assert (tmp_path / "a/old.md").read_text() == "old"


@given(
    st.dictionaries(
        st.text(), st.recursive(st.integers() | st.text() | st.none(), st.lists), min_size=1
    )
)
def test_rows_are_the_same_value_a_row_a_line(value: dict[str, Any]) -> None:
    data = store.json_rows_bytes(value)
    assert json.loads(data) == value
    rows = sum(len(one) for one in value.values() if isinstance(one, list))
    full = sum(bool(one) for one in value.values() if isinstance(one, list))
    assert data.count(b"\n") == 2 + len(value) + rows + full
