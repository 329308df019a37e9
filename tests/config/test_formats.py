"""English dates and times are British, German ones German, Dutch ones Dutch: on pages, on paper and in commands."""

from datetime import UTC, datetime

import pytest
from django.template import engines
from django.utils import formats, translation

AFTERNOON = datetime(2026, 11, 3, 13, 5, tzinfo=UTC)
"""14:05 in Berlin, on a day whose month could be taken for the day."""


@pytest.mark.parametrize(
    ("look", "english", "german", "dutch"),
    [
        ("DATE_FORMAT", "3 November 2026", "3. November 2026", "3 november 2026"),
        ("SHORT_DATE_FORMAT", "03/11/2026", "03.11.2026", "3-11-2026"),
        ("DATETIME_FORMAT", "3 November 2026, 14:05", "3. November 2026 14:05", "3 november 2026 14:05"),
        ("SHORT_DATETIME_FORMAT", "03/11/2026 14:05", "03.11.2026 14:05", "3-11-2026 14:05"),
        ("TIME_FORMAT", "14:05", "14:05", "14:05"),
    ],
)
def test_dates_are_written_as_the_language_has_them(look: str, english: str, german: str, dutch: str) -> None:
    page = engines["django"].from_string(f'{{{{ at|date:"{look}" }}}}')

    for language, written in (("en", english), ("de", german), ("nl", dutch)):
        with translation.override(language):
            assert page.render({"at": AFTERNOON}) == written


def test_numbers_stay_as_english_has_them() -> None:
    with translation.override("en"):
        assert formats.number_format(2241, use_l10n=True, force_grouping=True) == "2,241"


def test_dutch_numbers_have_a_decimal_comma() -> None:
    with translation.override("nl"):
        assert formats.number_format("2241.50", use_l10n=True, force_grouping=True) == "2.241,50"
