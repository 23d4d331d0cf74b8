"""Raw ids become segments or are refused (P-003, P-004, Z-053, XI-01, XI-03)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import UserError
from okstra_project.slug import LONGEST, digest, slugify

HASH = "[0-9a-f]{8}"


@pytest.mark.parametrize(
    ("raw", "segment"),
    [
        ("DEV-9436", "dev-9436"),
        ("Epic 12/Login: SSO", "epic-12-login-sso"),
        ("a/b", "a-b"),
        ("a\\b", "a-b"),
        ("-rf", "rf"),
        ("--x--", "x"),
        ("con", "con"),
        ("a.", "a"),
        (".hidden", "hidden"),
        ("v1.2_3", "v1.2_3"),
        ("  a  b ", "a-b"),
        ("a…b", "a-b"),
        ("$(touch x)", "touch-x"),
        ("`x`;y|z&w*%s{{X}}'\"", "x-y-z-w-s-x"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_segments(raw: str, segment: str) -> None:
    assert slugify(raw) == segment


@pytest.mark.parametrize(
    ("raw", "pattern"),
    [
        ("결제-1", f"1-{HASH}"),
        ("로그인-1", f"1-{HASH}"),
        ("café", f"caf-{HASH}"),
        ("cafe\u0301", f"cafe-{HASH}"),
        ("결제", HASH),
        ("!!!", HASH),
        ("🙂", HASH),
        ("x" * 300, f"x{{71}}-{HASH}"),
    ],
)
def test_what_lost_letters_or_was_cut_carries_a_hash(raw: str, pattern: str) -> None:
    segment = slugify(raw)
    assert re.fullmatch(pattern, segment) and segment.endswith(digest(raw))
    assert len(segment) <= LONGEST


def test_ids_that_lost_different_letters_differ() -> None:
    assert slugify("결제-1") != slugify("로그인-1")


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("", "cannot be empty"),
        ("  ", "cannot be empty"),
        ("..", "out of its folder"),
        (".", "out of its folder"),
        ("../x", "out of its folder"),
        ("x/../y", "out of its folder"),
        ("x\\..", "out of its folder"),
        ("/etc", "absolute"),
        ("\\x", "absolute"),
        ("~", "absolute"),
        ("~/x", "absolute"),
        ("C:\\x", "absolute"),
        ("c:/x", "absolute"),
        ("a\nb", "control characters"),
        ("a\tb", "control characters"),
        ("a\0b", "control characters"),
        ("a\x1b[2Jb", "control characters"),
        ("a\x9bb", "control characters"),
        ("a\u2028b", "control characters"),
        ("a\udcffb", "control characters"),
    ],
)
def test_refused_ids_are_shown_quoted(raw: str, why: str) -> None:
    with pytest.raises(UserError) as caught:
        slugify(raw)
    assert why in str(caught.value) and repr(raw) in str(caught.value)


@given(st.text(max_size=200))
def test_a_segment_is_safe_stable_and_short(raw: str) -> None:
    try:
        segment = slugify(raw)
    except UserError:
        return
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*", segment)
    assert slugify(segment) == segment
    assert len(segment) <= LONGEST and segment != ".."
