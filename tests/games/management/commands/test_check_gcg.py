"""`manage.py check_gcg`: one value or a table; a file that is no game is one sentence and status 1."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.gcg.values import GcgProblem, GcgProblemCode
from games.gcg.words import BOARD_FAULT_MESSAGES, MISREAD_MESSAGES, describe_gcg_problem
from scoring.board import PlayFault
from scoring.plays import BadPlayReason
from tests.games.gcg import games


def run(file: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    call_command("check_gcg", str(file), *options)
    return capsys.readouterr().out


@pytest.fixture
def german(tmp_path: Path) -> Path:
    path = tmp_path / "spiel.gcg"
    path.write_bytes(games.GERMAN.encode())
    return path


def test_json_is_one_value_with_both_lists_empty(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value: dict[str, Any] = json.loads(run(german, capsys, "--format", "json"))

    assert {key: value[key] for key in ("letters", "final", "differences", "problems", "warnings")} == {
        "letters": "de",
        "final": {"anna": 26, "jörg": 33},
        "differences": [],
        "problems": [],
        "warnings": [],
    }
    assert value["moves"][1] == {
        "line": 7,
        "nick": "jörg",
        "rack": "KÄSTEIG",
        "kind": "play",
        "position": "H4",
        "word": "KÄST.",
        "tiles": "",
        "points": {"written": 17, "worked_out": 17},
        "total": {"written": 17, "worked_out": 17},
        "words": ["KÄSTE"],
        "bingo": False,
    }


@pytest.mark.parametrize(("exchange", "tiles"), [("-HÜ", "HÜ"), ("-2", "2"), ("-", "")])
def test_json_has_the_tiles_exchanged_or_how_many(
    german: Path, capsys: pytest.CaptureFixture[str], exchange: str, tiles: str
) -> None:
    german.write_text(games.GERMAN.replace(" -HÜ +0", f" {exchange} +0"), encoding="utf-8")

    moves = json.loads(run(german, capsys, "--format", "json"))["moves"]

    assert [move["tiles"] for move in moves] == ["", "", "", "", "", "", tiles, ""]


def test_differences_are_listed_and_no_failure(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    german.write_text(games.GERMAN.replace("+16 33", "+18 35"), encoding="latin-1")

    value = json.loads(run(german, capsys, "--format", "json", "--letters", "de"))

    assert [
        (found["line"], found["what"], found["written"], found["worked_out"]) for found in value["differences"]
    ] == [
        (10, "points", 18, 16),
        (10, "total", 35, 33),
    ]
    assert [found["code"] for found in value["warnings"]] == ["wrong_encoding"]


def test_table_ends_with_the_verdict(german: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(german, capsys).splitlines()

    assert lines[1].split() == ["7", "jörg", "H4", "KÄST.", "+17", "17"]
    assert lines[-4:-2] == ["      anna  26", "      jörg  33"]
    assert not any(mark in lines[-1] for mark in "0123456789")


@pytest.mark.parametrize("content", [b"", b"\0\1", b"hello", b"#tile-set polish\n#player1 a A"])
def test_what_is_no_game_is_one_sentence(content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.gcg"
    path.write_bytes(content)

    with pytest.raises(SystemExit) as left:
        run(path, capsys, "--format", "json")

    out, err = capsys.readouterr()
    assert (left.value.code, out, len(err.splitlines())) == (1, "", 1)


def test_missing_and_huge_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    huge = tmp_path / "huge.gcg"
    with huge.open("wb") as file:
        file.truncate(100_000_000)

    for path in (huge, tmp_path / "nowhere.gcg"):
        with pytest.raises(SystemExit):
            run(path, capsys)

        assert len(capsys.readouterr().err.splitlines()) == 1


def test_every_problem_has_a_sentence() -> None:
    worded = {each for each in GcgProblemCode if each.label} | {GcgProblemCode.UNPLAYABLE, GcgProblemCode.BAD_PLAY}

    assert worded == set(GcgProblemCode)
    assert (set(BOARD_FAULT_MESSAGES), set(MISREAD_MESSAGES)) == (set(PlayFault), set(BadPlayReason))
    assert "8H" in describe_gcg_problem(GcgProblem(GcgProblemCode.WORD_MISSING, 3, {"value": "8H"}))
