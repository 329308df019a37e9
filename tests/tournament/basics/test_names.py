"""Names as they are listed, and as they are said."""

import pytest

from tournament.basics.names import format_spoken_name, make_sort_key


@pytest.mark.parametrize(
    ("listed", "said"),
    [
        ("Nguyễn, Linh", "Linh Nguyễn"),
        ("Müller-Lüdenscheidt, Ann-Kathrin", "Ann-Kathrin Müller-Lüdenscheidt"),
        ("Aal, Udo (SC Köln)", "Udo Aal (SC Köln)"),
        ("Aal, Udo (Köln, rechts)", "Udo Aal (Köln, rechts)"),
        ("Sokrates", "Sokrates"),
        ("Sokrates (P05)", "Sokrates (P05)"),
        ("Dr. Weiß, Änne", "Dr. Änne Weiß"),
        ("Prof. Dr. h. c. Weiß, Änne (SC Köln)", "Prof. Dr. h. c. Änne Weiß (SC Köln)"),
        ("Dipl.-Ing. von der Heide, Udo", "Dipl.-Ing. Udo von der Heide"),
        ("Dr Weiß, Änne", "Dr Änne Weiß"),
        ("Weiß, Dr. Änne", "Dr. Änne Weiß"),
        ("Drews, Dora", "Dora Drews"),
        ("Frauke, Ida", "Ida Frauke"),
        ("H. Weiß, Änne", "Änne H. Weiß"),
        ("Aal,", "Aal,"),
        ("–", "–"),
    ],
)
def test_listed_name_is_said_with_the_given_name_first(listed: str, said: str) -> None:
    assert format_spoken_name(listed) == said


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Dr. Weiß, Änne", "weiss, anne"),
        ("Prof. Dr. med. Weiß, Änne", "weiss, anne"),
        ("Dr. Änne Weiß", "anne weiss"),
        ("Weiß, Dr. Änne", "weiss, anne"),
        ("Drews, Dora", "drews, dora"),
        ("H. Meier", "h. meier"),
        ("Dr.", "dr."),
    ],
)
def test_names_are_sorted_without_the_titles_before_them(name: str, key: str) -> None:
    assert make_sort_key(name) == key
