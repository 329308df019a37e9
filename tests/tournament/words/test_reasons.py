"""Pairings in words."""

import pytest
from django.utils import translation

from scoring import rulesets
from tournament.models import Division, Entry
from tournament.operations import drafts
from tournament.operations.change import Actor
from tournament.pairing import values
from tournament.queries import league
from tournament.words import reasons


@pytest.fixture(autouse=True)
def english() -> object:
    with translation.override("en"):
        yield


def test_sentence_of_a_drafted_pair(division: Division, four: list[Entry], doris: Actor) -> None:
    round = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=1))

    sentence = reasons.sentence(league.pairings(round)[0], round.method, rulesets.TSO_2017)

    assert sentence == "Rank 1 meets rank 4. Nguyễn, Linh starts by lot."


@pytest.mark.parametrize("flag", list(values.Flag))
def test_every_flag_has_a_name(flag: values.Flag) -> None:
    assert reasons.flag_name(flag).replace(" ", "").isalpha()


@pytest.mark.parametrize("rule", list(values.Rule))
def test_every_obstacle_has_a_sentence(rule: values.Rule) -> None:
    obstacle = values.Obstacle(rule, keys=(1, 2), figure=3, relaxed=(2,))

    said = reasons.obstacles([obstacle], {1: "Beispiel, Anna", 2: "Muster, Jörg"})

    assert said.endswith(".")
    assert "%(" not in said


@pytest.mark.parametrize("code", list(values.NoteCode))
def test_every_note_has_a_sentence(code: values.NoteCode) -> None:
    said = reasons.note({"code": code.value, "keys": [1], "figure": 4}, {1: "Beispiel, Anna"})

    assert "Beispiel, Anna" in said or " 4 " in said
    assert "%(" not in said
