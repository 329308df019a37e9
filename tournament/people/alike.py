"""Players of a register who may be one person: all of them at once, until somebody has said it of each two."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.basics.likeness import list_possible_pairs
from tournament.core.change import Actor, open_register_change
from tournament.entries.operations.register import list_two_people, note_other_people
from tournament.models import Entry, Organiser, Player, SamePerson, Tournament
from tournament.models.organiser import prefetch_players


def list_open_pairs(organiser: Organiser, *, among: Iterable[int] | None = None) -> list[tuple[Player, Player]]:
    """The players of one name, or whose names or noted spellings are alike, two by two and by name; with `among` only
    those of whom one is among these (by key). Without those who are decided to be two people, or who both play in one
    event. Six queries."""
    names: dict[int, str] = {}
    current: dict[int, int] = {}
    for pk, name, merged_into in Player.objects.filter(organiser=organiser).values_list("pk", "name", "merged_into"):
        # Spellings of merged rows count for whom they were merged into: that is where a likeness would be asked about.
        names[pk], current[pk] = name, merged_into or pk
    asked_about = set(current.values() if among is None else among)
    spellings = {pk for pk, player in current.items() if player in asked_about}
    possible = list_possible_pairs(names, None if among is None else spellings)
    # The lower key first, as decisions are stored: the difference of the two sets below relies on it.
    pairs = {tuple(sorted((current[one], current[other]))) for one, other in possible}
    keys = {pk for pair in pairs for pk in pair}
    events: dict[int, set[int]] = defaultdict(set)
    for player, tournament in Entry.objects.filter(player__in=keys).values_list("player_id", "tournament_id"):
        events[player].add(tournament)
    apart = list_two_people(keys)
    open_pairs = [
        (one, other)
        for one, other in pairs - apart
        if one != other and (one in asked_about or other in asked_about) and events[one].isdisjoint(events[other])
    ]
    players = Player.objects.with_names().prefetch_related("numbers").in_bulk(keys)
    named_pairs = [(players[one], players[other]) for one, other in open_pairs]
    return sorted(named_pairs, key=lambda pair: [(player.sort_name, player.pk) for player in pair])


def list_pairs_of_event(tournament: Tournament) -> list[tuple[Player, Player]]:
    """The same of those who play in an event: a file keeps every name as it is, so that it is asked about behind it."""
    players = Entry.objects.filter(tournament=tournament).values_list("player", flat=True)
    return list_open_pairs(tournament.organiser, among=players)


def describe_pair(one: Player, other: Player) -> str:
    """The question of two players in a sentence."""
    figures = {"one": one.called, "other": other.called}
    return _("%(one)s and %(other)s may be one person: “Who is who?” in the register asks about it.") % figures


def list_apart_decisions(organiser: Organiser) -> QuerySet[SamePerson]:
    """Who is said to be two people in the whole register, the latest first."""
    decisions = SamePerson.objects.filter(season=None, one__organiser=organiser).order_by("-pk")
    return decisions.prefetch_related(*map(prefetch_players, ("one", "other")))


def keep_two_people(one: Player, *, other: Player, actor: Actor) -> None:
    """Remember that two players of a register are two people. Nothing happens the second time."""
    about = {"names": [one.name, other.name], "is_same": False}
    with open_register_change(one.organiser, actor=actor, verb="decide_same_person", **about) as log:
        note_other_people(one, [other], log=log)
