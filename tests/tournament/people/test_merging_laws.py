"""Journals hold after any merges and partings of players."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from tests.laws import seeds
from tournament.archive.replaying import find_journal_differences, find_register_differences
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import (
    Person,
    add_player,
    edit_player,
)
from tournament.events.operations import create_tournament
from tournament.journal.undoing import undo_journal_entry
from tournament.models import JournalEntry, Player, Tournament
from tournament.people.merging import (
    MERGED_FIELDS,
    BothEntered,
    merge_players,
    part_players,
)
from tournament.people.profile import set_profile_hidden

NAMES = ("Müller, Hans", "Mueller, Hans", "Müller, H.", "Muller, Johannes", "Meier, Eva")
CLUBS = ("", "Bonn", "Ulm")


def merge_by_chance(chance: Random, doris: Actor) -> None:
    """Merge, part, edit, hide, rename, enter or withdraw whom chance picks; what is refused changes nothing."""
    everybody = list(Player.objects.order_by("pk"))
    one, two = chance.sample(everybody, 2)
    event = chance.choice(list(Tournament.objects.order_by("pk")))
    person = Person(
        chance.choice(NAMES), chance.choice(CLUBS), chance.choice((None, 1500, 1600)), chance.choice((None, 30))
    )
    acts: list[Callable[[], object]] = [
        lambda: merge_players(one, other=two, taken=chance.sample(MERGED_FIELDS, chance.randrange(4)), actor=doris),
        lambda: merge_players(one, other=two, taken=["name", "club", "rating"], actor=doris),
        lambda: merge_players(one, other=two, taken=["name"], actor=doris),
        lambda: part_players(
            chance.choice([each for each in everybody if each.merged_into_id] or everybody), actor=doris
        ),
        lambda: edit_player(one, person=person, actor=doris, anyway=True),
        lambda: set_profile_hidden(one, hidden=chance.random() < 0.5, actor=doris),
        lambda: enter_player(event.divisions.get(), person=person, actor=doris, anyway=True),
        lambda: undo_journal_entry(event.journal.latest("number"), actor=doris),
    ]
    with suppress(Refusal):
        chance.choice(acts)()


@pytest.mark.parametrize(
    ("seed", "acts"), [(0, 4), *(pytest.param(seed, 10, marks=pytest.mark.long) for seed in seeds(15))]
)
def test_journals_hold_after_any_merges_and_partings(seed: int, acts: int, doris: Actor) -> None:
    chance = Random(seed)
    cups = [create_tournament(actor=doris, name=f"Cup {number}") for number in range(3)]
    for name, club in zip(NAMES, ("", "Bonn", "", "Ulm", ""), strict=True):
        player = add_player(person=Person(name, club), actor=doris, anyway=True)
        enter_player(chance.choice(cups).divisions.get(), person=Person(player.name, club), actor=doris)
    one, other = chance.sample(list(Player.objects.order_by("pk")), 2)
    with suppress(BothEntered):
        merge_players(one, other=other, taken=["name", "club"], actor=doris)
    for _act in range(acts):
        merge_by_chance(chance, doris)
        faults = [*find_register_differences(), *(fault for cup in cups for fault in find_journal_differences(cup))]
        assert faults == [], JournalEntry.objects.latest("pk").verb
