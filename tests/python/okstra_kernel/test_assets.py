"""okstra's own files are looked for, never counted (P-056 to P-060)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from okstra_kernel import UserError, assets

ROOT = str(Path(__file__).parents[3])


def test_the_root_is_found_by_what_it_holds() -> None:
    schema = ("validators", "schemas", "project.schema.json")
    assert assets.find_asset_root(schema) == ROOT
    assert assets.path(*schema) == os.path.join(ROOT, *schema)
    assert assets.text("VERSION")


def test_what_is_missing_or_unreadable_is_named_with_the_cure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert assets.find_asset_root(("no", "such")) is None
    with pytest.raises(UserError, match=r"^a file of okstra is missing: no/such$") as caught:
        assets.text("no", "such")
    assert caught.value.next_step == "okstra install"
    monkeypatch.setattr(assets, "path", lambda *relative: "/")
    with pytest.raises(UserError, match=r"/: .*directory"):
        assets.text("x")
