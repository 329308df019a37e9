"""What happens at a table comes along when an event is made anew: sheets, the referee's log, photos that are there."""

from pathlib import Path
from typing import Any

import pytest
from django.db import models
from django.test import Client

from games.models import Challenge, Incident, Line, Photo, Scoresheet
from tests import factories
from tests.games import evening
from tests.tournament.exchange.terminal import run
from tournament import journal, records
from tournament.exchange.archive import rebuilding
from tournament.models import Tournament
from tournament.operations import change, tournaments, undo
from tournament.pictures import files as picture_files


@pytest.fixture
def uploads(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def cup(db: None, uploads: Path) -> Tournament:
    return evening.cup()


def said(tournament: Tournament, model: type[models.Model]) -> list[dict[str, Any]]:
    """What a table's rows say, keys and names of files aside."""
    keys = {field.attname for field in model._meta.concrete_fields if field.primary_key or field.is_relation}
    rows = [change.snapshot(row) for row in records.rows_of(model, tournament)]
    return [{name: value for name, value in row.items() if name not in {*keys, "name"}} for row in rows]


@pytest.mark.parametrize("model", [Scoresheet, Line, Challenge, Incident, Photo])
def test_rows_of_the_tables_come_along(cup: Tournament, model: type[models.Model]) -> None:
    copy = rebuilding.rebuild("herbst-cup", "neu", actor=factories.director()).tournament

    assert said(copy, model) == said(cup, model) != []
    assert journal.replay(copy) == []


def test_photos_are_files_of_their_own(cup: Tournament, uploads: Path) -> None:
    made = rebuilding.rebuild("herbst-cup", "neu", actor=factories.director())

    old, new = evening.files_of(cup), evening.files_of(made.tournament)
    assert (made.files, made.files_gone) == (2, 0)
    assert [picture_files.path(name).read_bytes() for name in new] == [
        picture_files.path(name).read_bytes() for name in old
    ]
    assert sorted(path.name for path in uploads.iterdir()) == sorted({*old, *new})


def test_photos_that_are_gone_leave_no_row(cup: Tournament) -> None:
    picture_files.remove(evening.files_of(cup)[0])

    made = rebuilding.rebuild("herbst-cup", "neu", actor=factories.director())

    assert (made.files, made.files_gone, len(evening.files_of(made.tournament))) == (1, 1, 1)
    assert journal.replay(made.tournament) == []


def test_file_that_was_changed_counts_as_gone(cup: Tournament) -> None:
    picture_files.path(evening.files_of(cup)[0]).write_bytes(b"something else")

    assert rebuilding.rebuild("herbst-cup", "neu", actor=factories.director()).files_gone == 1


def test_failure_leaves_no_file_behind(cup: Tournament, uploads: Path) -> None:
    entry = cup.journal.get(verb="log_challenge")
    entry.rows[0][3]["pairing_id"] = 10**9
    cup.journal.filter(pk=entry.pk).update(rows=entry.rows)

    with pytest.raises(rebuilding.Contradiction):
        rebuilding.rebuild("herbst-cup", "neu", actor=factories.director())

    assert sorted(path.name for path in uploads.iterdir()) == sorted(evening.files_of(cup))


def test_lines_of_a_sheet_can_be_taken_back_and_folded_as_before(cup: Tournament) -> None:
    copy = rebuilding.rebuild("herbst-cup", "neu", actor=factories.director()).tournament
    sheet = Scoresheet.objects.get(pairing__round__division__tournament=copy)

    undo.undo(copy.journal.get(verb="delete_line"), actor=factories.director())

    assert Line.objects.filter(scoresheet=sheet).count() == 3
    assert set(copy.journal.filter(verb="write_line").values_list("details__sheet", flat=True)) == {sheet.pk}


def test_deleted_event_comes_back_without_its_photos(cup: Tournament, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        tournaments.delete_tournament(cup, typed_name="Herbst-Cup", actor=factories.director())

    status, _out, err = run("journal", "herbst-cup", "--rebuild", "herbst-cup", "--language", "en")

    assert (status, Photo.objects.count(), Line.objects.count()) == (0, 0, 2)
    assert "2 photos are missing" in err


def test_pages_of_the_event_made_anew_are_shown(cup: Tournament) -> None:
    rebuilding.rebuild("herbst-cup", "neu", actor=factories.director())
    client = Client()
    user = factories.director().user
    assert user is not None
    client.force_login(user)

    for page in ("", "journal/", "rounds/1/", "results/1/", "entries/", "referee/"):
        assert client.get(f"/director/neu/{page}").status_code == 200, page
