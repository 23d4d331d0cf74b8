"""The profiles' files, `prompts/profiles/<task-type>.md`; `_` begins the name of a part."""

from __future__ import annotations

import os

from okstra_ctl.roster import includes, profiles
from okstra_kernel import UserError, assets

FOLDER = ("prompts", "profiles")


def task_types() -> tuple[str, ...]:
    """Return the task types: those that have a profile, in the order of a task's life (P-010)."""
    names = [name for name in os.listdir(profiles_folder()) if not name.startswith((".", "_"))]
    found = {name.removesuffix(".md") for name in names if name.endswith(".md")}
    later = sorted(found.difference(profiles.LIFECYCLE))
    return tuple(name for name in (*profiles.LIFECYCLE, *later) if name in found)


def load_role_profile(task_type: str) -> profiles.Profile:
    """Return the profile of a task type.

    Raises UserError for an unknown one (P-126), RoleProfileError for a damaged file (L-146).
    """
    known = task_types()
    if task_type not in known:
        raise UserError(f"unknown task type: {task_type!r}{_hint(task_type, known)}")
    file = f"{task_type}.md"
    return profiles.parse(assets.text(*FOLDER, file), task_type, "/".join((*FOLDER, file)))


def expand_includes(text: str, folder: str, root: str = "") -> str:
    """Return the text with its includes put in, read from `folder` and, above it, `root`.

    Both are absolute paths; `root` bounds what may be read, links resolved, and is `folder` if it
    is not given. Raises UserError, naming the chain of files (P-170).
    """
    bound = os.path.realpath(root or folder)

    def read(path: str) -> str:
        place = os.path.realpath(os.path.join(bound, path))
        if os.path.commonpath((bound, place)) != bound:
            raise UserError(f"a link leads out of the prompts: {place}")
        try:
            with open(place, encoding="utf-8") as stream:
                return stream.read()
        except (OSError, UnicodeDecodeError) as err:
            raise UserError(getattr(err, "strerror", None) or str(err)) from err

    below = os.path.relpath(os.path.realpath(folder), bound)
    return includes.expand(text, "" if below == "." else below, read)


def profile_text(profile: profiles.Profile) -> str:
    """Return a profile's text with its includes put in. Raises what `expand_includes` does."""
    folder = profiles_folder()
    return expand_includes(profile.text, folder, os.path.dirname(folder))


def profiles_folder() -> str:
    """Return the absolute path of the folder with the profiles. Raises UserError."""
    return os.path.dirname(assets.path(*FOLDER, f"{profiles.LIFECYCLE[0]}.md"))


def _hint(word: str, known: tuple[str, ...]) -> str:
    import difflib

    near = difflib.get_close_matches(word, known, n=1)
    listed = f"; known: {', '.join(known)}"
    return f"; did you mean {near[0]}?{listed}" if near else listed
