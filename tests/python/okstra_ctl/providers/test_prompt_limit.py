from __future__ import annotations

import hashlib

import pytest

from okstra_ctl.providers import prompt_limit

LIMIT = 96 * 1024


@pytest.mark.parametrize("text", ["", "x" * LIMIT, "가" * (LIMIT // 3), "\ud800"])
def test_a_prompt_that_fits_stays_as_it_is(text: str) -> None:
    assert prompt_limit.passable(text, "/p") == text


@pytest.mark.parametrize("text", ["x" * (LIMIT + 1), "가" * (LIMIT // 3 + 1)])
def test_a_longer_one_becomes_a_pointer_to_its_file(text: str) -> None:
    """Z-007: the limit counts bytes, not letters."""
    short = prompt_limit.passable(text, "/p q/prompt.md")
    data = text.encode()
    assert len(short) < 1000
    lines = short.splitlines()
    assert "/p q/prompt.md" in lines
    assert f"length: {len(data)} bytes" in lines
    assert f"sha256: {hashlib.sha256(data).hexdigest()}" in lines
