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
from tournament.archive.rebuilding import JournalContradiction, rebuild_event
from tournament.archive.replaying import find_journal_differences
from tournament.basics.pictures import get_upload_path, remove_upload
from tournament.core.change import take_snapshot
from tournament.core.records import list_tournament_rows
from tournament.events.operations import delete_tournament
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Tournament


@pytest.fixture
def cup(evening_cup: Tournament) -> Tournament:
    return evening_cup


@pytest.fixture
def uploads(cup: Tournament, tmp_path: Path) -> Path:
    return tmp_path / "uploads"


def said(tournament: Tournament, model: type[models.Model]) -> list[dict[str, Any]]:
    """What a table's rows say, keys and names of files aside."""
    keys = {field.attname for field in model._meta.concrete_fields if field.primary_key or field.is_relation}
    rows = [take_snapshot(row) for row in list_tournament_rows(model, tournament)]
    return [{name: value for name, value in row.items() if name not in {*keys, "name"}} for row in rows]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("model", [Scoresheet, Line, Challenge, Incident, Photo])
def test_rows_of_the_tables_come_along(cup: Tournament, model: type[models.Model]) -> None:
    copy = rebuild_event("herbst-cup", "neu", actor=factories.director()).tournament

    assert said(copy, model) == said(cup, model) != []
    assert find_journal_differences(copy) == []


def test_photos_are_files_of_their_own(cup: Tournament, uploads: Path) -> None:
    made = rebuild_event("herbst-cup", "neu", actor=factories.director())

    old, new = evening.files_of(cup), evening.files_of(made.tournament)
    assert (made.files, made.files_gone) == (2, 0)
    assert [get_upload_path(name).read_bytes() for name in new] == [get_upload_path(name).read_bytes() for name in old]
    assert sorted(path.name for path in uploads.iterdir()) == sorted({*old, *new})


def test_photos_that_are_gone_leave_no_row(cup: Tournament) -> None:
    remove_upload(evening.files_of(cup)[0])

    made = rebuild_event("herbst-cup", "neu", actor=factories.director())

    assert (made.files, made.files_gone, len(evening.files_of(made.tournament))) == (1, 1, 1)
    assert find_journal_differences(made.tournament) == []


def test_file_that_was_changed_counts_as_gone(cup: Tournament) -> None:
    get_upload_path(evening.files_of(cup)[0]).write_bytes(b"something else")

    assert rebuild_event("herbst-cup", "neu", actor=factories.director()).files_gone == 1


def test_failure_leaves_no_file_behind(cup: Tournament, uploads: Path) -> None:
    entry = cup.journal.get(verb="log_challenge")
    entry.rows[0][3]["pairing_id"] = 10**9
    cup.journal.filter(pk=entry.pk).update(rows=entry.rows)

    with pytest.raises(JournalContradiction):
        rebuild_event("herbst-cup", "neu", actor=factories.director())

    assert sorted(path.name for path in uploads.iterdir()) == sorted(evening.files_of(cup))


def test_lines_of_a_sheet_can_be_taken_back_and_folded_as_before(cup: Tournament) -> None:
    copy = rebuild_event("herbst-cup", "neu", actor=factories.director()).tournament
    sheet = Scoresheet.objects.get(pairing__round__division__tournament=copy)

    undo_journal_entry(copy.journal.get(verb="delete_line"), actor=factories.director())

    assert Line.objects.filter(scoresheet=sheet).count() == 3
    assert set(copy.journal.filter(verb="write_line").values_list("details__sheet", flat=True)) == {sheet.pk}


def test_deleted_event_comes_back_without_its_photos(cup: Tournament, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        delete_tournament(cup, typed_name="Herbst-Cup", actor=factories.director())

    status, _out, err = run("journal", "herbst-cup", "--rebuild", "herbst-cup", "--language", "en")

    assert (status, Photo.objects.count(), Line.objects.count()) == (0, 0, 2)
    assert "2 photos are missing" in err


def test_pages_of_the_event_made_anew_are_shown(cup: Tournament) -> None:
    rebuild_event("herbst-cup", "neu", actor=factories.director())
    client = Client()
    user = factories.director().user
    assert user is not None
    client.force_login(user)

    for page in ("", "journal/", "rounds/1/", "results/1/", "entries/", "referee/"):
        assert client.get(f"/director/neu/{page}").status_code == 200, page
