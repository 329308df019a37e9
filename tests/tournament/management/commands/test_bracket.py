"""`manage.py bracket`: the knock-out as it stands."""

import json
from pathlib import Path

import pytest
from django.utils import translation

from tests import factories
from tests.tournament.exchange import knockouts
from tests.tournament.exchange.knockouts import make_game
from tests.tournament.exchange.terminal import run
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.event_rows import store_event_data

EXAMPLE = Path(__file__).parents[2] / "exchange" / "example.json"


@pytest.mark.django_db
def test_json_is_as_the_contract_has_it() -> None:
    run("import_tournament", str(EXAMPLE))

    status, out, err = run("show", "herbst-cup-2026", "bracket", "--division", "A", "--format", "json")

    assert (status, err) == (0, "")
    semi_final = {"part": "main", "part_round": 1, "needless": False}
    last = {"part_round": None, "needless": False}
    nobody = {"score": None, "winner": None, "decided_by": None}
    assert json.loads(out) == {
        "form": "double",
        "system": "single_elimination",
        "stages": [
            [
                {
                    "stage": 1,
                    "position": 1,
                    **semi_final,
                    "players": ["P01", "P04"],
                    "score": [800, 799],
                    "winner": "P01",
                    "decided_by": "points",
                },
                {"stage": 1, "position": 2, **semi_final, "players": ["P03", "P02"], **nobody},
            ],
            [
                {"stage": 2, "position": 1, **last, "part": "main", "players": ["P01", None], **nobody},
                {"stage": 2, "position": 2, **last, "part": "third_place", "players": ["P04", None], **nobody},
            ],
        ],
        "champion": None,
    }


@pytest.mark.django_db
def test_json_has_byes_halves_and_a_champion() -> None:
    draw, win = make_game("P2", "P3", 400, 400), make_game("P3", "P2", 401, 400)
    final = [make_game("P1", "P3", 401, 400), make_game("P3", "P1", 400, 401)]
    event = knockouts.event(("P1", "P2", "P3"), {(1, 2): [draw, win, draw], (2, 1): final}, form="best_of", best_of=3)
    store_event_data(event, actor=TERMINAL_ACTOR)

    _status, out, _err = run("show", "pokal", "bracket", "--format", "json")

    found = json.loads(out)
    bye, match = found["stages"][0]
    assert bye == {
        "stage": 1,
        "position": 1,
        "part": "main",
        "part_round": 1,
        "needless": False,
        "players": ["P1", None],
        "score": None,
        "winner": "P1",
        "decided_by": "walkover",
    }
    assert match["score"] == [1, 2]
    assert '"score": [\n     1,\n     2\n    ]' in out
    assert (found["stages"][1][0]["score"], found["champion"]) == ([2, 0], "P1")


@pytest.mark.django_db
def test_half_wins_are_numbers_with_a_half() -> None:
    games = [make_game("P1", "P2", 400, 400), make_game("P2", "P1", 401, 400)]
    store_event_data(knockouts.event(("P1", "P2"), {(1, 1): games}, form="best_of", best_of=3), actor=TERMINAL_ACTOR)

    _status, out, _err = run("show", "pokal", "bracket", "--format", "json")

    assert json.loads(out)["stages"][0][0]["score"] == [0.5, 1.5]


@pytest.mark.django_db
def test_table_shows_stages_players_and_the_winner() -> None:
    matches = {(1, 2): [make_game("P2", "P3", 400, 401)], (2, 1): [make_game("P1", "P3", 388, 431)]}
    store_event_data(knockouts.event(("P1", "P2", "P3"), matches), actor=TERMINAL_ACTOR)

    with translation.override("en"):
        status, out, err = run("show", "pokal", "bracket")

    assert (status, err) == (0, "")
    assert [line.rstrip() for line in out.splitlines()] == [
        "Semi-finals",
        "                Spieler P1 (1) – bye",
        "  Semi-final 2  Spieler P2 (2) 400 – Spieler P3 (3) * 401",
        "Final",
        "  Final         Spieler P1 (1) 388 – Spieler P3 (3) * 431",
        "Winner of the knock-out: Spieler P3",
    ]


@pytest.mark.django_db
def test_division_without_a_knockout_is_refused_in_one_line() -> None:
    factories.event()

    status, out, err = run("show", "herbst-cup", "bracket", "--format", "json", "--language", "en")

    assert (status, out) == (1, "")
    assert err.splitlines() == ["Division A has no knock-out."]


@pytest.mark.django_db
@pytest.mark.parametrize("words", [["nirgends"], ["herbst-cup", "--division", "Z"]])
def test_unknown_event_or_division_is_refused(words: list[str]) -> None:
    factories.event()

    status, out, err = run("bracket", *words)

    assert (status, out, len(err.splitlines())) == (1, "", 1)
