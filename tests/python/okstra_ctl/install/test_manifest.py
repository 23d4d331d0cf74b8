from __future__ import annotations

import json

import pytest

from okstra_ctl.install import manifest
from okstra_ctl.install.manifest import Manifest, Version
from okstra_kernel import UserError, strict_json

ONE = Version("1-aa", "2026-01-01T00:00:00Z", {"bin/okstra": "a" * 64, "venv/lib64": "link:lib"})
TWO = ONE._replace(id="2-bb")
THREE = ONE._replace(id="3-cc")


def test_what_is_written_is_read() -> None:
    value = Manifest((ONE, TWO), "2-bb", "1-aa")
    text = json.dumps(manifest.to_json(value, {"bin": "current/bin"}))
    assert manifest.from_record(strict_json.parse(text, "m")) == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schemaVersion": 2}, "schemaVersion"),
        ({"schemaVersion": None}, "schemaVersion"),
        ({"versions": {}}, "expected a list"),
        ({"versions": [{"id": "../x", "installedAt": "t", "files": {}}]}, "not a version's name"),
        ({"versions": [{"id": "1", "installedAt": "t", "files": {"../x": "h"}}]}, "not a path"),
        ({"versions": [{"id": "1", "installedAt": "t", "files": {"/x": "h"}}]}, "not a path"),
        ({"versions": [{"id": "1", "installedAt": "t", "files": {"x": 1}}]}, "expected text"),
    ],
)
def test_a_list_that_leads_elsewhere_is_refused(change: dict[str, object], message: str) -> None:
    value = {**manifest.to_json(Manifest((ONE,), "1-aa", ""), {}), **change}
    with pytest.raises(UserError, match=message):
        manifest.from_record(strict_json.parse(json.dumps(value), "m"))


@pytest.mark.parametrize(
    ("known", "linked", "expected"),
    [
        (Manifest((), "a", "b"), "a", ("a", "b")),
        (Manifest((), "a", "b"), "b", ("b", "a")),  # killed between link and list
        (Manifest((), "a", ""), "c", ("c", "a")),
        (Manifest((), "a", "b"), "", ("", "b")),
    ],
)
def test_the_link_decides(known: Manifest, linked: str, expected: tuple[str, str]) -> None:
    found = manifest.in_use(known, linked)
    assert (found.current, found.previous) == expected


def test_all_but_two_versions_are_superfluous() -> None:
    value = manifest.switched(Manifest((ONE, TWO, THREE), "2-bb", "1-aa"), "3-cc")
    assert (value.current, value.previous) == ("3-cc", "2-bb")
    assert manifest.superfluous(value) == [ONE]
    assert manifest.without(value, [ONE]).versions == (TWO, THREE)
    assert manifest.switched(value, "3-cc") == value
