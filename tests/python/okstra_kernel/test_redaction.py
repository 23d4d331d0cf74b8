"""Secrets are taken out, and nothing else (Z-051)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel import redaction
from okstra_kernel.redaction import redact

# Each is put together here, so that no scanner takes this file for a leak.
PLANTED = [
    ("anthropic-key", "sk-ant-" + "api03-" + "Ab1_" * 8),
    ("openai-key", "sk-" + "proj-" + "Ab1_" * 8),
    ("openai-key", "sk-" + "Ab1d" * 8),
    ("github-token", "ghp_" + "Ab1d" * 9),
    ("github-token", "ghs_" + "Ab1d" * 9),
    ("github-token", "github_pat_" + "Ab1_" * 8),
    ("gitlab-token", "glpat-" + "Ab1_" * 5),
    ("aws-key-id", "AKIA" + "ABCDEFGH12345678"),
    ("google-key", "AIza" + "Ab1_-" * 7),
    ("google-token", "ya29." + "Ab1_" * 6),
    ("slack-token", "xoxb-" + "1234567890-Ab1d"),
    ("slack-token", "xapp-" + "1-A1234567890"),
    ("stripe-key", "sk_live_" + "Ab1d" * 6),
    ("npm-token", "npm_" + "Ab1d" * 9),
    ("pypi-token", "pypi-" + "Ab1_" * 14),
    ("hugging-face-token", "hf_" + "Ab1d" * 9),
    ("xai-key", "xai-" + "Ab1d" * 12),
    ("jwt", "eyJ" + "hbGciOiJIUzI1" + ".eyJ" + "zdWIiOiIxMjM0" + ".Ab1_Ab1_"),
]
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEAb1d\n+/=x\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(("kind", "token"), PLANTED)
def test_a_token_is_hidden_wherever_it_stands(kind: str, token: str) -> None:
    for before, after in (("", ""), ("a ", " b"), ('{"x": "', '"}'), ("KEY=", "\n"), ("(", ").")):
        assert redact(f"{before}{token}{after}", {}) == f"{before}[redacted:{kind}]{after}"


def test_fifteen_kinds_are_known() -> None:
    assert len({shape.kind for shape in redaction.SHAPES}) >= 15


PARTS = [
    (f"a {PEM} b", "private-key", PEM),
    (f"{PEM[:45]}\x00", "private-key", PEM[:45]),  # cut
    (PEM.replace("\n", "\nDEK-Info: AES-128\n", 1) + ".", "private-key", ""),
    ("https://me:pa55w0rd@host/x", "url-password", "pa55w0rd"),
    ("http://:pa55w0rd@host", "url-password", "pa55w0rd"),
    ("Authorization: Bearer abcdefghijklmnop1", "authorization", "abcdefghijklmnop1"),
    ("authorization: basic QWxhZGRpbjpvcGVu", "authorization", "QWxhZGRpbjpvcGVu"),
    (f"aws_secret_access_key = {'Ab1/' * 10}", "aws-secret", "Ab1/" * 10),
    (f"https://hooks.slack.com/services/{'T0AB/' * 5}x", "slack-webhook", "T0AB/" * 5 + "x"),
]


@pytest.mark.parametrize(("text", "kind", "secret"), PARTS)
def test_shapes_of_several_parts(text: str, kind: str, secret: str) -> None:
    assert redact(text, {}) == text.replace(secret or text[:-1], f"[redacted:{kind}]")


@pytest.mark.parametrize(
    "text",
    [
        "task-manifest-error-analysis-001-and-more-words",  # holds sk-
        "risk-" + "a" * 30,
        "https://github.com/owner/name@v1:x",
        "the bearer of this note",
        "sk-short",
        "-----BEGIN CERTIFICATE-----",
        "eyJ.eyJ.x",
    ],
)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert redact(text, {}) == text


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("MY_TOKEN", "s3cret-value", True),
        ("my_api_key", "s3cret-value", True),
        ("DB_PASSWORD", "s3cret value with blanks", True),
        ("CLIENT_SECRET", "aBcdefghijklm", True),
        ("MY_TOKEN", "s3cret-valu", False),  # 11 characters
        ("MY_TOKEN", "placeholders", False),
        ("MY_TOKEN", "PLACEHOLDERS", False),
        ("MY_TOKEN", "Placeholders", False),
        ("MY_TOKEN", "123456789012", False),
        ("MY_TOKEN", "-12345678901.5", False),
        ("HOME", "s3cret-value", False),
    ],
)
def test_values_of_the_environment(name: str, value: str, hidden: bool) -> None:
    expected = f"<[redacted:{name}]>" if hidden else f"<{value}>"
    assert redact(f"<{value}>", {name: value}) == expected


def test_a_secret_within_another_goes_with_it() -> None:
    environment = {"A_KEY": "0123456789ab", "B_KEY": "x0123456789ab-y"}
    assert (
        redact("x0123456789ab-y 0123456789ab", environment) == "[redacted:B_KEY] [redacted:A_KEY]"
    )


def test_all_texts_of_a_value_are_cleaned() -> None:
    token = PLANTED[0][1]
    known = redaction.secrets({})
    value = {"a": [token, 1, None], token: {"b": f"x {token}"}}
    word = "[redacted:anthropic-key]"
    assert redaction.hide_in(value, known) == {"a": [word, 1, None], word: {"b": f"x {word}"}}


tokens = st.sampled_from([token for _, token in PLANTED])
words = st.text(st.characters(codec="utf-8"), max_size=20)


@given(before=words, token=tokens, after=words)
def test_what_may_hold_a_secret_is_suspect_in_json_too(before: str, token: str, after: str) -> None:
    environment = {"X_TOKEN": 'pass"word\nwith é'}
    known = redaction.secrets(environment)
    for secret in (token, environment["X_TOKEN"]):
        text = json.dumps([f"{before}{secret}{after}"], ensure_ascii=False)
        assert redaction.suspect(text, known)


@given(st.text())
def test_cleaned_text_is_not_changed_again(text: str) -> None:
    once = redact(text, {})
    assert redact(once, {}) == once


def test_a_long_text_takes_no_time_out_of_proportion() -> None:
    import time

    begin = time.process_time()
    redact("-----BEGIN PRIVATE KEY-----" * 2000 + "sk-" * 100_000 + "://" * 50_000, {})
    assert time.process_time() - begin < 5


@pytest.mark.parametrize(
    ("value", "found"),
    [("plain-but-long.enough_1", False), ("with/slash-0123", True), ('with"quote-01', True)],
)
def test_a_secret_of_the_environment_is_looked_for_where_json_leaves_it(
    value: str, found: bool
) -> None:
    """One that some writer of JSON may change makes every text suspect; another only its own."""
    known = redaction.secrets({"X_TOKEN": value})
    assert redaction.suspect("nothing of the kind", known) == found
    assert redaction.suspect(f"<{value}>", known)
