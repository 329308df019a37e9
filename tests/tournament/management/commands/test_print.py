"""`manage.py print`: a PDF, or every fault on a line of its own and nothing written."""

from pathlib import Path

import pytest
from django.core.management import call_command

from tests import factories
from tournament.files.print_room import DOCUMENTS
from tournament.models import Division

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    division = factories.event("Cup", players=4)
    factories.played(division)
    return division


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a refused command says on standard error, in English."""
    with pytest.raises(SystemExit) as left:
        call_command("print", *map(str, words), "--language", "en")
    assert left.value.code == 1
    return capsys.readouterr().err


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_print_writes_the_document(name: str, cup: Division, tmp_path: Path) -> None:
    call_command("print", "cup", name, "--round", "1", "-o", str(tmp_path / "out.pdf"))

    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")
    assert [path.name for path in tmp_path.iterdir()] == ["out.pdf"]


def test_print_replaces_an_older_file(cup: Division, tmp_path: Path) -> None:
    (tmp_path / "out.pdf").write_text("old")

    call_command("print", "cup", "standings", "--division", cup.name, "-o", str(tmp_path / "out.pdf"))

    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("cup", "poster"), "pairings, pairings-by-name, standings, crosstable, final, certificates"),
        (("nowhere", "standings"), "“nowhere”"),
        (("cup", "standings", "--division", "Z"), "“Z”"),
        (("cup", "standings", "--round", "9"), "no round 9"),
        (("cup", "player-cards", "--address", "192.168.178.34"), "“192.168.178.34” is not an address of a server"),
    ],
)
def test_print_refuses_what_there_is_not(
    words: tuple[str, ...], said: str, cup: Division, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out.pdf").write_text("old")

    error = refused(capsys, *words, "-o", tmp_path / "out.pdf")

    assert said in error
    assert error.count("\n") == 1
    assert (tmp_path / "out.pdf").read_text() == "old"


def test_print_refuses_a_folder_that_is_not_there(
    cup: Division, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    error = refused(capsys, "cup", "standings", "-o", tmp_path / "nowhere" / "out.pdf")

    assert "cannot be written" in error
    assert list(tmp_path.iterdir()) == []


def test_print_leaves_nothing_behind_where_a_folder_stands(
    cup: Division, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out.pdf").mkdir()

    error = refused(capsys, "cup", "standings", "-o", tmp_path / "out.pdf")

    assert "cannot be written" in error
    assert [path.name for path in tmp_path.iterdir()] == ["out.pdf"]
