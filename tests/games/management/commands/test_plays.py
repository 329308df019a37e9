"""`manage.py plays`: every play as one value or a table; faults are sentences and status 1."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

WORDS = "# a list\nAB\nABER\nRABE\nÄB\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "words.txt").write_text(WORDS, encoding="utf-8")
    (tmp_path / "board.txt").write_text(("." * 15 + "\n") * 15, encoding="utf-8")
    return ["--words", str(tmp_path / "words.txt"), "--board", str(tmp_path / "board.txt"), "--letters", "de"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    call_command("plays", *words)
    return capsys.readouterr().out


def test_json_has_count_and_best_of_all_and_the_best_plays(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    value: dict[str, Any] = json.loads(run(capsys, *files, "--rack", "AB?", "--top", "1", "--format", "json"))

    assert (value["count"], value["best"], len(value["plays"])) == (16, 8, 1)
    assert value["plays"][0] == {"position": "8G", "word": "AB", "points": 8, "tiles": [["G8", "A"], ["H8", "B"]]}


def test_table(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, *files, "--rack", "ab", "--top", "2").splitlines()

    assert printed == ["    8  8G   AB", "    8  8H   AB", "4 Züge, der beste für 8 Punkte"]


def test_nothing_is_said_to_be_nothing(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, *files, "--rack", "XYZ") == "Die Liste lässt keinen Zug zu.\n"


@pytest.mark.parametrize(
    ("words", "said"), [(["--rack", "ABCDEFGH"], "„ABCDEFGH“"), (["--rack", "A", "--board", __file__], "des Bretts")]
)
def test_faults(files: list[str], capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    with pytest.raises(SystemExit):
        call_command("plays", *files, *(["--rack", "A"] if "--rack" not in words else []), *words)

    assert said in capsys.readouterr().err
