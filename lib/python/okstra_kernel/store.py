"""The one place where okstra's files are written (Z-043, P-037).

A file is replaced whole: temporary file in the same folder, fsync, rename, fsync of the folder. Its
folder is reached step by step from a root that the caller trusts, never through a link (Z-101).
Killed at any moment, this leaves the old file or the new one.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from typing import Any, Iterator, Mapping

from okstra_kernel import Refusal, UserError

PRIVATE = 0o600
PROGRAM = 0o700
SHARED = 0o644

_ROW = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def write(root: str, relative: str, data: bytes, *, mode: int = SHARED) -> None:
    """Put `data` at `relative` below `root`, making the folders between. `root` exists.

    Raises Refusal for a link on the way or in place of the file, UserError for what the system
    does not allow.
    """
    write_all(root, {relative: data}, mode=mode)


def write_all(root: str, files: Mapping[str, bytes], *, mode: int = SHARED) -> None:
    """Put several files there, each as `write` does. Raises what that does.

    They reach the disk side by side, which takes the time of one, not of all (Q-7), and then get
    their names in the order given.
    """
    with contextlib.ExitStack() as open_files:
        parts = [open_files.enter_context(_part(root, *file, mode)) for file in files.items()]
        _sync({part.stream: part.place for part in parts})
        for part in parts:
            with told(part.place):
                os.rename(part.temporary, part.name, src_dir_fd=part.at, dst_dir_fd=part.at)
                part.named = True
        folders = {os.path.dirname(part.place): part.at for part in parts}
        _sync({at: place for place, at in folders.items()})


def write_text(root: str, relative: str, text: str, *, mode: int = SHARED) -> None:
    """Put text there as UTF-8. Raises what `write` does."""
    write(root, relative, text.encode("utf-8"), mode=mode)


def write_json(root: str, relative: str, value: Any, *, mode: int = SHARED) -> None:
    """Put a value there as `json_bytes` has it. Raises what `write` does."""
    write(root, relative, json_bytes(value), mode=mode)


def json_rows_bytes(value: Mapping[str, Any]) -> bytes:
    """Return a JSON object with the items of its lists on a line each: for those with thousands.

    It is a tenth of the work, half the size, and still to be compared line by line. Raises
    UserError as `json_bytes` does.
    """
    pieces = [b"{"]
    for name, member in value.items():
        pieces.append(_utf8(f"{',' * (len(pieces) > 1)}\n  {_ROW.encode(name)}: "))
        if isinstance(member, list) and member:
            rows = (_utf8(_ROW.encode(row)) for row in member)
            pieces += (b"[\n    ", b",\n    ".join(rows), b"\n  ]")
        else:
            pieces.append(_utf8(_ROW.encode(member)))
    return b"".join([*pieces, b"\n}\n"])


def json_bytes(value: Any) -> bytes:
    """Return JSON as all of okstra's files have it: in the order given, two blanks, a newline.

    Raises UserError for a text that is not Unicode (half a surrogate pair, from a file name).
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    return _utf8(f"{text}\n")


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as err:
        raise UserError(f"not UTF-8, so no file can hold it: {err.object[:80]!r}") from None


def make_folder(root: str, relative: str, *, mode: int = 0o755) -> None:
    """Make a folder below `root` and those between. Raises what `write` does."""
    with told(f"{root}/{relative}"), _folder(root, _checked(relative), mode):
        pass


def move(root: str, source: str, target: str) -> None:
    """Rename a file below `root` to another name below it, in the place of what was there.

    Raises Refusal for a link on either way, or in place of either file.
    """
    from_folder, _, from_name = _checked(source).rpartition("/")
    to_folder, _, to_name = _checked(target).rpartition("/")
    with told(f"{root}/{target}"), _folder(root, from_folder) as here:
        with _folder(root, to_folder) as there:
            _refuse_link(here, from_name, f"{root}/{source}")
            _refuse_link(there, to_name, f"{root}/{target}")
            os.rename(from_name, to_name, src_dir_fd=here, dst_dir_fd=there)
            os.fsync(there)
        os.fsync(here)


def refuse_links(root: str, relative: str) -> None:
    """Raise Refusal if something on the way from `root` to `relative`, or it itself, is a link."""
    place = root
    for step in _checked(relative).split("/"):
        place = f"{place}/{step}"
        try:
            found = os.lstat(place)
        except FileNotFoundError:
            return
        except OSError as err:
            raise UserError(f"{place}: {err.strerror}") from err
        if stat.S_ISLNK(found.st_mode):
            raise _link(place)


def aside(place: str) -> str:
    """Return the command that takes what is broken out of the way, and loses nothing of it."""
    import shlex

    return f"mv {shlex.quote(place)} {shlex.quote(f'{place}.broken')}"


@contextlib.contextmanager
def open_append(root: str, relative: str, *, mode: int = SHARED) -> Iterator[int]:
    """Yield a descriptor that reads, and writes at the end of, a file that may have to be made.

    What the caller does with it, the caller wraps in `told`. Raises what `write` does.
    """
    folder, _, name = _checked(relative).rpartition("/")
    with told(f"{root}/{relative}"), _folder(root, folder) as at:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            stream = os.open(name, flags, mode, dir_fd=at)
        except OSError:  # what O_NOFOLLOW says of a link differs: look
            _refuse_link(at, name, f"{root}/{relative}")
            raise
    try:
        yield stream
    finally:
        os.close(stream)


@contextlib.contextmanager
def told(place: str) -> Iterator[None]:
    """Say what could not be written, and why, instead of an OSError."""
    try:
        yield
    except OSError as err:
        raise Refusal(f"cannot write {place}: {err.strerror}") from err


class _Part:
    """A file that is written and has yet to get its name."""

    __slots__ = ("at", "name", "named", "place", "stream", "temporary")

    def __init__(self, at: int, name: str, place: str, stream: int, temporary: str) -> None:
        self.at = at  # descriptor of its folder
        self.name = name
        self.place = place
        self.stream = stream
        self.temporary = temporary
        self.named = False


@contextlib.contextmanager
def _part(root: str, relative: str, data: bytes, mode: int) -> Iterator[_Part]:
    """Yield the file under a temporary name, open; unless it gets its name it goes away."""
    folder, _, name = _checked(relative).rpartition("/")
    place = f"{root}/{relative}"
    with told(place), _folder(root, folder) as at:
        _refuse_link(at, name, place)
        temporary = f".{name}.{os.urandom(4).hex()}.tmp"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        part = _Part(at, name, place, os.open(temporary, flags, mode, dir_fd=at), temporary)
        try:
            _write_all(part.stream, data)
            yield part
        finally:
            if not part.named:
                with contextlib.suppress(OSError):
                    os.unlink(temporary, dir_fd=at)
            os.close(part.stream)


def _sync(places: Mapping[int, str]) -> None:
    """Wait until what these descriptors stand for is on the disk. Raises UserError."""
    if len(places) == 1:
        for stream, place in places.items():
            _sync_one(stream, place)
        return
    import threading

    faults: list[UserError] = []

    def sync(stream: int, place: str) -> None:
        try:
            _sync_one(stream, place)
        except UserError as err:
            faults.append(err)

    threads = [threading.Thread(target=sync, args=pair) for pair in places.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for fault in faults:
        raise fault


def _sync_one(stream: int, place: str) -> None:
    with told(place):
        os.fsync(stream)


@contextlib.contextmanager
def _folder(root: str, relative: str, mode: int = 0o755) -> Iterator[int]:
    """Yield a descriptor of a folder below `root`, made where it is missing."""
    at = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    place = root
    try:
        for step in filter(None, relative.split("/")):
            place = f"{place}/{step}"
            try:
                inner = _enter(at, step, mode)
            except NotADirectoryError as err:  # what O_NOFOLLOW says of a link, too
                raise _link(place) if os.path.islink(place) else err from None
            os.close(at)
            at = inner
        yield at
    finally:
        os.close(at)


def _enter(at: int, step: str, mode: int) -> int:
    try:
        return os.open(step, _FOLDER, dir_fd=at)
    except FileNotFoundError:
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.mkdir(step, mode, dir_fd=at)
            os.fsync(at)
        return os.open(step, _FOLDER, dir_fd=at)
    except OSError as err:
        import errno

        if err.errno == errno.ELOOP:  # macOS and the BSDs say this of a link
            raise NotADirectoryError(err.errno, err.strerror) from None
        raise


def _refuse_link(at: int, name: str, place: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
            raise _link(place)


def _link(place: str) -> Refusal:
    import shlex

    return Refusal(
        f"okstra does not write through links: {place}", next_step=f"rm {shlex.quote(place)}"
    )


def _checked(relative: str) -> str:
    steps = relative.split("/")
    if not relative or "\0" in relative or any(step in ("", ".", "..") for step in steps):
        raise UserError(f"not a path below a folder: {relative!r}")
    return relative


def _write_all(stream: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(stream, rest) :]
