"""Knock-outs that contradict the rules: each fault is named at its path, and what follows from it is not."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from scoring import knockout
from tests.scoring.stories import Story
from tests.tournament.exchange import knockouts
from tests.tournament.exchange.knockouts import make_game
from tournament.exchange.bracket_input import make_bracket_input, rank_before_knockout
from tournament.exchange.faults import FileFaults

FOUR = ("P1", "P2", "P3", "P4")
SEMI_FINALS = {(1, 1): [make_game("P1", "P4", 401, 400)], (1, 2): [make_game("P2", "P3", 401, 400)]}
BYE = {"first": "P1", "second": "P4", "outcome": "bye"}


def told(value: dict[str, Any]) -> list[tuple[str, str]]:
    """Path, within the knock-out, and code of every fault."""
    try:
        knockouts.read(value)
    except FileFaults as found:
        return [
            (fault.place.path.removeprefix("divisions[0].knockout."), fault.code.name.lower()) for fault in found.faults
        ]
    return []


def best_of_three(*games: dict[str, Any], **rules: Any) -> dict[str, Any]:
    return knockouts.file(("P1", "P2"), {(1, 1): list(games)}, form="best_of", best_of=3, **rules)


WON = make_game("P1", "P2", 401, 400)
LEVEL = make_game("P1", "P2", 400, 400)

CASES = {
    "nothing": (knockouts.file(FOUR, {**SEMI_FINALS, (2, 1): [make_game("P2", "P1", 1, 0)]}), []),
    "of others": (
        knockouts.file(FOUR, {**SEMI_FINALS, (2, 1): [make_game("P4", "P2", 1, 0)]}),
        [("matches[2].games[0].first", "other_opponent")],
    ),
    "before the players are known": (
        knockouts.file(FOUR, {(1, 1): SEMI_FINALS[1, 1], (2, 1): [make_game("P1", "P2", 1, 0)] * 2}, form="double"),
        [("matches[1]", "match_not_ready")],
    ),
    "before the lot": (
        knockouts.file(
            FOUR, {**SEMI_FINALS, (1, 1): [make_game("P1", "P4", 400, 400)], (2, 1): [make_game("P1", "P2", 1, 0)]}
        ),
        [("matches[2]", "match_not_ready")],
    ),
    "of a bye": (
        knockouts.file(("P1", "P2", "P3"), {(1, 1): [make_game("P1", "P2", 1, 0)]}),
        [("matches[0]", "match_walkover")],
    ),
    "a second of one": (
        knockouts.file(("P1", "P2"), {(1, 1): [WON, WON]}),
        [("matches[0].games[1]", "too_many_games")],
    ),
    "after 2:0": (best_of_three(WON, WON, WON), [("matches[0].games[2]", "after_decision")]),
    "open after 2:0": (best_of_three(WON, WON, {"first": "P1", "second": "P2"}), []),
    "a decider where none is needed": (
        knockouts.file(("P1", "P2"), {(1, 1): [WON, LEVEL]}, criteria=["decider_game"]),
        [("matches[0].games[1]", "after_decision")],
    ),
    "a decider where one is needed": (
        knockouts.file(("P1", "P2"), {(1, 1): [LEVEL, WON]}, criteria=["decider_game"]),
        [],
    ),
    "a bye, and what follows from it": (
        knockouts.file(FOUR, {**SEMI_FINALS, (1, 1): [BYE], (2, 1): [make_game("P1", "P2", 1, 0)]}),
        [("matches[0].games[0].outcome", "needs_opponent")],
    ),
    "others, and what follows from it": (
        knockouts.file(
            FOUR, {**SEMI_FINALS, (1, 1): [make_game("P1", "P3", 1, 0)], (2, 1): [make_game("P1", "P2", 1, 0)]}
        ),
        [("matches[0].games[0].second", "other_opponent")],
    ),
    "half a score, and a fault elsewhere": (
        knockouts.file(
            FOUR,
            {(1, 1): [{**make_game("P1", "P4", 1, 0), "second_points": None}], (1, 2): [make_game("P2", "P1", 1, 0)]},
        ),
        [("matches[0].games[0]", "needs_points"), ("matches[1].games[0].second", "other_opponent")],
    ),
    "against oneself": (
        knockouts.file(("P1", "P2"), {(1, 1): [make_game("P1", "P1", 1, 0)]}),
        [("matches[0].games[0].second", "against_oneself")],
    ),
    "no such matches": (
        knockouts.file(("P1", "P2"), {(1, 2): [], (2, 1): []}, lots=[{"stage": 1, "position": 3, "winner": "P1"}]),
        [("matches[0]", "no_such_match"), ("matches[1]", "no_such_match"), ("lots[0]", "no_such_match")],
    ),
    "no match for third place": (
        knockouts.file(FOUR, {**SEMI_FINALS, (2, 2): [make_game("P3", "P4", 1, 0)]}),
        [("matches[2]", "no_such_match")],
    ),
    "a match for third place": (
        knockouts.file(FOUR, {**SEMI_FINALS, (2, 2): [make_game("P3", "P4", 1, 0)]}, third_place=True),
        [],
    ),
    "a lot of others": (
        knockouts.file(FOUR, {}, lots=[{"stage": 1, "position": 1, "winner": "P2"}]),
        [("lots[0].winner", "other_opponent")],
    ),
    "a lot too early": (
        knockouts.file(FOUR, {}, lots=[{"stage": 2, "position": 1, "winner": "P1"}]),
        [("lots[0]", "match_not_ready")],
    ),
    "a lot that is not needed": (
        knockouts.file(FOUR, SEMI_FINALS, lots=[{"stage": 1, "position": 1, "winner": "P4"}]),
        [],
    ),
    "two lots": (
        knockouts.file(("P1", "P2"), {}, lots=[{"stage": 1, "position": 1, "winner": "P1"}] * 2),
        [("lots[1]", "twice")],
    ),
    "a stranger's lot": (
        knockouts.file(("P1", "P2"), {}, lots=[{"stage": 1, "position": 1, "winner": "P9"}]),
        [("lots[0].winner", "not_seeded")],
    ),
    "seeds that are wrong hide what is played": (
        knockouts.file(("P1", "P1"), {(1, 1): [make_game("P1", "P2", 1, 0)]}),
        [("seeds[1]", "twice"), ("matches[0].games[0].second", "not_seeded")],
    ),
    "N too high": (knockouts.file(("P1", "P2"), {}, form="best_of", best_of=99), [("best_of", "out_of_range")]),
}


@pytest.mark.parametrize(("value", "expected"), CASES.values(), ids=CASES.keys())
def test_knockout_that_contradicts_the_rules_is_told(value: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert sorted(told(value)) == sorted(expected)


def test_match_that_stands_twice_is_told_and_nothing_else() -> None:
    value = knockouts.file(("P1", "P2"), {(1, 1): [WON]})
    value["divisions"][0]["knockout"]["matches"] *= 2

    assert told(value) == [("matches[1]", "twice")]


def test_games_before_the_seeds_are_told_once() -> None:
    value = knockouts.file(("P1", "P2"), {(1, 1): [WON]})
    value["divisions"][0]["knockout"]["seeds"] = []

    assert {code for _path, code in told(value)} == {"not_seeded"}


def test_messages_quote_what_stands_there() -> None:
    value = knockouts.file(FOUR, {**SEMI_FINALS, (2, 1): [make_game("P4", "P2", 1, 0)]})

    with pytest.raises(FileFaults) as found:
        knockouts.read(value)

    assert all(f"“{key}”" in str(found.value) or f"„{key}“" in str(found.value) for key in ("P4", "P1", "P2"))


def _spoilt(block: dict[str, Any], chance: random.Random) -> None:
    """Change one thing about a knock-out."""
    match = chance.choice(block["matches"] or [{"stage": 1, "position": 1, "games": []}])
    game = chance.choice(match["games"] or [{}])
    anybody = [*block["seeds"], "P0"]
    changes: list[Callable[[], object]] = [
        lambda: match.update(stage=match["stage"] + 1),
        lambda: match.update(position=match["position"] + 1),
        lambda: match["games"].append(dict(game)) if game else None,
        match["games"].clear,
        lambda: game.update(first=chance.choice(anybody)) if game else None,
        lambda: game.update(outcome=chance.choice(["bye", "open", "both_forfeit"])) if game else None,
        lambda: block["lots"].append({"stage": 1, "position": 1, "winner": chance.choice(anybody)}),
        lambda: block.update(third_place=not block["third_place"]),
        block["seeds"].reverse,
    ]
    chance.choice(changes)()


SEEN = {"other_opponent", "match_not_ready", "match_walkover", "no_such_match", "too_many_games"}


@pytest.mark.parametrize(("stories", "codes"), [(12, set()), pytest.param(200, SEEN, marks=pytest.mark.long)])
def test_spoilt_knockout_is_refused_or_stands_by_the_rules(stories: int, codes: set[str]) -> None:
    seen: set[str] = set()
    for number in range(stories):
        value = knockouts.of_story(Story(number))
        _spoilt(value["divisions"][0]["knockout"], random.Random(number))
        faults = told(value)
        seen.update(code for _path, code in faults)
        if not faults:
            event = knockouts.read(value)
            division = event.divisions[0]
            assert division.knockout is not None
            places = rank_before_knockout(event, division)
            assert knockout.fit_bracket(*make_bracket_input(division.knockout, event.awards, places))[1] == (), number

    assert seen >= codes
