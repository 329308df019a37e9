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

    pairings = league.pairings(round)
    sentence = reasons.sentence(pairings[0], league.names_in(pairings), rulesets.TSO_2017)

    assert sentence == (
        "Number 1 meets number 4 by rating, then by entry. Upper half against lower half (numbers 1 and 4 of 4). "
        "Linh Nguyễn starts by lot: level on starts."
    )


@pytest.mark.parametrize("flag", list(values.Flag))
def test_every_flag_has_a_name(flag: values.Flag) -> None:
    assert reasons.flag_name(flag).replace(" ", "").isalpha()
