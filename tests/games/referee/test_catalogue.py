"""The catalogue: each book of rules has its list, and what it offers follows the figures."""

from dataclasses import replace

import pytest

from games.referee.catalogue import (
    IncidentEffect,
    IncidentKind,
    find_incident_kind,
    get_kind_penalty,
    list_incident_kinds,
    list_offered_effects,
)
from scoring import challenges, rulesets

TSO = rulesets.TSO_2017


def found(key: str, ruleset: rulesets.Ruleset = TSO) -> IncidentKind:
    kind = find_incident_kind(ruleset, key)
    assert kind is not None
    return kind


@pytest.mark.parametrize("key", sorted(rulesets.RULESETS))
def test_every_book_has_a_list_without_a_key_twice(key: str) -> None:
    kinds = list_incident_kinds(rulesets.get(key))

    assert len({kind.key for kind in kinds}) == len(kinds) > 0
    assert all(kind.offered for kind in kinds)
    assert all(len(kind.clause) <= 40 and len(kind.key) <= 30 for kind in kinds)
    assert kinds[-1].key == "other"


def test_ruleset_of_another_federation_knows_something_else() -> None:
    assert [kind.key for kind in list_incident_kinds(replace(TSO, key="elsewhere", book="elsewhere"))] == ["other"]
    assert find_incident_kind(replace(TSO, key="elsewhere", book="elsewhere"), "late") is None


@pytest.mark.parametrize(
    ("key", "ruleset", "seconds", "offered"),
    [
        pytest.param("late", TSO, 900, (IncidentEffect.CLOCK, IncidentEffect.NOTE), id="TSO 2.4 c: 15:00"),
        pytest.param("late", TSO, 901, (IncidentEffect.AWARD,), id="TSO 2.4 d: 15:01"),
        pytest.param(
            "late",
            TSO,
            None,
            (IncidentEffect.CLOCK, IncidentEffect.AWARD, IncidentEffect.NOTE),
            id="TSO 2.4: not known yet",
        ),
        pytest.param("overtime", rulesets.TSO_2010, 600, (IncidentEffect.NOTE,), id="TSO 2010 5.2 c: 10:00"),
        pytest.param("overtime", rulesets.TSO_2010, 601, (IncidentEffect.AWARD,), id="TSO 2010 5.2 c: 10:01"),
        pytest.param("overtime", TSO, 301, (IncidentEffect.AWARD,), id="TSO 2017 5.2 c: 5:01"),
        pytest.param(
            "clock",
            TSO,
            5000,
            (IncidentEffect.NOTE, IncidentEffect.CLOCK, IncidentEffect.POINTS),
            id="TSO 3.1.1: no limit",
        ),
        pytest.param(
            "device",
            TSO,
            None,
            (IncidentEffect.NOTE, IncidentEffect.POINTS, IncidentEffect.AWARD, IncidentEffect.EXPELLED),
            id="TSO 1.5 e",
        ),
    ],
)
def test_what_is_offered(
    key: str, ruleset: rulesets.Ruleset, seconds: int | None, offered: tuple[IncidentEffect, ...]
) -> None:
    assert list_offered_effects(found(key, ruleset), ruleset, seconds) == offered


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
    assert get_kind_penalty(found(key, ruleset), ruleset) == points


def test_wrong_word_costs_its_turn_and_twenty_more_only_where_the_book_has_it() -> None:
    found = {key: challenges.wrong_word_cost(24, ruleset) for key, ruleset in rulesets.RULESETS.items()}

    assert {key: points for key, points in found.items() if points is not None} == {"sbnl-punten": 44}


@pytest.mark.parametrize(
    ("ruleset", "own"), [(rulesets.SBNL_PUNTEN, {"wrong_word", "new_start"}), (rulesets.SBNL_WEDSTRIJD, {"consent"})]
)
def test_dutch_books_have_lists_of_their_own(ruleset: rulesets.Ruleset, own: set[str]) -> None:
    """Wedstrijdscrabble III-9: no control after the game, so that no word is found wrong later."""
    keys = {kind.key for kind in list_incident_kinds(ruleset)}

    assert keys & {"wrong_word", "new_start", "consent"} == own
    assert all(kind.clause.startswith(ruleset.name) for kind in list_incident_kinds(ruleset) if kind.key != "other")
