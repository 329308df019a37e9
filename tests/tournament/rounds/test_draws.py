"""A draw as a whole in words."""

import pytest
from django.utils import translation

from tournament.pairing.values import DrawRule, NoteCode, Obstacle
from tournament.rounds.words import describe_draw_note, describe_obstacles


@pytest.fixture(autouse=True)
def english() -> object:
    with translation.override("en"):
        yield


@pytest.mark.parametrize("rule", list(DrawRule))
def test_every_obstacle_has_a_sentence(rule: DrawRule) -> None:
    obstacle = Obstacle(rule, keys=(1, 2), figure=3, relaxed=(2,))

    said = describe_obstacles([obstacle], {1: "Beispiel, Anna", 2: "Muster, Jörg"})

    assert said.endswith(".")
    assert "%(" not in said


@pytest.mark.parametrize("code", list(NoteCode))
def test_every_note_has_a_sentence(code: NoteCode) -> None:
    said = describe_draw_note(
        {"code": code.value, "keys": [1, 2], "figure": 4, "unless": []}, {1: "Beispiel, Anna", 2: "Muster, Jörg"}
    )

    assert ("Anna Beispiel" in said and "Jörg Muster" in said) or " 4 " in said
    assert "%(" not in said


def test_note_says_what_stands_before_its_claim() -> None:
    players = {1: "Beispiel, Anna", 2: "Muster, Jörg"}
    stored = {"code": "repeats_needed", "keys": [1, 2], "figure": 1, "unless": ["second_bye", "locked"]}

    assert describe_draw_note(stored, players) == (
        "They meet again: Anna Beispiel – Jörg Muster. There is no pairing without a repeat, unless somebody got "
        "another bye or the pairs set by the director were given up."
    )
