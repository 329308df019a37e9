"""Outside truth: worked cases of a second program, and real tournaments with their published tables."""

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest

from scoring import standings
from tests.tournament.exchange import examples
from tests.tournament.exchange.terminal import run
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import EventData
from tournament.tsh.reading import read_tsh_event

CASES = sorted((Path(__file__).parents[2] / "scoring" / "cases").glob("*.json"))
TOURNAMENTS = sorted((examples.DATA / "tournaments").glob("*")) if examples.DATA.is_dir() else []
KEYS = ("rank", "player", "wins", "spread", "points", "games", "highest_game", "decided_by")

needs_tournaments = pytest.mark.skipif(not TOURNAMENTS, reason=f"no real tournaments in {examples.DATA}")


@pytest.mark.sampled(6)
@pytest.mark.django_db
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_worked_case_gives_its_table(path: Path, tmp_path: Path) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    file = tmp_path / "case.json"
    file.write_text(json.dumps(case["event"]), encoding="utf-8")

    run("import_tournament", str(file))
    rows = json.loads(run("standings", case["event"]["slug"], "--format", "json")[1])

    shared = [key for key in KEYS if key != "decided_by"]
    assert sorted(str([row[key] for key in shared]) for row in rows) == sorted(
        str([row[key] for key in shared]) for row in case["table"]
    )
    assert [row["decided_by"] for row in rows] == [row.get("decided_by") for row in case["table"]]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.sampled(8)
def test_worked_case_comes_back_as_it_was(path: Path) -> None:
    event = read_tournament_file(json.dumps(json.loads(path.read_text(encoding="utf-8"))["event"]))

    assert read_tournament_file(format_tournament_file(event)) == event


def ranks(event: EventData, after: int | None = None) -> dict[str, tuple[int | None, float, int]]:
    """Rank, wins and points by name after a round of the only division."""
    games = examples.league_games(event.divisions[0])
    contestants = [standings.Contestant(each.id, each.withdrawn_after is not None) for each in event.players]
    names = {each.id: each.name for each in event.players}
    table = standings.rank(contestants, games, event.ranking, event.awards, after=after)
    return {names[str(row.player)]: (row.rank, row.wins, row.points) for row in table}


@needs_tournaments
@pytest.mark.parametrize("folder", TOURNAMENTS, ids=lambda path: path.name)
def test_real_tournament_gives_its_published_table(folder: Path) -> None:
    with (folder / "table.csv").open(encoding="utf-8") as file:
        published = {
            row["player"]: (int(row["rank"]) if row["rank"] else None, float(row["wins"]), int(row["points"]))
            for row in csv.DictReader(file)
        }

    found = read_tsh_event(folder)

    assert found.warnings == ()
    assert ranks(found.event) == published


@needs_tournaments
@pytest.mark.parametrize("folder", TOURNAMENTS, ids=lambda path: path.name)
@pytest.mark.sampled(3)
def test_real_tournament_gives_its_table_after_every_round(folder: Path) -> None:
    published: dict[int, dict[str, int]] = defaultdict(dict)
    with (folder / "rounds.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["rank"]:
                published[int(row["after_round"])][row["player"]] = int(row["rank"])
    event = read_tsh_event(folder).event

    found = {number: {name: row[0] for name, row in ranks(event, number).items()} for number in published}

    assert {number: {name: rank for name, rank in rows.items() if rank} for number, rows in found.items()} == published


@pytest.mark.long
@needs_tournaments
@pytest.mark.django_db
def test_real_tournament_goes_round_through_every_format(tmp_path: Path) -> None:
    folder = max(TOURNAMENTS, key=lambda path: (path / "a.t").stat().st_size)
    run("import_tsh", str(folder), "--slug", "echt")
    table = run("standings", "echt", "--format", "json")[1]

    run("export_tournament", "echt", "-o", str(tmp_path / "echt.json"))
    run("import_tournament", str(tmp_path / "echt.json"), "--slug", "datei")
    run("export_tsh", "echt", "-o", str(tmp_path / "tsh"))
    run("import_tsh", str(tmp_path / "tsh"), "--slug", "tsh")

    assert len(json.loads(table)) > 40
    assert run("standings", "datei", "--format", "json")[1] == table
    assert run("standings", "tsh", "--format", "json")[1] == table
