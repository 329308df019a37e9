"""Names as they are listed, and as they are said."""

import pytest

from tournament.basics.names import format_spoken_name


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("Nguyễn, Linh", "Linh Nguyễn"),
        ("Müller-Lüdenscheidt, Ann-Kathrin", "Ann-Kathrin Müller-Lüdenscheidt"),
        ("Aal, Udo (SC Köln)", "Udo Aal (SC Köln)"),
        ("Aal, Udo (Köln, rechts)", "Udo Aal (Köln, rechts)"),
        ("Sokrates", "Sokrates"),
        ("Sokrates (P05)", "Sokrates (P05)"),
        ("Aal,", "Aal,"),
        ("–", "–"),
    ],
)
def test_listed_name_is_said_with_the_given_name_first(listed: str, said: str) -> None:
    assert format_spoken_name(listed) == said
