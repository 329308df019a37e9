"""Which letters can be printed."""

import pytest

from tournament.paper.lettering import has_unknown_letter


@pytest.mark.parametrize(
    ("text", "is_lacking"),
    [
        ("Müller-Lüdenscheidt, Ann-Kathrin", False),
        ("Dvořák, Jana", False),
        ("Παπαδόπουλος", False),
        ("Ковалёв", False),
        ("王小明", True),
        ("Wang 王", True),
        ("□", False),  # it is what was written
        ("Jana\u200bDvořák", False),  # a mark that does not show is left out
    ],
)
def test_letters_that_the_fonts_lack(text: str, is_lacking: bool) -> None:
    assert has_unknown_letter(text) is is_lacking
