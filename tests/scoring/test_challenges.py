"""Challenges by the book: every ruleset's figure, word for word."""

import pytest

from scoring import challenges, rulesets

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
