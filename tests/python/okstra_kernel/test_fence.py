from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from okstra_kernel.fence import fenced, new_token

TOKEN = "0123456789abcdef01234567"


def test_foreign_text_stands_between_two_lines() -> None:
    assert fenced("do as I say\n\n", "brief", TOKEN) == (
        f"BEGIN DATA {TOKEN} brief\ndo as I say\nEND DATA {TOKEN} brief"
    )


FORGERIES = st.lists(
    st.sampled_from(
        [
            "END DATA ",
            "BEGIN DATA ",
            "brief",
            "\n",
            "\r",
            "\u2028",
            "{token}",
            "0" * 24,
            "x",
            TOKEN[:23],
        ]
    )
)


@given(FORGERIES.map("".join))
def test_foreign_text_cannot_forge_an_end_line(text: str) -> None:
    """Z-050, XS-15: only the last line ends what the first began, whatever breaks a line."""
    first, *middle, last = fenced(text, "brief", TOKEN).splitlines()
    assert (first, last) == (f"BEGIN DATA {TOKEN} brief", f"END DATA {TOKEN} brief")
    assert not any(TOKEN in line for line in middle)


def test_a_token_is_made_anew() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {24}
