from __future__ import annotations

import pytest

from okstra_ctl.install import layout
from okstra_ctl.install.layout import Shipped

FILES = [Shipped("bin/okstra", "a" * 64, True), Shipped("VERSION", "b" * 64, False)]


def test_the_same_files_in_any_order_give_the_same_name() -> None:
    name = layout.version_id("1.0", FILES)
    assert name == layout.version_id("1.0", FILES[::-1])
    assert layout.version_of(layout.target_of(name)) == name


@pytest.mark.parametrize("field", [{"path": "bin/x"}, {"sha256": "c" * 64}, {"executable": False}])
def test_another_path_content_or_mode_gives_another_name(field: dict[str, object]) -> None:
    other = [FILES[0]._replace(**field), FILES[1]]  # type: ignore[arg-type]
    assert layout.version_id("1.0", other) != layout.version_id("1.0", FILES)


@pytest.mark.parametrize(
    ("name", "shipped"),
    [
        ("okstra", True),
        ("a b.md", True),
        ("__pycache__", False),
        ("x.pyc", False),
        (".swp", False),
        ("x~", False),
    ],
)
def test_is_shipped(name: str, shipped: bool) -> None:
    assert layout.is_shipped(name) is shipped


@pytest.mark.parametrize(
    ("taken", "free"), [([], "v"), (["v"], "v.2"), (["v", "v.2", "v.3"], "v.4"), (["w"], "v")]
)
def test_free_id(taken: list[str], free: str) -> None:
    assert layout.free_id("v", taken) == free


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.0-0123456789ab", "1.0-0123456789ab.2", True),
        ("1.0-0123456789ab.3", "1.0-0123456789ab.2", True),
        ("1.0-0123456789ab", "1.0-0123456789ac", False),
        ("1.0-0123456789ab", "1.1-0123456789ab", False),
        ("1.0", "1.0.2", False),
    ],
)
def test_same_content(one: str, other: str, same: bool) -> None:
    assert layout.same_content(one, other) is same


@pytest.mark.parametrize(
    "target", ["", "versions/", "versions/..", "versions/a/b", "/versions/a", "../x", "versions/.x"]
)
def test_a_link_that_is_not_okstras_names_no_version(target: str) -> None:
    assert layout.version_of(target) == ""
