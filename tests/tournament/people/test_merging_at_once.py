"""Two who merge players, or merge and enter them, in the same moment."""

import pytest

from tests import factories
from tests.threads import at_once
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person, add_player
from tournament.models import Entry, JournalEntry, Player
from tournament.people.merging import merge_players

pytestmark = pytest.mark.django_db(transaction=True)


def test_nobody_is_entered_as_a_player_who_was_merged() -> None:
    doris = factories.director()
    division = factories.event(players=0, by=doris)
    kept, other = (add_player(person=Person(name), actor=doris, anyway=True) for name in ("Aal, Udo", "Ahl, Udo"))

    answers = at_once(
        lambda: merge_players(kept, other=other, actor=doris),
        lambda: enter_player(division, person=Person("Ahl, Udo"), actor=doris),
    )

    assert sorted(type(answer).__name__ for answer in answers) == ["Entry", "Player"]
    assert Entry.objects.get().player_id == kept.pk


def test_two_who_merge_both_ways_merge_once() -> None:
    doris = factories.director()
    one, other = (add_player(person=Person(name), actor=doris, anyway=True) for name in ("Aal, Udo", "Ahl, Udo"))

    answers = at_once(
        lambda: merge_players(one, other=other, actor=doris), lambda: merge_players(other, other=one, actor=doris)
    )

    assert sorted(getattr(answer, "code", "merged") for answer in answers) == ["merged", "not_two_players"]
    assert Player.objects.current().count() == 1
    assert JournalEntry.objects.filter(verb="merge_players").count() == 1
