"""From when the public sees something: the text form, and the moment it comes to."""

from datetime import UTC, datetime

import pytest

from tournament.basics.showing import LONG_AGO, SHOWN_BY_HAND, ShowingTime, ShowingTrigger, parse_showing_time

NOON, FIVE = datetime(2026, 10, 3, 12, tzinfo=UTC), datetime(2026, 10, 3, 17, tzinfo=UTC)


@pytest.mark.parametrize("text", ["published", "published+1", "closed", "closed+1440", "hand"])
def test_text_is_read_and_written_alike(text: str) -> None:
    assert str(parse_showing_time(text)) == text


@pytest.mark.parametrize(
    "text", ["", "later", "hand+5", "closed+0", "closed+05", "closed+1441", "published+-1", "Hand"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="^" + text.replace("+", r"\+") + "$"):
        parse_showing_time(text)


@pytest.mark.parametrize(
    ("text", "published_at", "closed_at", "moment"),
    [
        ("published", None, None, LONG_AGO),
        ("published", NOON, None, LONG_AGO),
        ("published+30", NOON, None, datetime(2026, 10, 3, 12, 30, tzinfo=UTC)),
        ("closed", NOON, None, None),
        ("closed", NOON, FIVE, LONG_AGO),
        ("closed+10", NOON, FIVE, datetime(2026, 10, 3, 17, 10, tzinfo=UTC)),
        ("hand", NOON, FIVE, None),
    ],
)
def test_moment(text: str, published_at: datetime | None, closed_at: datetime | None, moment: datetime | None) -> None:
    assert parse_showing_time(text).moment(published_at, closed_at) == moment


def test_what_waits_for_the_director_waits_for_no_minutes() -> None:
    assert str(ShowingTime(ShowingTrigger.HAND)) == SHOWN_BY_HAND
