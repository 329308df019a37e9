"""Lists of players in which names are like others: asked, never decided, by the command."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tournament.exchange.terminal import run
from tournament.models import Entry, Player, SamePerson, Tournament

pytestmark = pytest.mark.django_db

FOUR = 'Name,Club\n"Köhler, Anna",\n"Kohler, Anna",\n"Bär, Udo",\n"Bar, Udo",\n'


def read(file: Path, text: str, *options: str) -> tuple[int, dict[str, Any], str]:
    file.write_text(text, encoding="utf-8")
    status, out, err = run("import_players", str(file), "--format", "json", *options)
    return status, json.loads(out), err


def list_names() -> list[str]:
    return list(Player.objects.current().order_by("pk").values_list("name", flat=True))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "list.csv"


def test_names_that_sort_alike_are_asked_about(file: Path) -> None:
    status, report, err = read(file, FOUR)

    assert (status, list_names()) == (1, [])
    assert report["columns"] == ["name", "club"]
    assert [(row["row"], row["fate"], row["like"]) for row in report["rows"]] == [
        (2, "new", []),
        (3, "alike", ["Köhler, Anna"]),
        (4, "new", []),
        (5, "alike", ["Bär, Udo"]),
    ]
    assert len(err.splitlines()) == 2


def test_others_are_entered_as_four_people_and_known_from_then_on(file: Path) -> None:
    assert read(file, FOUR, "--alike", "other")[0] == 0

    assert list_names() == ["Köhler, Anna", "Kohler, Anna", "Bär, Udo", "Bar, Udo"]
    assert SamePerson.objects.filter(season=None, is_same=False).count() == 2
    status, report, _err = read(file, FOUR)
    assert (status, {row["fate"] for row in report["rows"]}) == (0, {"known"})
    assert len(list_names()) == 4


def test_the_same_are_two_people_whose_spellings_are_remembered(file: Path) -> None:
    assert read(file, FOUR, "--alike", "same")[0] == 0

    assert list_names() == ["Köhler, Anna", "Bär, Udo"]
    status, report, _err = read(file, FOUR)
    assert (status, {row["fate"] for row in report["rows"]}) == (0, {"known"})
    assert list_names() == ["Köhler, Anna", "Bär, Udo"]


def test_whoever_is_like_several_cannot_be_the_same_as_all(file: Path) -> None:
    read(file, 'Name\n"Meier, Hans"\n"Meyer, Hans"\n', "--alike", "other")

    status, _report, err = read(file, 'Name\n"Meiyer, Hans"\n"Hans Meier"\n"H. Meier"\n', "--alike", "same")

    assert (status, len(list_names())) == (1, 2)
    assert [line.partition(":")[0] for line in err.splitlines()] == ["Zeile 2", "Zeile 3", "Zeile 4"]


def test_dry_run_says_what_would_happen_and_enters_nobody(file: Path) -> None:
    status, report, _err = read(file, FOUR, "--alike", "other", "--dry-run")

    assert (status, len(report["rows"]), list_names()) == (0, 4, [])


def test_blanks_around_a_comma_are_no_other_name(file: Path) -> None:
    status, report, _err = read(file, "Name;Wertung\nOhm,Olga;\nOhm , Olga;1400\n")

    assert (status, [row["fate"] for row in report["rows"]]) == (0, ["new", "left_out"])
    assert list_names() == ["Ohm, Olga"]
    status, report, _err = read(file, "Name;Wertung\nOlga Ohm;1500\n")
    assert (status, report["rows"][0]["fate"], report["rows"][0]["like"]) == (1, "alike", ["Ohm, Olga"])
    assert read(file, "Name;Wertung\nOlga Ohm;1500\n", "--alike", "same")[0] == 0
    assert Player.objects.current().get().rating == 1500
    status, report, _err = read(file, "Name;Wertung\nOlga Ohm;1600\n")
    assert (status, report["rows"][0]["fate"]) == (0, "changed")


def test_every_fate_has_its_word(file: Path) -> None:
    text = "Name;Wertung\nAal, Udo;1500\nAal, Udo;1500\nAhl, Udo;\n;1\nBest, Eva;viel\n"

    status, report, err = read(file, text)

    assert [row["fate"] for row in report["rows"]] == ["new", "left_out", "alike", "fault", "fault"]
    assert all(row["reason"] for row in report["rows"][1:])
    assert (status, len(err.splitlines()), list_names()) == (1, 3, [])


def test_an_event_is_asked_as_well(file: Path, cup: Tournament) -> None:
    read(file, 'Name\n"Köhler, Anna"\n')
    text = 'Name\n"Koehler, Anna"\n"Aal, Udo"\n'

    status, report, _err = read(file, text, "--tournament", cup.slug)
    assert (status, [row["fate"] for row in report["rows"]]) == (1, ["alike", "new"])
    assert not Entry.objects.exists()

    assert read(file, text, "--tournament", cup.slug, "--alike", "same")[0] == 0
    assert list(Entry.objects.order_by("pk").values_list("player__name", flat=True)) == ["Köhler, Anna", "Aal, Udo"]
    assert read(file, text, "--tournament", cup.slug)[0] == 0
    assert Entry.objects.count() == 2


def test_report_says_what_becomes_of_those_who_are_answered(file: Path) -> None:
    read(file, "Name;SDeV\nKöhler, Anna;4711\nBär, Udo;\n")
    text = "Name;SDeV\nKohler, Anna;\nKöhler-Meier, Anna;4711\nBaer, Udo;\nOhm, Olga;\nOhm, O.;\n"

    _status, others, _err = read(file, text, "--alike", "other", "--dry-run")
    status, same, _err = read(file, text, "--alike", "same", "--dry-run")

    assert "alike" not in [row["fate"] for row in others["rows"]]
    assert [row["fate"] for row in others["rows"]][2:] == ["new", "new", "new"]
    assert status == 0
    assert [row["fate"] for row in same["rows"]] == ["known", "changed", "known", "new", "left_out"]
