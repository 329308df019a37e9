"""`manage.py load_words` and `judge`."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from games.judge.store import get_or_create_words_folder
from games.models import Question, WordList
from tests.games.judge.conftest import LIST


def run(*arguments: object) -> tuple[int, str, list[str]]:
    """Run a command: exit status, what it says, and its faults by line."""
    out, err = StringIO(), StringIO()
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err)
        status = 0
    except SystemExit as end:
        status = int(end.code or 0)
    return status, out.getvalue(), err.getvalue().splitlines()


@pytest.fixture
def file(tmp_path: Path, db: None) -> Path:
    path = tmp_path / "liste.txt"
    path.write_bytes(f"{LIST}HAUS\n".encode("latin-1"))
    return path


def test_load_words_loads_and_says_what_it_found(file: Path) -> None:
    status, said, faults = run("load_words", file, "--format", "json")

    made = WordList.objects.get()
    assert (status, faults) == (0, [])
    assert json.loads(said) == {
        "title": "liste",
        "letters": "de",
        "encoding": "Latin-1",
        "count": 7,
        "sha256": made.sha256,
        "in_use": True,
        "twice": 1,
        "too_short": 0,
        "too_long": 0,
        "faulty": 0,
    }


def test_load_words_speaks_in_sentences(file: Path) -> None:
    status, said, remarks = run("load_words", file, "--title", "Turnierliste")

    assert (status, "Turnierliste" in said, len(remarks)) == (0, True, 1)


def test_load_words_names_every_faulty_line(file: Path) -> None:
    file.write_text(f"{LIST}B2B\nÉTUDE\n")

    status, said, faults = run("load_words", file, "--language", "en")

    assert (status, said, faults[1:]) == (1, "", ["line 8: “B2B”", "line 9: “ÉTUDE”"])
    assert (WordList.objects.count(), list(get_or_create_words_folder().iterdir())) == (0, [])
    assert run("load_words", file, "--leave-out")[0] == 0


def test_load_words_keeps_the_list_in_use_if_told(file: Path, word_list: WordList) -> None:
    file.write_text("OMA\n")

    run("load_words", file, "--aside")

    assert WordList.objects.get(in_use=True) == word_list


def test_load_words_without_a_file_says_so(db: None, tmp_path: Path) -> None:
    status, _said, faults = run("load_words", tmp_path / "none.txt")

    assert (status, len(faults), "none.txt" in faults[0]) == (1, 1, True)


def test_judge_tells_the_referee_each_word_and_notes_nothing(word_list: WordList) -> None:
    status, said, _faults = run("judge", "haus", "hausen")

    assert (status, said.splitlines()) == (
        0,
        ["HAUS: in the list", "HAUSEN: not in the list", "the play is withdrawn"],
    )
    assert json.loads(run("judge", "haus", "--format", "json")[1]) == {
        "stands": True,
        "words": {"HAUS": True},
        "list": "Kleine Liste",
    }
    assert not Question.objects.exists()


def test_judge_refuses_what_cannot_be_a_word(word_list: WordList) -> None:
    status, said, faults = run("judge", "h4us", "x")

    assert (status, said, len(faults)) == (1, "", 2)
