"""Moments as text: what is one."""

import re

import pytest

from tournament.basics.moments import parse_moment


@pytest.mark.parametrize(
    ("text", "is_moment"),
    [
        ("2026-11-28T14:35:00+01:00", True),
        ("2026-11-28 14:35Z", True),
        ("1900-01-01T00:00:00+00:00", True),
        ("2999-12-31T23:59:59+00:00", True),
        pytest.param("2026-11-28T14:35:00", False, id="without a time zone"),
        pytest.param("1899-12-31T23:59:59+00:00", False, id="before the first year"),
        pytest.param("3000-01-01T00:00:00+00:00", False, id="after the last year"),
        pytest.param("2026-11-28", False, id="a date"),
        pytest.param("soon", False, id="a word"),
    ],
)
def test_moment_has_a_time_zone_and_a_year_in_range(text: str, is_moment: bool) -> None:
    if is_moment:
        assert parse_moment(text).tzinfo is not None
    else:
        with pytest.raises(ValueError, match=re.escape(text)):
            parse_moment(text)
