"""Faults: each kind has a sentence, and each says where it stands."""

import re

import pytest
from django.utils import translation

from tournament.exchange.faults import FaultCode, FileFault, FileFaults, FilePlace, quote_value


def test_every_kind_has_a_sentence() -> None:
    assert all(code.value for code in FaultCode)


@pytest.mark.parametrize("code", list(FaultCode))
@pytest.mark.sampled(39)
def test_sentence_can_be_filled_in(code: FaultCode) -> None:
    with translation.override("en"):
        places = set(re.findall(r"%\((\w+)\)s", code.value))
        sentence = FileFault(code, figures={place: f"<{place}>" for place in places}).sentence

    assert all(f"<{place}>" in sentence for place in places)
    assert "%" not in sentence


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (FilePlace(), ""),
        (FilePlace(line=3), "line 3"),
        (FilePlace(line=3, column=5), "line 3, column 5"),
        (FilePlace(file="a.t", line=3), "a.t, line 3"),
        (FilePlace(row=7), "row 7"),
        (FilePlace(line=3, path="players[0].name"), "line 3, players[0].name"),
    ],
)
def test_place_is_shown_as_far_as_it_is_known(place: FilePlace, shown: str) -> None:
    with translation.override("en"):
        assert str(place) == shown


def test_fault_without_a_place_is_its_sentence() -> None:
    with translation.override("en"):
        assert str(FileFaults([FileFault(FaultCode.TOO_DEEP)])) == "The file is nested too deeply."


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a", "“a”"),
        ("", "“”"),
        ("x" * 61, "“" + "x" * 60 + "…”"),
        ("a\nb\x00", "“a�b�”"),
        (None, "null"),
        (True, "true"),
        (7, "7"),
        (10**80, "1" + "0" * 59 + "…"),
    ],
)
def test_input_is_quoted(value: object, shown: str) -> None:
    with translation.override("en"):
        assert quote_value(value) == shown


def test_input_is_quoted_as_the_language_does() -> None:
    with translation.override("de"):
        assert quote_value("a") == "„a“"
