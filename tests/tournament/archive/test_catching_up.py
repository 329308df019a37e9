"""What was entered since a backup is done again, or left out and counted."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Max

from tests import factories
from tournament.archive.replaying import find_journal_differences, replay_noted_entries
from tournament.core.change import Actor, take_snapshot
from tournament.entries.operations.entries import remove_entry
from tournament.events.operations import delete_tournament
from tournament.models import Division, JournalEntry, Result, Tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="notes are of SQLite, whose keys have no gaps"),
]


@pytest.fixture
def cup(doris: Actor) -> Division:
    return factories.event(by=doris)


def lost(act: Callable[[], Any]) -> list[dict[str, Any]]:
    """What is noted of what somebody does, after which the database is as it was before."""
    last = JournalEntry.objects.aggregate(last=Max("pk"))["last"]
    with transaction.atomic():
        act()
        noted = [take_snapshot(entry) for entry in JournalEntry.objects.filter(pk__gt=last).order_by("pk")]
        transaction.set_rollback(True)
    return noted


def test_round_with_its_results_comes_back(cup: Division) -> None:
    noted = lost(lambda: factories.played(cup, (400, 300), (350, 351)))
    before = Result.objects.count()
    faults = find_journal_differences(cup.tournament)  # the factory plans past the journal

    left_out = replay_noted_entries(noted).left_out

    made = Tournament.objects.get(pk=cup.tournament_id)
    assert (before, Result.objects.count(), left_out) == (0, 2, 0)
    assert made.revision == noted[-1]["number"]
    assert find_journal_differences(made) == faults


def test_what_is_there_already_is_not_done_twice(cup: Division) -> None:
    noted = lost(lambda: factories.played(cup, (400, 300), (350, 351)))
    replay_noted_entries(noted)

    assert replay_noted_entries(noted).left_out == 0
    assert Result.objects.count() == 2


def test_new_tournament_comes_back(cup: Division, doris: Actor) -> None:
    noted = lost(lambda: factories.played(factories.event("Frühlings-Cup", by=doris), (400, 300), (350, 351)))

    assert replay_noted_entries(noted).left_out == 0
    assert Result.objects.filter(pairing__round__division__tournament__name="Frühlings-Cup").count() == 2


def test_gap_ends_its_tournament_and_no_other(cup: Division, doris: Actor) -> None:
    other = factories.event("Frühlings-Cup", by=doris)

    def act() -> None:
        factories.played(cup, (400, 300), (350, 351))
        factories.played(other, (410, 310), (360, 361))

    noted = lost(act)
    _drawn, published, *after = [row for row in noted if row["tournament_id"] == cup.tournament_id]

    assert replay_noted_entries([row for row in noted if row is not published]).left_out == len(after)
    assert set(Result.objects.values_list("pairing__round__division", flat=True)) == {other.pk}


def test_entry_of_another_state_is_left_out(cup: Division, doris: Actor) -> None:
    first = cup.entries.order_by("pk")[0]
    noted = lost(lambda: remove_entry(first, actor=doris))
    noted[-1]["rows"][0][2]["player_id"] = 0  # as the entry found the row, it is not

    assert replay_noted_entries(noted).left_out == 1
    assert cup.entries.filter(pk=first.pk).exists()
    assert Tournament.objects.get(pk=cup.tournament_id).revision == noted[-1]["number"] - 1


def test_deleted_tournament_is_deleted_again_and_its_journal_stays(cup: Division, doris: Actor) -> None:
    lines = JournalEntry.objects.count()
    noted = lost(lambda: delete_tournament(cup.tournament, actor=doris, typed_name="Herbst-Cup"))

    assert replay_noted_entries(noted).left_out == 0
    assert not Tournament.objects.exists()
    assert JournalEntry.objects.count() == lines + 1


@pytest.mark.parametrize("damage", [{"rows": None}, {"rows": [["spaceship", 1, None, {}]]}, {"number": "x"}])
@pytest.mark.sampled(1)
def test_broken_notes_stop_nothing(cup: Division, damage: dict[str, Any]) -> None:
    noted = lost(lambda: factories.played(cup, (400, 300), (350, 351)))
    noted[0] |= damage

    assert replay_noted_entries(noted).left_out == len(noted)
    assert Result.objects.count() == 0
