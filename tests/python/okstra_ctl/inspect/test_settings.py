"""Settings (P-312 to P-314, R-219 to R-221, U-21)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from okstra_ctl.inspect import settings
from okstra_kernel import Refusal, UserError
from okstra_project import trust_files

KEY = "pr-template-path"


def ask(
    scope: str = "", *, origin: bool = False, root: str = "", json: bool = True
) -> settings.Ask:
    return settings.Ask(scope, origin, root, json)


def value(scope: str = "") -> tuple[Any, Any]:
    status, text = settings.get(KEY, ask(scope))
    found = json.loads(text)
    assert found["ok"] is (status == 0)
    return found["value"], found["origin"]


@pytest.fixture
def home(project: Path, tmp_path: Path) -> Path:
    (tmp_path / "빈 home").mkdir()
    return tmp_path / "빈 home"


def test_the_order_project_then_user_and_only_a_trusted_project(project: Path, home: Path) -> None:
    assert value() == (None, None)
    settings.put(KEY, "user.md", ask("global"))
    assert value() == ("user.md", "user")
    settings.put(KEY, "~/프로젝트.md", ask())
    assert value() == ("user.md", "user"), "the project is not trusted"
    trust_files.record(str(home), str(project), "asked")
    assert value() == ("~/프로젝트.md", "project")
    assert value("global") == ("user.md", "user")
    settings.unset(KEY, ask())
    assert value() == ("user.md", "user")
    assert value("project") == (None, None)
    settings.unset(KEY, ask("global"))
    assert value() == (None, None)


def test_files_keep_what_others_wrote_and_are_written_only_for_a_change(
    project: Path, home: Path
) -> None:
    told = json.loads(settings.put(KEY, "x", ask())[1])
    assert told == {
        **{"schemaVersion": 1, "ok": True, "key": KEY, "value": "x", "scope": "project"},
        "changed": True,
    }
    held = json.loads((project / ".okstra/project.json").read_bytes())
    assert held == {"schemaVersion": 1, "projectId": "shop", "prTemplatePath": "x"}
    assert json.loads(settings.put(KEY, "x", ask())[1])["changed"] is False

    assert json.loads(settings.unset(KEY, ask("global"))[1])["changed"] is False
    assert not (home / "config.json").exists()
    (home / "config.json").write_text('{"schemaVersion": 1, "later": 2}', encoding="utf-8")
    settings.put("language", "ko", ask())
    assert json.loads((home / "config.json").read_bytes()) == {
        **{"schemaVersion": 1, "later": 2, "language": "ko"}
    }
    assert (home / "config.json").stat().st_mode & 0o777 == 0o600
    assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: settings.get("foo", ask()), "unknown setting: 'foo'; known: pr-template-path, l"),
        (lambda: settings.put("foo", "x", ask()), "known: pr-template-path"),
        (lambda: settings.put(KEY, "x", ask("all")), "--scope=all is for reading"),
        (lambda: settings.unset(KEY, ask("all")), "--scope=all is for reading"),
        (lambda: settings.get(KEY, ask("user")), "unknown scope: 'user'; known: project, global"),
        (lambda: settings.put("language", "ko", ask("project")), "in the scope global only"),
        (
            lambda: settings.put("language", "fr", ask()),
            "not a value of language: 'fr'; it is en or",
        ),
        (lambda: settings.put(KEY, " ", ask()), "not a value of pr-template-path: ' '"),
        (lambda: settings.put(KEY, "a\nb", ask()), r"'a\nb'"),
        (lambda: settings.show("foo", ask()), "unknown setting"),
        (lambda: settings.explain("foo", ask()), "unknown setting"),
        (lambda: settings.get(KEY, ask(root="/none")), "not a folder"),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_is_written(
    act: Any, message: str, project: Path, home: Path
) -> None:
    with pytest.raises(UserError) as caught:
        act()
    assert message in str(caught.value) and caught.value.status == 2
    assert not (home / "config.json").exists()


def test_a_project_that_is_not_registered_takes_no_setting(
    project: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".okstra/project.json").unlink()
    with pytest.raises(Refusal, match="not registered yet"):
        settings.put(KEY, "x", ask(root=str(project)))
    assert not (project / ".okstra/project.json").exists()
    monkeypatch.setattr("okstra_ctl.inspect.settings.resolve_project_root_safe", lambda *_: "")
    with pytest.raises(UserError, match="no project here"):
        settings.put(KEY, "x", ask())
    settings.put(KEY, "x", ask("global"))
    assert value() == ("x", "user")


@pytest.mark.parametrize(
    "data", [b"", b"[]", b'{"schemaVersion": 2}', b'{"schemaVersion": 1, "prTemplatePath": 5}']
)
def test_a_broken_file_is_named_and_left_alone(data: bytes, project: Path, home: Path) -> None:
    (home / "config.json").write_bytes(data)
    with pytest.raises(UserError, match=r"config\.json"):
        settings.get(KEY, ask())
    assert (home / "config.json").read_bytes() == data


def test_language_and_its_order(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from okstra_ctl.runs import config_files

    assert config_files.language(str(home), {"LANG": "ko_KR"}) == "ko"
    settings.put("language", "ko", ask())
    assert config_files.language(str(home), {}) == "ko"
    assert config_files.language(str(home), {"OKSTRA_LANG": "en"}) == "en"
    monkeypatch.setenv("OKSTRA_LANG", "en")
    found = json.loads(settings.explain("language", ask())[1])
    assert (found["value"], found["origin"]) == ("en", "environment")
    assert [(o["origin"], o["value"], o["counts"]) for o in found["origins"]] == [
        *(("environment", "en", True), ("user", "ko", True), ("default", None, False))
    ]
    (home / "config.json").write_bytes(b"[]")
    assert config_files.language(str(home), {}) == "en"


def test_value_for_other_commands(project: Path, home: Path) -> None:
    from okstra_ctl.runs import config_files

    place = config_files.Place(str(home), str(project))
    assert config_files.value(KEY, place, {}) == ""
    settings.put(KEY, "x", ask("global"))
    assert config_files.value(KEY, place, {}) == "x"


@pytest.mark.usefixtures("terminal")
def test_texts_for_people(project: Path, home: Path) -> None:
    quiet = ask(json=False)
    assert settings.get(KEY, quiet) == (1, "")
    assert settings.put(KEY, "a b", quiet) == (0, f"{KEY}: set to a b (project)")
    assert settings.put(KEY, "a b", quiet) == (0, f"{KEY}: unchanged (project)")
    settings.put(KEY, "user.md", ask("global"))
    told = settings.get(KEY, ask(origin=True, json=False))
    assert told == (0, f"user:{home}/config.json\tuser.md")
    assert settings.show(None, quiet)[1].splitlines() == [
        "setting           value    from",
        f"pr-template-path  user.md  user:{home}/config.json",
        "language          -",
    ]
    assert settings.explain(KEY, quiet)[1].splitlines()[1:] == [
        "values: a path; ~ and a relative path are resolved when it is used",
        "order, the first counts:",
        "  flag         --pr-template-path",
        f"  project      a b  ({project}/.okstra/project.json); does not count until okstra trust",
        f"  user         user.md  ({home}/config.json)",
        "  default      -",
        "now: user.md (user)",
    ]
    assert settings.unset(KEY, ask("global", json=False)) == (0, f"{KEY}: unset (global)")
    assert settings.explain(KEY, quiet)[1].endswith("now: not set")
    rows = json.loads(settings.show(KEY, ask())[1])["settings"]
    assert [row["key"] for row in rows] == [KEY]
