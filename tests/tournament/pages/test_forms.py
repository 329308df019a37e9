"""What helpers type, read or refused."""

from datetime import date

import pytest
import time_machine
from django import forms
from django.core.exceptions import ValidationError
from django.utils import translation

from tournament.basics.limits import MOVE, OVERTIME, POINTS, Range
from tournament.pages.forms import DateField, FigureField, MovesField, TextField, TimeField, parse_key


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("412", 412),
        (" 412 ", 412),
        ("0", 0),
        ("-5", -5),
        ("−5", -5),
        ("+7", 7),
        ("007", 7),
        ("9999", 9999),
        ("-999", -999),
        ("", None),
        ("  ", None),
    ],
)
def test_figure_is_read(typed: str, value: int | None) -> None:
    assert FigureField(POINTS).clean(typed) == value


@pytest.mark.parametrize(
    "typed", ["4l2", "12.5", "12.0", "1e3", "٤٠٠", "4_0", "0x1f", "10000", "-1000", "4 12", "--5", "½", "²", "NaN"]
)
def test_figure_is_refused_with_the_input_and_the_range(typed: str) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        FigureField(POINTS).clean(typed)

    assert refused.value.messages == [f"“{typed}” is not valid: enter a whole number from −999 to 9999."]


def test_figure_quotes_the_beginning_of_a_long_input() -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        FigureField(Range(0, 9)).clean("7" * 5000)

    assert refused.value.messages == [f"“{'7' * 20}…” is not valid: enter a whole number from 0 to 9."]


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("1:12", 72), ("01:12", 72), (" 0:01 ", 1), ("2", 120), ("0", 0), ("120:00", 7200), ("", None)],
)
def test_time_is_read_as_minutes_and_seconds(typed: str, seconds: int | None) -> None:
    assert TimeField(OVERTIME).clean(typed) == seconds


@pytest.mark.parametrize(
    "typed", ["1:60", "1:5", ":30", "1:12:00", "72s", "1,5", "1.5", "-1:00", "120:01", "121", "١:٠٠", "٢", "abc"]
)
def test_time_is_refused_with_the_input_and_the_limit(typed: str) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        TimeField(OVERTIME).clean(typed)

    assert refused.value.messages == [
        f"“{typed}” is not a time: enter minutes and seconds such as 1:12, at most 120:00."
    ]


def test_time_is_shown_as_it_is_typed() -> None:
    assert TimeField(OVERTIME).prepare_value(72) == "1:12"


@pytest.mark.parametrize(
    ("typed", "moves"), [("92 78 70", (92, 78, 70)), ("70, 92;78", (92, 78, 70)), ("", ()), ("0", (0,))]
)
def test_moves_are_read_from_the_best_down(typed: str, moves: tuple[int, ...]) -> None:
    assert MovesField(MOVE).clean(typed) == moves


@pytest.mark.parametrize("typed", ["92 x", "-1", "2001", "1 " * 31])
def test_moves_are_refused(typed: str) -> None:
    with pytest.raises(ValidationError):
        MovesField(MOVE).clean(typed)


@pytest.mark.parametrize(
    ("posted", "number"), [("12", 12), ("", None), ("-1", None), ("٣", None), ("x", None), ("9" * 19, None)]
)
def test_key_takes_only_numbers_of_rows(posted: str, number: int | None) -> None:
    assert parse_key(posted) == number


@pytest.mark.parametrize("language", ["de", "en", "nl"])
@pytest.mark.parametrize(
    "typed", ["03.10.2026", "3.10.2026", "3.10.26", "3. 10. 2026", " 03.10.2026 ", "2026-10-03", "2026-10-3"]
)
def test_date_is_read_in_every_language(typed: str, language: str) -> None:
    with translation.override(language):
        assert DateField().clean(typed) == date(2026, 10, 3)


@pytest.mark.parametrize("typed", ["03/10/2026", "3/10/2026", "3/10/26"])
def test_slashes_are_read_day_first_on_english_and_dutch_pages_only(typed: str) -> None:
    for language in ("en", "nl"):
        with translation.override(language):
            assert DateField().clean(typed) == date(2026, 10, 3)
    with translation.override("de"), pytest.raises(ValidationError):
        DateField().clean(typed)


@pytest.mark.parametrize("typed", ["03-10-2026", "3-10-2026", "3-10-26"])
def test_hyphens_are_read_day_first_on_dutch_pages_only(typed: str) -> None:
    with translation.override("nl"):
        assert DateField().clean(typed) == date(2026, 10, 3)
    for language in ("de", "en"):
        with translation.override(language), pytest.raises(ValidationError):
            DateField().clean(typed)


@pytest.mark.parametrize(
    ("today", "typed", "language", "day"),
    [
        ("2026-11-20", "23.11.", "de", date(2026, 11, 23)),
        ("2026-11-20", "23. 11.", "de", date(2026, 11, 23)),
        ("2026-11-20", "23.11", "nl", date(2026, 11, 23)),
        ("2026-11-20", "23/11", "en", date(2026, 11, 23)),
        ("2026-11-20", "23-11", "nl", date(2026, 11, 23)),
        ("2026-11-20", "3.1.", "de", date(2027, 1, 3)),
        ("2027-01-02", "30.12.", "de", date(2026, 12, 30)),
        ("2027-01-02", "29.2.", "de", date(2028, 2, 29)),
    ],
)
def test_day_without_a_year_is_the_nearest_one(today: str, typed: str, language: str, day: date) -> None:
    with time_machine.travel(f"{today} 12:00 +0100", tick=False), translation.override(language):
        assert DateField().clean(typed) == day


NO_DATES = (
    "10/23/2026",
    "2026/10/03",
    "31.2.",
    "3.10.026",
    "30.02.2026",
    "2026-02-30",
    "31.04.26",
    "0000-01-01",
    "20261003",
    "gestern",
    "3 Oct 2026",
    "٣.١٠.٢٠٢٦",
    "03.10.2026 12:00",
    "3.10\n.2026",
)


@pytest.mark.parametrize("typed", NO_DATES)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", "„{}“ ist kein Datum: Möglich sind 22.11.2026 und 2026-11-22."),
        ("en", "“{}” is not a date: write 22/11/2026 or 2026-11-22."),
        ("nl", "“{}” is geen datum: mogelijk zijn 22-11-2026 en 2026-11-22."),
    ],
)
@pytest.mark.sampled(14)
def test_date_is_refused_with_the_input_and_what_is_allowed(typed: str, language: str, said: str) -> None:
    with translation.override(language), pytest.raises(ValidationError) as refused:
        DateField().clean(typed)

    assert refused.value.messages == [said.format(typed)]


class DayForm(forms.Form):
    """A form with a day in it."""

    day = DateField(initial=date(2026, 10, 3))


@pytest.mark.parametrize(
    ("language", "shown", "told"),
    [
        ("de", "03.10.2026", "Tag.Monat.Jahr, etwa 22.11.2026"),
        ("en", "03/10/2026", "Day/month/year, such as 22/11/2026"),
        ("nl", "03-10-2026", "Dag-maand-jaar, zoals 22-11-2026"),
    ],
)
def test_date_is_shown_as_the_page_writes_it(language: str, shown: str, told: str) -> None:
    with translation.override(language):
        field = DayForm()["day"]

        assert f'type="text" name="day" value="{shown}"' in str(field)
        assert field.help_text == told


def test_date_comes_back_as_it_was_typed() -> None:
    field = DayForm({"day": "gestern"})["day"]

    assert 'value="gestern"' in str(field)


@pytest.mark.parametrize(("typed", "is_changed"), [("3.10.2026", False), ("2026-10-03", False), ("", True)])
def test_date_is_the_same_in_another_form(typed: str, is_changed: bool) -> None:
    assert DayForm({"day": typed}).has_changed() is is_changed


@pytest.mark.parametrize("typed", ["", "ABCDE", "  ABCDE  ", "A  B C", "AB\u00adCDE", "A\r\nBC"])
def test_text_is_as_long_as_it_is_read(typed: str) -> None:
    assert TextField(5).clean(typed) == typed.strip()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ABCDEF", "“ABCDEF” is too long: at most 5 characters are allowed."),
        ("x" * 100_000, f"“{'x' * 60}…” is too long: at most 5 characters are allowed."),
        ("A\0B", "“A�B” contains a character that cannot be shown."),
        ("\x07" * 100_000, f"“{'�' * 60}…” contains a character that cannot be shown."),
    ],
)
def test_text_is_refused_with_its_beginning(typed: str, said: str) -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        TextField(5).clean(typed)

    assert refused.value.messages == [said]
