"""Rounds that are paired for the prizes, from the plan to the sentences."""

import json

import pytest
from django.utils import translation

from tests import factories
from tests.tournament.readings import LANGUAGES
from tournament.core.change import Actor
from tournament.core.words.figures import name_entries
from tournament.events.words import describe_segment
from tournament.exchange.tournament_file import read_tournament_file
from tournament.models import Division, Pairing, Prize, Round
from tournament.pairing.values import Method
from tournament.results.league_games import list_division_entries
from tournament.rounds.drafts import DrawWish, draft_round, set_pair_locked
from tournament.rounds.outlook import load_outlook
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.rounds.reason_words import describe_pairing
from tournament.rounds.why_not import answer_why_not
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture
def director() -> Actor:
    return factories.director()


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Division:
    """Eight players after the first of three rounds, the last two of which are contention."""
    division = factories.event(players=8, rounds=3)
    segments = [PlanSegment(1, 1), PlanSegment(2, 3, Method.CONTENTION)]
    set_plan(division, segments=segments, actor=factories.director())
    factories.played(factories.fresh(division), (500, 300), (480, 300), (460, 300), (440, 300))
    return division


@pytest.fixture
def cup(cup_of_module: Division, db: None) -> Division:
    return factories.fresh(cup_of_module)


def drafted(division: Division, actor: Actor) -> Round:
    made = draft_round(division, actor=actor, wish=DrawWish(seed=1))
    return Round.objects.select_related("division__tournament").get(pk=made.pk)


def contenders(round: Round) -> list[Pairing]:
    return [pairing for pairing in list_round_pairings(round) if "contender" in pairing.flags]


def codes(pairing: Pairing) -> set[str]:
    return {reason["code"] for reason in pairing.why}


def test_plan_that_names_contention_is_drawn_by_it(cup: Division, director: Actor) -> None:
    pairings = contenders(drafted(cup, director))

    assert pairings
    assert all(codes(pairing) & {"hopeful", "contender"} for pairing in pairings)
    assert not any("prize_places" in codes(pairing) for pairing in pairings)


def test_last_round_says_which_places_meet(cup: Division, director: Actor) -> None:
    factories.played(cup)

    pairings = contenders(drafted(factories.fresh(cup), director))

    assert pairings
    assert all("prize_places" in codes(pairing) for pairing in pairings)


def test_places_are_those_with_prizes(cup: Division, director: Actor) -> None:
    Prize.objects.create(division=cup, kind="place", place=1)

    places = {
        reason["place"]
        for pairing in contenders(drafted(cup, director))
        for reason in pairing.why
        if reason["code"] in ("hopeful", "contender")
    }

    assert places == {1}


def test_reasons_last_when_the_draft_is_touched(cup: Division, director: Actor) -> None:
    draft = drafted(cup, director)
    (first, *_others) = contenders(draft)
    before = codes(first)

    set_pair_locked(
        next(each for each in list_round_pairings(draft) if each.pk != first.pk), locked=True, actor=director
    )

    assert codes(Pairing.objects.get(pk=first.pk)) == before


def test_table_by_points_has_no_contenders(director: Actor) -> None:
    division = factories.event(players=6, rounds=2, basis="points")
    set_plan(division, segments=[PlanSegment(1, 1), PlanSegment(2, 2, Method.CONTENTION)], actor=director)
    factories.played(factories.fresh(division))

    assert not contenders(drafted(factories.fresh(division), director))


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_name_player_place_and_shares(cup: Division, director: Actor, language: str) -> None:
    draft = drafted(cup, director)
    names = name_entries(list_division_entries(cup))

    with translation.override(language):
        said = [describe_pairing(pairing, names, cup.tournament.rules) for pairing in contenders(draft)]

    percent = {"de": "10\N{NO-BREAK SPACE}%"}.get(language, "10%")
    assert all(percent in text and "000" in text for text in said)


@pytest.mark.parametrize(
    ("language", "last", "earlier"),
    [
        ("de", "10\xa0%", "5, 2, 1\xa0%"),
        ("en", "10%", "5, 2, 1%"),
        ("nl", "10%", "5, 2, 1%"),
    ],
)
def test_announcement_states_the_thresholds(language: str, last: str, earlier: str) -> None:
    with translation.override(language):
        announced = describe_segment(PlanSegment(12, 13, Method.CONTENTION))

    assert last in announced
    assert earlier in announced


def test_why_not_tells_of_the_prize(cup: Division, director: Actor) -> None:
    draft = drafted(cup, director)
    one, other, *_rest = list_round_pairings(draft)
    leader = next(pairing for pairing in (one, other) if "contender" in pairing.flags)
    stranger = other if leader is one else one
    assert stranger.second is not None

    comparison = answer_why_not(draft, list_round_pairings(draft), leader.first, stranger.second)

    assert comparison.differs


def test_tournament_file_may_name_contention() -> None:
    plan = [{"rounds": [1, 11], "method": "swiss"}, {"rounds": [12, 13], "method": "contention"}]
    file = {"format": "tso-tournament", "version": 1, "slug": "cup", "name": "Cup", "players": []}

    (division,) = read_tournament_file(json.dumps(file | {"divisions": [{"name": "A", "plan": plan}]})).divisions

    assert [segment.method for segment in division.plan] == [Method.SWISS, Method.CONTENTION]


@pytest.mark.long
def test_nothing_is_fixed_while_games_are_open(cup: Division) -> None:
    factories.published(cup)

    outlook = load_outlook(factories.fresh(cup))

    assert (outlook.method, outlook.is_whole, outlook.fixed) == ("contention", False, ())
    assert outlook.pairs


def test_outlook_without_open_games_is_what_is_drawn(cup: Division, director: Actor) -> None:
    outlook = load_outlook(cup)
    draft = draft_round(cup, actor=director, wish=DrawWish(seed=outlook.seed))

    drawn = {frozenset(seat.entry_id for seat in each.seats.all()) for each in list_round_pairings(draft)}

    assert drawn == {pair.keys for pair in outlook.fixed}
