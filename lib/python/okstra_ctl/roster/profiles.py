"""The facts of a task type: the front matter of its profile, its only home (Z-110, P-169).

Pure: the file is read in `profiles_files`. An unknown or missing name, a wrong type, a count that
cannot be: each is a RoleProfileError that says where.
"""

from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple

from okstra_ctl.providers import registry
from okstra_ctl.roster import roles
from okstra_kernel import UserError, strict_yaml

# The order of a task's life (P-010, P-011). Which of them there are, their files say.
LIFECYCLE = (
    "requirements-discovery",
    "error-analysis",
    "improvement-discovery",
    "implementation-option-selection",
    "implementation-planning",
    "implementation",
    "final-verification",
    "release-handoff",
)
BRIEF = ("required", "carried", "none")
STAGE = ("none", "one", "many")


class RoleProfileError(UserError):
    """A profile whose front matter cannot be used (L-146)."""


class Count(NamedTuple):
    min: int
    max: int
    default: int


class Profile(NamedTuple):
    task_type: str
    providers: tuple[str, ...]  # the allow-list of --workers (L-140)
    roles: Mapping[str, Count]  # by plan role
    adversarial: bool
    expected_minutes: int
    brief: str  # one of BRIEF
    analysis: bool
    executor: bool
    stage: tuple[str, ...]  # of STAGE
    reads: tuple[str, ...]  # sidecars that are read lazily (P-171)
    text: str  # what stands below the front matter, includes not yet expanded

    @property
    def deadline_minutes(self) -> int:
        return 2 * self.expected_minutes


def parse(text: str, task_type: str, source: str) -> Profile:
    """Return the profile that a file's text holds. Raises RoleProfileError."""
    found = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL)
    if not found:
        raise RoleProfileError(f"{source}: no front matter between two lines of ---")
    try:
        fields = _Fields(strict_yaml.parse(found[1], source), source)
        return _profile(fields, task_type, found[2].lstrip("\n"))
    except RoleProfileError:
        raise
    except UserError as err:
        raise RoleProfileError(str(err), next_step=err.next_step) from err


def _profile(fields: _Fields, task_type: str, text: str) -> Profile:
    profile = Profile(
        task_type,
        providers=fields.words("providers", registry.provider_ids()),
        roles=_roles(fields.fields("roles")),
        adversarial=fields.flag("adversarial"),
        expected_minutes=fields.number("expectedMinutes", least=1),
        brief=fields.word("brief", BRIEF),
        analysis=fields.flag("analysis"),
        executor=fields.flag("executor"),
        stage=fields.words("stage", STAGE),
        reads=fields.words("reads"),
        text=text,
    )
    fields.end()
    if not profile.providers or not profile.stage:
        raise RoleProfileError(f"{fields.place}: providers and stage need at least one entry")
    if profile.executor != (roles.IMPLEMENTER in profile.roles):
        raise RoleProfileError(f"{fields.place}: executor: does not agree with roles")
    return profile


def _roles(fields: _Fields) -> Mapping[str, Count]:
    counts = {}
    for name in list(fields.names):
        if name not in roles.PLAN_ROLES or name == roles.LEADER:
            raise RoleProfileError(f"{fields.place}: unknown role: {name}")
        of_role = fields.fields(name)
        count = Count(*(of_role.number(key) for key in Count._fields))
        of_role.end()
        if not count.min <= count.default <= count.max or count.max < 1:
            raise RoleProfileError(f"{of_role.place}: min, default, max do not fit: {list(count)}")
        if name in (roles.IMPLEMENTER, roles.CRITIC, roles.REPORT_WRITER) and count.max > 1:
            raise RoleProfileError(f"{of_role.place}: this role has one place at most")
        counts[name] = count
    return counts


class _Fields:
    """A mapping of the front matter; what was not taken out of it by the end is unknown."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, dict):
            raise RoleProfileError(f"{place}: expected a mapping")
        self.place = place
        self.names = dict(value)

    def end(self) -> None:
        for name in self.names:
            raise RoleProfileError(f"{self.place}: unknown: {name}")

    def fields(self, name: str) -> _Fields:
        return _Fields(self._take(name), f"{self.place}: {name}")

    def flag(self, name: str) -> bool:
        return self.word(name, ("true", "false")) == "true"

    def number(self, name: str, *, least: int = 0) -> int:
        value = self._take(name)
        if not isinstance(value, str) or not re.fullmatch("[0-9]{1,4}", value):
            raise self._fault(name, "a whole number", value)
        if int(value) < least:
            raise self._fault(name, f"{least} or more", value)
        return int(value)

    def word(self, name: str, known: tuple[str, ...]) -> str:
        value = self._take(name)
        if not isinstance(value, str) or value not in known:
            raise self._fault(name, f"one of {', '.join(known)}", value)
        return value

    def words(self, name: str, known: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self._take(name)
        fits = isinstance(value, list) and all(
            isinstance(one, str) and one and (known is None or one in known) for one in value
        )
        if not fits or len(set(value)) < len(value):
            what = f"a list of {', '.join(known)}" if known else "a list of texts"
            raise self._fault(name, f"{what}, each once", value)
        return tuple(value)

    def _take(self, name: str) -> Any:
        if name not in self.names:
            raise RoleProfileError(f"{self.place}: missing: {name}")
        return self.names.pop(name)

    def _fault(self, name: str, expected: str, value: object) -> RoleProfileError:
        return RoleProfileError(f"{self.place}: {name}: expected {expected}, found {value!r}")
