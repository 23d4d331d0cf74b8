"""In which language a person is asked (L-198, L-199, U-30, Z-064)."""

from __future__ import annotations

import pytest

from okstra_kernel import UserError, texts


@pytest.mark.parametrize(
    ("environment", "setting", "lang"),
    [
        ({}, "", "en"),
        ({"OKSTRA_LANG": "ko", "LANG": "en_US.UTF-8"}, "", "ko"),
        ({"OKSTRA_LANG": "en", "LANG": "ko_KR.UTF-8"}, "ko", "en"),
        ({"OKSTRA_LANG": "fr", "LANG": "ko_KR.UTF-8"}, "", "ko"),
        ({"LANG": "en_US.UTF-8"}, "ko", "ko"),
        ({"LC_ALL": "ko_KR.UTF-8", "LANG": "en_US.UTF-8"}, "", "ko"),
        ({"LC_ALL": "C", "LANG": "ko_KR.UTF-8"}, "", "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "ko_KR", "LANG": "C"}, "xx", "ko"),
    ],
)
def test_language(environment: dict[str, str], setting: str, lang: str) -> None:
    assert texts.language(environment, setting) == lang


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_trust_question_is_asked_in_each_language(lang: str) -> None:
    shown = texts.text(lang, "launcher.trustQuestion", project="{contents}", contents="<{project}>")
    assert "{contents}" in shown and "<{project}>" in shown and "[y/N]" in shown


def test_a_text_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match=r"en\.json: \$\.launcher\.nope: expected text"):
        texts.text("en", "launcher.nope")
    with pytest.raises(UserError, match=r"a file of okstra is missing: prompts/wizard/fr\.json"):
        texts.texts("fr")


def test_unknown_placeholders_stay() -> None:
    assert texts.fill("{a} {b} {a}", {"a": "{b}"}) == "{b} {b} {b}"
