"""The days of an event as people write them for tsh."""

from datetime import date

import pytest

from tournament.tsh.days import parse_days


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("July 2, 2025", "2025-07-02", "2025-07-02"),
        ("July 3-6, 2025", "2025-07-03", "2025-07-06"),
        ("Dec 29-Jan 1, 2025", "2024-12-29", "2025-01-01"),
        ("February 28-March 2, 2025", "2025-02-28", "2025-03-02"),
        ("July 3, 2025 - July 6, 2025", "2025-07-03", "2025-07-06"),
        ("Saturday, July 5, 2025", "2025-07-05", "2025-07-05"),
        ("1st-3rd May 2025", "2025-05-01", "2025-05-03"),
        ("3 & 4 July 2025", "2025-07-03", "2025-07-04"),
        ("Sept 5-7, 2025", "2025-09-05", "2025-09-07"),
        ("3.–6. Oktober 2026", "2026-10-03", "2026-10-06"),
        ("3.-6. Oktober 2026", "2026-10-03", "2026-10-06"),
        ("3./4. Oktober 2026", "2026-10-03", "2026-10-04"),
        ("28. Februar – 2. März 2026", "2026-02-28", "2026-03-02"),
        ("vom 3. bis 6. Oktober 2026", "2026-10-03", "2026-10-06"),
        ("29. Dez. 2025 bis 1. Jan. 2026", "2025-12-29", "2026-01-01"),
        ("03.10.2026", "2026-10-03", "2026-10-03"),
        ("Sa. 3.10.26", "2026-10-03", "2026-10-03"),
        ("3.10.-6.10.2026", "2026-10-03", "2026-10-06"),
        ("30.12. - 2.1.2026", "2025-12-30", "2026-01-02"),
        ("3 t/m 6 oktober 2026", "2026-10-03", "2026-10-06"),
        ("2025-04-05 - 2025-04-06", "2025-04-05", "2025-04-06"),
    ],
)
def test_days_are_read_as_people_write_them(text: str, first: str, last: str) -> None:
    assert parse_days(text) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Easter",
        "2025",
        "July 2025",
        "July 3-6",
        "10/3/2025",
        "31.2.2026",
        "July 6-3, 2025",
        "3.10.2026 in Fulda, 123",
    ],
)
def test_what_is_not_understood_as_a_whole_is_no_date(text: str) -> None:
    assert parse_days(text) is None
