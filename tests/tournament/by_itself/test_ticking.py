"""The thread of a day that runs by itself, in one process or in several."""

import threading
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests import factories
from tests.threads import at_once
from tournament.by_itself.queries import load_countdown
from tournament.by_itself.ticking import take_due_steps, tick_once
from tournament.models import Division, JournalEntry, Result


def due_division(name: str = "Herbst-Cup") -> Division:
    """Four players who have played one round of two, and a draw that is due since two seconds."""
    division = factories.event(name, players=4, rounds=2, step_seconds=60)
    factories.played(division)
    a_minute_ago = timezone.now() - timedelta(seconds=62)
    Result.objects.filter(pairing__round__division=division).update(at=a_minute_ago)
    JournalEntry.objects.filter(tournament=division.tournament).update(at=a_minute_ago)
    return division


def states(division: Division) -> list[str]:
    return list(division.rounds.order_by("number").values_list("state", flat=True))


def test_thread_does_what_is_due(transactional_db: None) -> None:
    division = due_division()

    looking = threading.Thread(target=tick_once)
    looking.start()
    looking.join()

    assert states(division) == ["published", "draft"]


def test_processes_that_look_at_once_take_one_step_once(transactional_db: None) -> None:
    division = due_division()
    now = timezone.now()

    steps = at_once(*[lambda: take_due_steps(now=now)] * 3)

    assert sorted(map(str, steps)) == ["0", "0", "1"]
    assert states(division) == ["published", "draft"]
    assert JournalEntry.objects.filter(verb="draft_round", by_name="TSO").count() == 1


def test_fault_in_one_event_leaves_the_days_of_others_alone(db: None, caplog: Any) -> None:
    faulty, sound = due_division("Herbst-Cup"), due_division("Winter-Cup")
    Division.objects.filter(pk=faulty.pk).update(plan=[{"first": "no number"}])

    steps = take_due_steps(now=timezone.now())

    assert steps == 1
    assert states(faulty) == ["published"]
    assert states(sound) == ["published", "draft"]
    assert "could not be done" in caplog.text
    assert load_countdown(factories.fresh(sound)) is not None
