"""What helpers type, read or refused."""

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from tournament.forms.fields import FigureField, MovesField, TimeField, key
from tournament.limits import MOVE, OVERTIME, POINTS, Range


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

    assert refused.value.messages == [f"“{typed}” is not possible: whole numbers from −999 to 9999 are allowed."]


def test_figure_quotes_the_beginning_of_a_long_input() -> None:
    with translation.override("en"), pytest.raises(ValidationError) as refused:
        FigureField(Range(0, 9)).clean("7" * 5000)

    assert refused.value.messages == [f"“{'7' * 20}…” is not possible: whole numbers from 0 to 9 are allowed."]


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

    assert refused.value.messages == [f"“{typed}” is not a time: minutes and seconds such as 1:12, at most 120:00."]


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
    assert key(posted) == number
