"""Events of every kind for a director by chance, each made by operations, with everybody who may come to it."""

import random
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from tests import factories
from tests.games.duplicate.steps import evening
from tournament.access.codes import make_access_code, make_personal_link
from tournament.entries.operations.register import Person, add_player
from tournament.events.operations import add_division, create_tournament, update_settings
from tournament.knockout.operations import announce_knockout
from tournament.knockout.plan import KnockoutPlan
from tournament.mirror.operations import set_mirror_target
from tournament.models import CODE_ROLES, Division, Entry, OnlineEntry, Season, Tournament
from tournament.pairing.values import Method
from tournament.registration.operations import set_up_online_entry
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.seasons.operations import add_season_event, make_season
from tournament.teams.operations import name_teams

DIRECTOR, HELPER, REFEREE, PLAYER, VISITOR = "director", "helper", "referee", "player", "visitor"
NOBODY = "http://127.0.0.1:9/mirror/" + 32 * "a" + "#" + 64 * "b"
"""The link of a mirror that never answers."""
ROUND_PLAYED = 0.75
"""So many of the events begin with a round played."""


def make_event(name: str, *, players: int, rounds: int = 3, divisions: str = "A", **values: Any) -> Tournament:
    """A public event with so many players in each group."""
    doris = factories.director()
    made = create_tournament(actor=doris, name=name, is_public=True, **values)
    set_plan(made.divisions.get(), segments=[PlanSegment(1, rounds, Method.SWISS)], actor=doris)
    for each in divisions[1:]:
        add_division(made, name=each, segments=[PlanSegment(1, rounds, Method.SWISS)], actor=doris)
    for division in Division.objects.filter(tournament=made).select_related("tournament").order_by("pk"):
        factories.enter(division, players)
    return made


def play_some(tournament: Tournament, chance: random.Random) -> Tournament:
    """The event, three times in four with a round played in its first group: most of what breaks an evening is a late
    entry or a withdrawal."""
    if chance.random() < ROUND_PLAYED:
        factories.played(factories.fresh(tournament.divisions.order_by("pk")[0]))
    return tournament


def make_group(chance: random.Random) -> Tournament:
    return play_some(make_event("Herbst-Cup", players=5, ruleset="tso-2017", fees=factories.FEES.stored()), chance)


def make_three_groups(chance: random.Random) -> Tournament:
    return play_some(make_event("Herbst-Cup", players=4, divisions="ABC"), chance)


def make_knockout(chance: random.Random) -> Tournament:
    made = make_event("Herbst-Cup", players=5, rounds=chance.randint(1, 2))
    size = chance.choice([2, 4])
    plan = KnockoutPlan(size, chance.choice(["single", "double"]), third_place=size > 2)
    announce_knockout(made.divisions.get(), plan=plan, actor=factories.director())
    return play_some(made, chance)


def make_teams(chance: random.Random) -> Tournament:
    made = make_event("Vereinskampf", players=6, rounds=2)
    update_settings(made, actor=factories.director(), team_rule=chance.choice(["places", "wins", "matches"]))
    division = factories.fresh(made.divisions.get())
    entries = Entry.objects.filter(division=division).in_order()
    teams = {entry.pk: "Fulda" if at % 2 else "Köln" for at, entry in enumerate(entries)}
    name_teams(division, teams=teams, actor=factories.director())
    return play_some(made, chance)


def make_duplicate(_chance: random.Random) -> Tournament:
    return evening("Clubavond", factories.director())[0].division.tournament


def make_season_event(chance: random.Random) -> Tournament:
    doris = factories.director()
    made = make_event("Herbst-Cup", players=4)
    other = make_event("Winter-Cup", players=4, rounds=1)
    season = make_season(plan=Season(name="Pokal", points=(3, 2, 1), with_running=True, is_public=True), actor=doris)
    for tournament in (made, other):
        add_season_event(season, division=factories.fresh(tournament.divisions.get()), actor=doris)
    return play_some(made, chance)


def make_online_entry(_chance: random.Random) -> Tournament:
    made = make_event("Herbst-Cup", players=3, fees=factories.FEES.stored())
    terms = OnlineEntry(is_on=True, places=5, by_director=True, is_listed=True, fee="12,50", asks_rating=True)
    set_up_online_entry(made, terms=terms, actor=factories.director())
    return made


def make_mirrored(_chance: random.Random) -> Tournament:
    made = make_event("Herbst-Cup", players=4, starts_on=timezone.localdate() + timedelta(days=1))
    set_mirror_target(made, link=NOBODY)
    return made


NAMESAKES = (
    Person("Aumann, K.", club="Bonn", rating=1500),
    Person("Dvorak, J.", club="Brno", rating=1490),
    Person("Fuchs, E.", club="Köln"),
)
"""People of the register who may be the ones that are entered."""

KINDS: Mapping[str, Callable[[random.Random], Tournament]] = {
    "group": make_group,
    "groups": make_three_groups,
    "knockout": make_knockout,
    "teams": make_teams,
    "duplicate": make_duplicate,
    "season": make_season_event,
    "online": make_online_entry,
    "mirror": make_mirrored,
}


def make_stage(kind: str, seed: int) -> tuple[dict[str, Client], dict[str, list[str]]]:
    """An event of this kind, and near-namesakes in the register: the browser of each who comes, and where it begins."""
    doris = factories.director()
    for person in NAMESAKES:
        add_player(person=person, actor=doris)
    made = KINDS[kind](random.Random(seed))
    home = f"/director/{made.slug}/"
    browsers = {name: Client(raise_request_exception=False) for name in (DIRECTOR, HELPER, REFEREE, PLAYER, VISITOR)}
    factories.sign_in(browsers[DIRECTOR], doris)
    for role in CODE_ROLES:
        _code, text = make_access_code(made, role=role, name=str(role.label), actor=doris)
        browsers[str(role.value)].post(f"/code/{text}/")
    entry = Entry.objects.filter(tournament=made).select_related("tournament").in_order()[0]
    public = ["/", f"/t/{made.slug}/"]
    starts = {DIRECTOR: ["/director/", home], HELPER: ["/director/", home], REFEREE: [home, f"{home}referee/"]}
    return browsers, {**starts, PLAYER: [f"/me/{make_personal_link(entry)}/", *public], VISITOR: public}
