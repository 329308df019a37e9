"""The Herbst-Cup with its four players, made once for the tests of a module: all of them see it so."""

import pytest

from tests import factories
from tests.tournament.conftest import PEOPLE
from tournament.core.change import Actor
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.events.operations import add_division, create_tournament
from tournament.events.presets import PRESETS
from tournament.models import Division, Entry, Tournament
from tournament.models.event import list_named_entries


def make_cup_of_four(doris: Actor) -> Tournament:
    cup = create_tournament(actor=doris, name="Herbst-Cup", preset=PRESETS["weekend_cup"])
    division = cup.divisions.get(name="A")
    add_division(cup, name="B", actor=doris)
    enter_players(cup, newcomers=[NewEntry(person, division) for person in PEOPLE], actor=doris)
    return cup


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament | None:
    return make_cup_of_four(factories.director()) if shares_rows else None


@pytest.fixture
def cup(cup_of_module: Tournament | None, doris: Actor) -> Tournament:
    if cup_of_module is None:
        return make_cup_of_four(doris)
    return Tournament.objects.select_related("organiser").get(pk=cup_of_module.pk)


@pytest.fixture
def four(division: Division) -> list[Entry]:
    return list(list_named_entries().filter(division=division).in_order())
