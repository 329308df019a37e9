"""`final`: the final ranking in the terminal."""

import json

import pytest

from tests import factories
from tests.tournament.exchange.terminal import run
from tournament.models import Division


@pytest.fixture
def division(db: None) -> Division:
    """Played to the end: one round, then a final of two."""
    made = factories.event(rounds=1, players=4)
    factories.played(made, (500, 300), (450, 310))
    seeded = factories.knockout(made, 2)
    factories.knockout_game(seeded, (1, 1, 1), 380, 402)
    return seeded


@pytest.mark.usefixtures("division")
def test_json_names_place_player_and_what_gave_it() -> None:
    status, out, err = run("show", "herbst-cup", "final", "--format", "json")

    assert (status, err) == (0, "")
    assert json.loads(out) == [
        {"place": 1, "player": "P02", "name": "Dvořák, Jana", "by": "champion"},
        {"place": 2, "player": "P01", "name": "Aumann, Klara", "by": "final"},
        {"place": 3, "player": "P03", "name": "Müller-Lüdenscheidt, Ann-Kathrin", "by": "table"},
        {"place": 4, "player": "P04", "name": "Öztürk, Cem", "by": "table"},
    ]


@pytest.mark.usefixtures("division")
def test_table_says_how_in_words() -> None:
    status, out, _err = run("show", "herbst-cup", "final", "--language", "en")

    assert status == 0
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "1 Dvořák, Jana Final 402 : 380 against Aumann, Klara · seed 2",
        "2 Aumann, Klara Final 380 : 402 against Dvořák, Jana · seed 1",
        "3 Müller-Lüdenscheidt, Ann-Kathrin table",
        "4 Öztürk, Cem table",
    ]


@pytest.mark.usefixtures("division")
def test_unknown_division_is_named() -> None:
    status, out, err = run("show", "herbst-cup", "final", "--division", "Z")

    assert (status, out) == (1, "")
    assert "Z" in err
