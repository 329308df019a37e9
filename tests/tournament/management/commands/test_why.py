"""`manage.py why`: what it would cost to let two meet, from the terminal."""

import json

import pytest
from django.core.management import call_command

from tests import factories
from tournament.models import Division
from tournament.pairing.why_not import COMPARED_COMPONENTS
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Division:
    division = factories.event("Cup", players=6)
    draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    return division


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    call_command("why", *map(str, words))
    return capsys.readouterr().out


def at_different_tables(cup: Division) -> tuple[str, str]:
    first, second, *_ = list_round_pairings(cup.rounds.get())
    return first.first.key, second.first.key


def test_why_prints_costs_and_a_sentence(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = at_different_tables(cup)

    made = json.loads(printed(capsys, "cup", 1, one, other, "--format", "json"))
    told = printed(capsys, "cup", 1, one, other)

    assert {"paired", "held", "differs", "sentence"} <= made.keys()
    assert len(made["paired"]["cost"]) == len(made["held"]["cost"]) == len(COMPARED_COMPONENTS)
    assert made["sentence"] == told.strip()
    for each in made["differs"]:
        place = COMPARED_COMPONENTS.index(each["component"])
        assert each["by"] == made["held"]["cost"][place] - made["paired"]["cost"][place]


@pytest.mark.parametrize(("one", "other"), [("P01", "P01"), ("P01", "P99"), ("", "P01")])
@pytest.mark.sampled(1)
def test_why_exits_with_the_obstacle(one: str, other: str, cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call_command("why", "cup", "1", one, other)

    assert left.value.code == 1
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_why_of_two_who_meet_says_where(cup: Division, capsys: pytest.CaptureFixture[str]) -> None:
    table = list_round_pairings(cup.rounds.get())[0]
    assert table.second is not None

    with pytest.raises(SystemExit):
        call_command("why", "cup", "1", table.first.key, table.second.key)

    assert "1" in capsys.readouterr().err
