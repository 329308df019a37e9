"""Seasons to test with: events of a few players, counted together."""

from datetime import date
from typing import Any

from tests import factories
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.models import Division, SamePerson, Season, SeasonEvent
from tournament.seasons.operations import add_season_event, choose_season_events, make_season

ANNA, BERT, CORA, DORA = "Beispiel, Anna", "Muster, Bert", "Probe, Cora", "Test, Dora"


def event(name: str, *players: str, over: bool = True, starts_on: date | None = None) -> Division:
    """An event of one round in which each of these beats the one named after, by ever fewer points."""
    division = factories.event(name, players=0, rounds=1, starts_on=starts_on)
    people = [Person(player) for player in players]
    decided = factories.tell_apart(division.tournament, people)
    newcomers = [NewEntry(person, division) for person in people]
    enter_players(division.tournament, newcomers=newcomers, decided=decided, actor=factories.director())
    SamePerson.objects.filter(season=None).delete()  # as if the names had come with a file: nobody was asked
    field = factories.enter(division, 0)
    pairs = list(zip(field[::2], [*field[1::2], None], strict=False))
    factories.evening(division, pairs, [(500 - 10 * table, 400) for table in range(len(pairs))])
    if over:
        end_tournament(division.tournament, accept_open=True, actor=factories.director())
    return factories.fresh(division)


def season(*events: Division, name: str = "Vereinspokal", **stated: Any) -> Season:
    """A public season of these events, 20, 17, 15 and 13 points for the places unless stated otherwise."""
    plan = Season(**{"name": name, "points": (20, 17, 15, 13), "is_public": True, **stated})
    made = make_season(plan=plan, actor=factories.director())
    for each in events:
        add_season_event(made, division=each, actor=factories.director())
    return Season.objects.select_related("organiser").get(pk=made.pk)


def uncount(counted: SeasonEvent) -> None:
    """Take an event out of its season."""
    others = counted.season.events.exclude(pk=counted.pk).select_related("division__tournament")
    chosen = {event.division: event.direct for event in others}
    choose_season_events(counted.season, chosen=chosen, actor=factories.director())
