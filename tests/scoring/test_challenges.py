"""Challenges by the book: every ruleset's figure, word for word."""

import pytest

from scoring import challenges, rulesets
from scoring.board import RACK_SIZE
from scoring.rulesets.values import ChallengeRules, PenaltyUnit

GOOD, BAD = ("ABER", True), ("QXY", False)


@pytest.mark.parametrize(
    ("key", "words", "stands", "challenger", "player"),
    [
        pytest.param("tso-2017", [GOOD], True, 10, 0, id="TSO 3.1.4: one good word"),
        pytest.param("tso-2017", [GOOD, GOOD], True, 20, 0, id="TSO 3.1.4: ten per word"),
        pytest.param("tso-2017", [GOOD, BAD], False, 10, 0, id="TSO 3.1.4: a good word beside a bad one"),
        pytest.param("tso-2010", [BAD], False, 0, 0, id="TSO 3.1.4: withdrawn"),
        pytest.param("general-de", [GOOD, GOOD], True, 5, 0, id="general 4 h: five per challenge"),
        pytest.param("general-de", [GOOD, BAD], False, 0, 0, id="general 4 h: withdrawn"),
        pytest.param("senior-de", [GOOD], True, 10, 0, id="senior: ten per challenge"),
        pytest.param("sbnl-wedstrijd", [GOOD], True, 20, 0, id="wedstrijd III-9: failed"),
        pytest.param("sbnl-wedstrijd", [BAD, GOOD], False, 0, 20, id="wedstrijd III-9: upheld"),
    ],
)
def test_verdict(key: str, words: list[tuple[str, bool]], stands: bool, challenger: int, player: int) -> None:
    rules = rulesets.get(key).challenges
    assert rules is not None

    found = challenges.verdict(rules, words)

    assert (found.play_stands, found.challenger_loses, found.player_loses) == (stands, challenger, player)
    assert found.clause == rules.clause


def test_play_of_a_whole_rack_makes_a_word_across_each_tile_and_one_along() -> None:
    assert challenges.MAX_CHALLENGED_WORDS == 7 + 1


def test_referee_sets_the_challengers_penalty():
    rules = rulesets.TSO_2017.challenges

    found = challenges.verdict(rules, [GOOD, GOOD], 5)

    assert (found.challenger_loses, found.by_the_rules) == (5, 20)


@pytest.mark.parametrize(
    ("rules", "penalty", "words"),
    [
        pytest.param(ChallengeRules(10, PenaltyUnit.WORD), 30, 3, id="TSO 3.1.4: three words"),
        pytest.param(ChallengeRules(10, PenaltyUnit.WORD), 0, 1, id="TSO 3.1.4: one at least"),
        pytest.param(ChallengeRules(5, PenaltyUnit.CHALLENGE), 10, 1, id="general 4 h: words do not count"),
        pytest.param(ChallengeRules(0, PenaltyUnit.WORD), 10, 1, id="challenges that cost nothing"),
    ],
)
def test_good_words_that_cost_so_much(rules: ChallengeRules, penalty: int, words: int) -> None:
    assert challenges.count_good_words(rules, penalty) == words


def test_play_of_seven_tiles_makes_its_own_word_and_one_across_each() -> None:
    assert challenges.MAX_CHALLENGED_WORDS == RACK_SIZE + 1
