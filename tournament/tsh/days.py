"""The days of an event as people write them in tsh's `event_date`, in English, German and Dutch."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date

MONTHS = (
    *(("january", "januar", "jänner", "januari"), ("february", "februar", "februari"), ("march", "märz", "maart")),
    *(("april",), ("may", "mai", "mei"), ("june", "juni"), ("july", "juli"), ("august", "augustus")),
    *(("september",), ("october", "oktober"), ("november",), ("december", "dezember")),
)
MONTH_BY_WORD = {
    word: number
    for number, names in enumerate(MONTHS, 1)
    for name in names
    # Four letters as well, for Sept.
    for word in (name, name[:3], f"{name[:3]}.", f"{name[:4]}.", name[:4])
} | {"mrz": 3, "mrz.": 3, "mrt": 3, "mrt.": 3}

WEEKDAYS = (
    *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    *("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag"),
    *("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
)
OTHER_WORDS = {word[:length] for word in WEEKDAYS for length in (2, 3, len(word))} | {
    *(
        "and",
        "und",
        "en",
        "to",
        "bis",
        "tot",
        "through",
        "until",
        "am",
        "vom",
        "from",
        "van",
        "the",
        "of",
        "den",
        "t",
        "m",
    )
}
"""Words beside a date that say nothing more."""

_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b", re.ASCII)
_DOTTED = re.compile(r"\b(\d{1,2})\. ?(\d{1,2})\.(?: ?(\d{4}|\d{2})\b)?", re.ASCII)
_TOKEN = re.compile(
    r"(?P<number>\d+)(?:st|nd|rd|th|e)?(?!\w)\.?|(?P<word>[^\W\d_]+\.?)|(?P<mark>[\s,;./&+–—-])|(?P<unknown>.)"
)

Part = tuple[str, int]  # a day, a month or a year


def parse_days(text: str) -> tuple[date, date] | None:
    """The first and the last day that a text names; None if it is not understood as a whole, or names no year."""
    parts = _split_parts(text.lower())
    if parts is None:
        return None
    days = []
    with suppress(ValueError):
        days = [date(*day) for day in _complete_days(parts)]
    # Days that run backwards were read in a way that nobody has meant: better none than the wrong ones.
    return (days[0], days[-1]) if days and days == sorted(days) else None


def _split_parts(text: str) -> list[Part] | None:
    """Days, months and years in their order; None if there is anything else."""
    # Dates in figures first, with a mark before the month: of the numbers 3 and 10 nobody can tell later which is the
    # day, and 2026-10-03 would be read from the wrong end.
    text = _ISO.sub(lambda iso: f" {int(iso[3])} ~{int(iso[2])} {iso[1]} ", text)
    text = _DOTTED.sub(lambda dotted: f" {int(dotted[1])} ~{int(dotted[2])} {_write_year(dotted[3])} ", text)
    parts: list[Part] = []
    for month, rest in re.findall(r"~(\d+)|([^~]+)", text):
        if month:
            parts.append(("month", int(month)))
            continue
        for token in _TOKEN.finditer(rest):
            kind, word = token.lastgroup, token.group()
            if kind == "number":
                digits = token["number"]
                if len(digits) not in (1, 2, 4):
                    return None
                parts.append(("year" if len(digits) == 4 else "day", int(digits)))
            elif kind == "word" and word in MONTH_BY_WORD:
                parts.append(("month", MONTH_BY_WORD[word]))
            elif kind == "unknown" or (kind == "word" and word.rstrip(".") not in OTHER_WORDS):
                return None
    return parts


def _write_year(digits: str | None) -> str:
    return "" if digits is None else digits if len(digits) == 4 else f"20{digits}"


def _complete_days(parts: list[Part]) -> Iterator[tuple[int, int, int]]:
    """Each day with its month and year: of `3.–6. Oktober 2026` both have the month behind them, of `July 3-6, 2025`
    the one before. A year stands behind; of a turn of the year the first day is in the year before."""
    kinds = [kind for kind, _number in parts if kind != "year"]
    is_month_first = kinds[:1] == ["month"]
    years = [number for kind, number in parts if kind == "year"]
    days: list[tuple[int, int, int]] = []
    for at, (kind, number) in enumerate(parts):
        if kind != "day":
            continue
        around = reversed(parts[:at]) if is_month_first else iter(parts[at:])
        month = next((value for part, value in around if part == "month"), 0)
        year = next((value for part, value in parts[at:] if part == "year"), None)
        days.append((year or (years[-1] if years else 0), month, number))
    if days:
        (first_year, first_month, first), last = days[0], days[-1]
        if len(years) == 1 and first_month > last[1]:
            days[0] = (first_year - 1, first_month, first)
    yield from days
