"""Pages, saving a result, paper and files, on a separate database in a temporary folder.

`python -m benchmarks.requests` prints this part alone. Django must not have been set up before `measure` is called.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.timing import median_ms

ROOT = Path(__file__).resolve().parent.parent
TOURNAMENTS = ROOT.parent / "shared" / "data" / "tournaments"


def set_up(folder: str) -> None:
    """Django on an empty database in `folder`."""
    os.environ["TSO_DATA"] = folder
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ["TSO_HOSTS"] = "testserver,localhost"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    # As the server does before its first page: a search for cycles in all that is loaded takes a fifth of a second, and
    # would be counted to whichever page it falls in.
    import config.urls  # noqa: F401
    from tournament.laptop.serving import freeze_memory

    freeze_memory()


def event(slug: str, players: int, rounds: int, *, open_round: bool = False) -> Any:
    """A stored tournament with every round closed, or the last one published and open."""
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.exchange.event_rows import store_event_data
    from tournament.exchange.tournament_file import read_tournament_file

    return store_event_data(
        read_tournament_file(json.dumps(event_file(slug, players, rounds, open_round))), actor=TERMINAL_ACTOR
    )


def event_file(slug: str, players: int, rounds: int, open_round: bool) -> dict[str, Any]:
    rng = random.Random(f"{players} {rounds}")
    keys = [f"P{number:03}" for number in range(1, players + 1)]
    return {
        "format": "tso-tournament",
        "version": 1,
        "slug": slug,
        "name": slug,
        "players": [
            {
                "id": key,
                "name": f"Beispiel, {key}",
                "club": f"SC {rng.randrange(9)}",
                "rating": 1000 + rng.randrange(900),
            }
            for key in keys
        ],
        "divisions": [
            {
                "name": "A",
                "rounds": [
                    _round(rng, number, keys, played=not (open_round and number == rounds))
                    for number in range(1, rounds + 1)
                ],
            }
        ],
    }


def _round(rng: random.Random, number: int, keys: list[str], *, played: bool) -> dict[str, Any]:
    order = rng.sample(keys, len(keys))
    pairings: list[dict[str, Any]] = []
    for table, (first, second) in enumerate(zip(order[::2], order[1::2], strict=False), 1):
        result: dict[str, Any] = {"outcome": "open"}
        if played:
            scores = {"first_points": round(rng.gauss(390, 60)), "second_points": round(rng.gauss(390, 60))}
            result = {"outcome": "played", **scores}
        pairings.append({"table": table, "first": first, "second": second, **result})
    if len(order) % 2:
        pairings.append({"table": None, "first": order[-1], "second": None, "outcome": "bye"})
    return {"number": number, "method": "random", "state": "closed" if played else "published", "pairings": pairings}


def pages() -> dict[str, Any]:
    """The public table and the results grid: median milliseconds cold and unchanged, by the clock and of the processor,
    and queries."""
    from django.contrib.auth import get_user_model
    from django.core.cache import cache
    from django.test import Client

    from tournament.accounts.operations import add_member
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.models import Role

    user = get_user_model().objects.create_user("director", password="x")
    organiser = event("hundred", 100, 13).organiser
    add_member(organiser, user=user, role=Role.OWNER, actor=TERMINAL_ACTOR)
    event("one", 1, 0)
    event("open", 100, 13, open_round=True)
    event("large", 500, 2, open_round=True)
    # As phones ask: pages are kept compressed, and what takes nothing compressed pays for the unpacking.
    visitor, plain, director = Client(headers={"accept-encoding": "gzip"}), Client(), Client()
    director.force_login(get_user_model().objects.get(username="director"))
    found: dict[str, Any] = {}
    for name, client, address in (
        ("public table, 100 players x 13 rounds", visitor, "/t/hundred/table/"),
        ("public table, 100 players x 13 rounds, not compressed", plain, "/t/hundred/table/"),
        ("public table, 1 player", visitor, "/t/one/table/"),
        ("results grid, 50 tables", director, "/director/open/results/13/"),
        ("results grid, 250 tables", director, "/director/large/results/2/"),
    ):

        def get(client: Client = client, address: str = address) -> None:
            response = client.get(address)
            if response.status_code != 200:
                raise RuntimeError(f"{address}: {response.status_code}")

        found[name] = {
            "cold_ms": median_ms(get, repeat=9, before=cache.clear),
            "cold_queries": queries(get, before=cache.clear),
            "cold_processor_ms": median_ms(get, repeat=9, before=cache.clear, clock=time.process_time),
            "unchanged_ms": median_ms(get, repeat=50),
            "unchanged_processor_ms": median_ms(get, repeat=20, clock=time.process_time),
            "unchanged_queries": queries(get),
        }
    found["one result typed of 250"] = typing(director, "/director/large/results/2/")
    return found


def typing(director: Any, address: str) -> dict[str, Any]:
    """One result after the other typed into the grid, each sent and answered as by its script."""
    page = director.get(address).content.decode()
    rows = iter(re.findall(r'name="(p\d+)-seen" value="([^"]+)"', page))

    def save() -> None:
        prefix, seen = next(rows)
        row = {f"{prefix}-first_points": "401", f"{prefix}-second_points": "399", f"{prefix}-seen": seen}
        response = director.post(address, row, headers={"HX-Request": "true"})
        if "data-revision" not in response.content.decode():
            raise RuntimeError(f"{address}: {response.status_code}")

    return {
        "page_kb": round(len(page) / 1024),
        "ms": median_ms(save, repeat=30),
        "processor_ms": median_ms(save, repeat=30, clock=time.process_time),
        "queries": queries(save),
    }


def queries(work: Any, *, before: Any = None) -> int:
    """How many queries a call takes."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    if before is not None:
        before()
    with CaptureQueriesContext(connection) as captured:
        work()
    return len(captured)


def saving() -> dict[str, Any]:
    """Saving one result, journal included, on SQLite as it is configured."""
    from django.db import connection

    from scoring.awards import Outcome
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.core.reports import PlayerReport, Report
    from tournament.models import Round
    from tournament.results.operations import record_result
    from tournament.table.league import list_round_pairings

    found = Round.objects.get(division__tournament__slug="open", number=13)
    waiting = iter(list_round_pairings(found))

    def save() -> None:
        report = Report(Outcome.PLAYED, PlayerReport(401), PlayerReport(399))
        record_result(next(waiting), report=report, actor=TERMINAL_ACTOR, expected_version=0)

    with connection.cursor() as cursor:
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    return {"one_result_ms": median_ms(save, repeat=30), "synchronous": {1: "NORMAL", 2: "FULL"}.get(synchronous)}


def paper() -> dict[str, Any]:
    """Each document for 100 players, milliseconds of the processor."""
    from tournament.files.print_room import DOCUMENTS, render_document
    from tournament.models import Round

    found = Round.objects.select_related("division__tournament").get(division__tournament__slug="hundred", number=13)
    return {
        name: median_ms(
            partial(render_document, name, found.division, found),
            repeat=50 if "pair" in name else 5,
            clock=time.process_time,
        )
        for name in DOCUMENTS
    }


def files() -> dict[str, Any]:
    """Reading and storing the largest tsh file of the real tournaments, if they are there."""
    if not TOURNAMENTS.is_dir():
        return {"skipped": "no folder of real tournaments beside the project"}
    from django.core.management import call_command

    largest = max(TOURNAMENTS.glob("*/a.t"), key=lambda path: path.stat().st_size)
    count = iter(range(1000))

    def read() -> None:
        with Path(os.devnull).open("w") as nothing:
            call_command("import_tsh", str(largest.parent), "--slug", f"t{next(count)}", stdout=nothing, stderr=nothing)

    return {"file": largest.parent.name, "import_ms": median_ms(read, repeat=3)}


def measure() -> dict[str, Any]:
    """Everything that needs the database, in one process."""
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        found: dict[str, Any] = {"pages": pages(), "saving": saving(), "paper_ms": paper(), "files": files()}
        from django.db import connections

        connections.close_all()
    found["memory_mb"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return found


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
