"""The cast: Doris directs; her cup has two divisions, and Anna, Jörg, Linh and Żaneta have entered division A."""

import pytest

from tests import factories
from tests.stages import kept
from tournament.models import Division, Entry, Tournament
from tournament.operations import entries, tournaments
from tournament.operations.change import Actor
from tournament.operations.players import Person
from tournament.plan import presets

PEOPLE = (
    Person("Beispiel, Anna", club="SC Fulda", rating=1512, games=73),
    Person("Muster, Jörg", club="Scrabblefreunde Köln", rating=1404),
    Person("Nguyễn, Linh", rating=1633),
    Person("Kowalczyk, Żaneta", club="SC Fulda"),
)


@pytest.fixture
@kept
def doris(db: None) -> Actor:
    return factories.director()


@pytest.fixture
@kept
def cup(doris: Actor) -> Tournament:
    made = tournaments.create_tournament(actor=doris, name="Herbst-Cup", preset=presets.WEEKEND_CUP)
    tournaments.add_division(made, name="B", actor=doris)
    return made


@pytest.fixture
@kept
def division(cup: Tournament) -> Division:
    return cup.divisions.get(name="A")


@pytest.fixture
@kept
def four(division: Division, doris: Actor) -> list[Entry]:
    return [entries.enter(division, person=person, actor=doris) for person in PEOPLE]


@pytest.fixture
@kept
def other_cup(doris: Actor) -> Tournament:
    return tournaments.create_tournament(actor=doris, name="Anderer Cup")
