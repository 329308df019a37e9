"""What the query of an address asks for."""

import pytest
from django.test import RequestFactory

from tournament.basics import limits
from tournament.pages.requests import paginate_rows, read_query_number, read_search_text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ""),
        ({"q": "  Anna   Muster "}, "Anna Muster"),
        ({"q": "An\0na"}, "Anna"),
        ({"q": "x" * 999}, "x" * limits.SEARCH),
    ],
    ids=["nothing", "blanks", "a null byte", "too long"],
)
def test_search_is_tidied_and_cut(query: dict[str, str], expected: str) -> None:
    assert read_search_text(RequestFactory().get("/", query)) == expected


@pytest.mark.parametrize(("asked", "rows"), [(None, [1, 2]), ("2", [3, 4]), ("3", [5]), ("9", [5]), ("x", [1, 2])])
def test_page_is_the_nearest_there_is(asked: str | None, rows: list[int]) -> None:
    request = RequestFactory().get("/", {} if asked is None else {"page": asked})

    assert list(paginate_rows(request, [1, 2, 3, 4, 5], 2)) == rows


@pytest.mark.parametrize(
    ("asked", "number"),
    [(None, 7), ("", 7), ("0", 0), ("12", 12), ("9999", 9999), ("10000", None), ("-1", None), ("²", None), ("٣", None)],
)
def test_number_is_a_short_whole_one(asked: str | None, number: int | None) -> None:
    request = RequestFactory().get("/", {} if asked is None else {"turn": asked})

    assert read_query_number(request, "turn", 7) == number
