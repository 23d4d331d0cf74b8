from okstra_kernel.notice import printable


def test_printable_keeps_letters_and_escapes_controls() -> None:
    assert printable("결제 a\nb\x1b[31m\u202e\udcff") == r"결제 a\nb\x1b[31m\u202e\udcff"
