"""The command `simulate` and the file that it reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests import factories
from tests.tournament.exchange.terminal import run

pytestmark = pytest.mark.django_db

PLANS: list[dict[str, Any]] = [
    {"name": "Swiss", "plan": [{"rounds": [1, 4], "method": "swiss"}]},
    {
        "name": "Hill",
        "plan": [
            {"rounds": [1, 3], "method": "swiss"},
            {"rounds": [4, 4], "method": "king_of_the_hill", "repeats": True},
        ],
    },
]
SMALL = {"players": 8, "rounds": 4, "events": 6, "seed": 1, "plans": PLANS}


def simulate(folder: Path, asked: object, *words: str) -> tuple[int, str, str]:
    file = folder / "study.json"
    file.write_text(asked if isinstance(asked, str) else json.dumps(asked), encoding="utf-8")
    return run("simulate", str(file), *words)


@pytest.mark.long
def test_prints_figures_as_the_contract_says(tmp_path: Path) -> None:
    more = {"prizes": 3, "strength_sd": 42, "seeding_noise": 27.5, "game_sd": 95, "start": 11}
    status, out, _err = simulate(tmp_path, {**SMALL, **more}, "--format", "json")
    assert status == 0
    stated = json.loads(out)
    assert [plan["name"] for plan in stated["plans"]] == ["Swiss", "Hill"]
    assert {each["figure"] for each in stated["compared"]} == set(stated["plans"][0]["figures"])
    assert simulate(tmp_path, {**SMALL, **more}, "--format", "json")[1] == out


@pytest.mark.long
def test_prints_words_and_writes_files(tmp_path: Path) -> None:
    status, out, _err = simulate(tmp_path, SMALL, "--language", "en")
    assert status == 0
    assert "The strongest player wins: " in out
    for form in ("table", "json"):
        status, nothing, _err = simulate(
            tmp_path, SMALL, "--format", form, "-o", str(tmp_path / form), "--language", "en"
        )
        assert (status, nothing) == (0, "")
    assert (tmp_path / "table").read_text("utf-8") == out
    assert json.loads((tmp_path / "json").read_text("utf-8"))["events"] == 6


@pytest.mark.long
def test_plans_go_on_to_the_last_round(tmp_path: Path) -> None:
    longer = json.loads(simulate(tmp_path, {**SMALL, "rounds": 6}, "--format", "json")[1])
    stated = [
        {**plan, "plan": [*plan["plan"][:-1], {**plan["plan"][-1], "rounds": [*plan["plan"][-1]["rounds"][:1], 6]}]}
        for plan in PLANS
    ]
    assert longer == json.loads(simulate(tmp_path, {**SMALL, "plans": stated}, "--format", "json")[1])


def test_an_event_is_the_field(tmp_path: Path) -> None:
    division = factories.event(players=6)
    asked = {name: value for name, value in SMALL.items() if name != "players"}
    status, out, _err = simulate(tmp_path, {**asked, "field": division.tournament.slug}, "--format", "json")
    assert status == 0
    assert len(json.loads(out)["plans"][0]["wins_by_true_rank"]) == 6


def test_an_event_without_players_is_none(tmp_path: Path) -> None:
    division = factories.event(players=3)
    asked = {name: value for name, value in SMALL.items() if name != "players"}
    status, _out, err = simulate(tmp_path, {**asked, "field": division.tournament.slug})
    assert (status, len(err.splitlines())) == (1, 1)


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({"players": 3}, 1),
        ({"players": 8.5}, 1),
        ({"players": None}, 1),
        ({"plans": []}, 1),
        ({"plans": [{"name": "A", "plan": []}]}, 1),
        ({"plans": [{"name": "", "plan": PLANS[0]["plan"]}]}, 1),
        ({"plans": [{"name": "A", "plan": [{"rounds": [1, 3], "method": "manual"}]}]}, 1),
        ({"plans": [{"name": "A", "plan": [{"rounds": [1, 3], "method": "what"}]}]}, 1),
        ({"plans": [{"name": "A", "plan": [{"rounds": [2, 3], "method": "swiss"}]}]}, 1),
        ({"plans": [{"name": "A", "plan": [{"rounds": [1, 99], "method": "swiss"}]}]}, 1),
        ({"plans": PLANS * 4}, 1),
        ({"strength_sd": -1, "game_sd": 1e9, "start": "x"}, 3),
        ({"strength_sd": 1000.5}, 1),
        ({"field": "nowhere"}, 1),
        ({"evnts": 5}, 1),
    ],
)
@pytest.mark.sampled(5)
def test_faults_are_told_line_by_line(tmp_path: Path, more: dict[str, Any], lines: int) -> None:
    status, out, err = simulate(tmp_path, {**SMALL, **more})
    assert (status, out, len(err.splitlines())) == (1, "", lines)


@pytest.mark.parametrize("text", ["", "[]", "{", "7"])
def test_what_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    status, out, err = simulate(tmp_path, text)
    assert (status, out, len(err.splitlines())) == (1, "", 1)


def test_of_a_field_and_players_the_field_counts(tmp_path: Path) -> None:
    division = factories.event(players=6)
    out = simulate(tmp_path, {**SMALL, "field": division.tournament.slug}, "--format", "json")[1]
    assert len(json.loads(out)["plans"][0]["wins_by_true_rank"]) == 6
