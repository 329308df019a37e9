"""The catalogue: each book of rules has its list, and what it offers follows the figures."""

from dataclasses import replace

import pytest

from games.referee import catalogue
from games.referee.kinds import Effect, IncidentKind
from scoring import rulesets

TSO = rulesets.TSO_2017


def found(key: str, ruleset: rulesets.Ruleset = TSO) -> IncidentKind:
    kind = catalogue.kind(ruleset, key)
    assert kind is not None
    return kind


@pytest.mark.parametrize("key", sorted(rulesets.RULESETS))
def test_every_book_has_a_list_without_a_key_twice(key: str) -> None:
    kinds = catalogue.kinds(rulesets.get(key))

    assert len({kind.key for kind in kinds}) == len(kinds) > 0
    assert all(kind.offered for kind in kinds)
    assert all(len(kind.clause) <= 40 and len(kind.key) <= 30 for kind in kinds)
    assert kinds[-1].key == "other"


def test_ruleset_of_another_federation_knows_something_else() -> None:
    assert [kind.key for kind in catalogue.kinds(replace(TSO, key="elsewhere", book="elsewhere"))] == ["other"]
    assert catalogue.kind(replace(TSO, key="elsewhere", book="elsewhere"), "late") is None


@pytest.mark.parametrize(
    ("key", "ruleset", "seconds", "offered"),
    [
        pytest.param("late", TSO, 900, (Effect.CLOCK, Effect.NOTE), id="TSO 2.4 c: 15:00"),
        pytest.param("late", TSO, 901, (Effect.AWARD,), id="TSO 2.4 d: 15:01"),
        pytest.param("late", TSO, None, (Effect.CLOCK, Effect.AWARD, Effect.NOTE), id="TSO 2.4: not known yet"),
        pytest.param("overtime", rulesets.TSO_2010, 600, (Effect.NOTE,), id="TSO 2010 5.2 c: 10:00"),
        pytest.param("overtime", rulesets.TSO_2010, 601, (Effect.AWARD,), id="TSO 2010 5.2 c: 10:01"),
        pytest.param("overtime", TSO, 301, (Effect.AWARD,), id="TSO 2017 5.2 c: 5:01"),
        pytest.param("clock", TSO, 5000, (Effect.NOTE, Effect.CLOCK, Effect.POINTS), id="TSO 3.1.1: no limit"),
        pytest.param("device", TSO, None, (Effect.NOTE, Effect.POINTS, Effect.AWARD, Effect.EXPELLED), id="TSO 1.5 e"),
    ],
)
def test_what_is_offered(key: str, ruleset: rulesets.Ruleset, seconds: int | None, offered: tuple[Effect, ...]) -> None:
    assert catalogue.offered(found(key, ruleset), ruleset, seconds) == offered


@pytest.mark.parametrize(
    ("key", "ruleset", "points"),
    [
        pytest.param("wrong_word", rulesets.SBNL_PUNTEN, None, id="Puntenscrabble III-12: the turn decides"),
        pytest.param("declined", rulesets.SBNL_WEDSTRIJD, 20, id="Wedstrijdscrabble III-8"),
        pytest.param("declined", rulesets.SBNL_PUNTEN, None, id="Puntenscrabble III-8: no figure"),
        pytest.param("device", TSO, None, id="TSO 1.5 e: no figure"),
    ],
)
def test_points_that_the_rules_set(key: str, ruleset: rulesets.Ruleset, points: int | None) -> None:
    assert catalogue.points(found(key, ruleset), ruleset) == points


def test_wrong_word_costs_its_turn_and_twenty_more_only_where_the_book_has_it() -> None:
    found = {key: catalogue.points_for_turn(24, ruleset) for key, ruleset in rulesets.RULESETS.items()}

    assert {key: points for key, points in found.items() if points is not None} == {"sbnl-punten": 44}


@pytest.mark.parametrize(
    ("ruleset", "own"),
    [(rulesets.SBNL_PUNTEN, {"wrong_word", "new_start"}), (rulesets.SBNL_WEDSTRIJD, {"consent"})],
)
def test_dutch_books_have_lists_of_their_own(ruleset: rulesets.Ruleset, own: set[str]) -> None:
    """Wedstrijdscrabble III-9: no control after the game, so that no word is found wrong later."""
    keys = {kind.key for kind in catalogue.kinds(ruleset)}

    assert keys & {"wrong_word", "new_start", "consent"} == own
    assert all(kind.clause.startswith(ruleset.name) for kind in catalogue.kinds(ruleset) if kind.key != "other")
