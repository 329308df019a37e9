"""`chances`: who can still end where, in the terminal. The figures are those of the worked cases."""

import json
from pathlib import Path

import pytest

from tests.tournament.exchange.terminal import run

pytestmark = pytest.mark.django_db

CASE = Path(__file__).parents[3] / "scoring" / "chances" / "case-3.json"


def test_json_has_bounds_needs_and_shares(tmp_path: Path) -> None:
    case = json.loads(CASE.read_text(encoding="utf-8"))
    (tmp_path / "event.json").write_text(json.dumps(case["event"]), encoding="utf-8")
    _status, out, _err = run("import_tournament", str(tmp_path / "event.json"), "--format", "json")

    status, out, err = run(
        "show", json.loads(out)["slug"], "chances", "--runs", "400", "--seed", "3", "--format", "json"
    )

    told = json.loads(out)
    assert (status, err) == (0, "")
    assert {name: told[name] for name in told if name != "players"} == {
        "after": 2,
        "rounds_left": 0,
        "open_games": 3,
        "places": [1, 2, 3],
        "runs": 400,
        "seed": 3,
        "strength": "even",
    }
    for row in told["players"]:
        want = case["want"][row["player"]]
        assert {name: row[name] for name in want} == want
        assert row["exact"]
        for place, share in row["reach"].items():
            assert 0 <= share <= 1
            assert share == 0 or row["best"] <= int(place)
            assert share == 1 or row["worst"] > int(place)


def test_table_says_what_it_takes(tmp_path: Path) -> None:
    case = json.loads(CASE.read_text(encoding="utf-8"))
    (tmp_path / "event.json").write_text(json.dumps(case["event"]), encoding="utf-8")
    run("import_tournament", str(tmp_path / "event.json"))

    status, out, _err = run(
        "show", case["event"]["slug"], "chances", "--strength", "rating", "--runs", "0", "--language", "en"
    )

    assert status == 0
    needs = "Place 1 takes a win by at least 48 points. Place 2 takes at least a draw."
    assert f"Müßig, P05: {needs} 1 win is enough for place 3, whatever the others do." in out
