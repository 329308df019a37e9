"""What a hosted service costs as clubs, events and phones grow: `python -m benchmarks.hosted_growth [--events 100]`.

Starts a service as the tests do (PostgreSQL, Redis, two processes, nginx), fills it step by step, and asks the same
pages each time. Printed is one JSON: for each size the milliseconds of processor time that a request takes of a process
and of PostgreSQL, which other work on the machine changes little, and the median until the answer, which it does.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CLUBS_EACH = 5
"""Events of one club."""
PLAYERS, ROUNDS = 24, 7
TIMES = 60
"""How often each page is asked for."""
SIZES = (1, 20, 100)
TICK = 1000 / os.sysconf("SC_CLK_TCK")


def fill(until: int) -> None:
    """Run on the service: events of 24 players and 7 rounds, five in each club, until there are so many."""
    sys.path.insert(0, str(ROOT))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()

    from django.contrib.auth.models import User

    from benchmarks.requests import event_file
    from tournament.accounts.operations import add_member, add_organiser
    from tournament.core.change import TERMINAL_ACTOR, Actor
    from tournament.exchange.event_rows import store_event_data
    from tournament.exchange.tournament_file import read_tournament_file
    from tournament.models import Organiser, Role, Tournament

    for number in range(Tournament.objects.count(), until):
        if number % CLUBS_EACH == 0:
            made = add_organiser(name=f"Verein {number}", actor=TERMINAL_ACTOR)
            user = User.objects.create_user(f"owner-{number}")
            add_member(made, user=user, role=Role.OWNER, actor=TERMINAL_ACTOR)
        club = Organiser.objects.order_by("-pk")[0]
        text = json.dumps(event_file(f"cup-{number}", PLAYERS, ROUNDS, open_round=True))
        store_event_data(read_tournament_file(text), actor=Actor(user=None, organiser=club))
    Tournament.objects.update(is_public=True)
    sys.stdout.write(json.dumps(_facts()))


def _facts() -> dict[str, Any]:
    from django.contrib.auth.models import User
    from django.db import connection

    from tests.hosting.stage import session
    from tournament.models import Pairing

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0]
    table = Pairing.objects.filter(round__division__tournament__slug="cup-0", round__number=ROUNDS).order_by("pk")[0]
    return {"table": table.pk, "session": session(User.objects.get(username="owner-0")), "megabytes": size / 1e6}


def processor_ms(*roots: int) -> float:
    """The processor time that these processes and all below them have used so far."""
    below: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        own = int(path.parent.name)
        below.setdefault(int(fields[1]), []).append(own)
        used[own] = sum(int(field) for field in fields[11:15]) * TICK
    found, left = 0.0, list(roots)
    while left:
        each = left.pop()
        found += used.get(each, 0)
        left += below.get(each, [])
    return found


def cost(service: Any, act: Callable[[], object], times: int = TIMES) -> dict[str, float]:
    """What an act costs: asked some times before it counts."""
    process = next(iter(service.processes.values())).pid
    database = int((service.folder / "postgres" / "data" / "postmaster.pid").read_text().split()[0])
    for _time in range(5):
        act()
    before, seconds = (processor_ms(process), processor_ms(database)), []
    for _time in range(times):
        begun = time.perf_counter()
        act()
        seconds.append(time.perf_counter() - begun)
    after = processor_ms(process), processor_ms(database)
    return {
        "process_ms": round((after[0] - before[0]) / times, 1),
        "database_ms": round((after[1] - before[1]) / times, 1),
        "median_ms": round(median(seconds) * 1000, 1),
    }


def measured(service: Any, facts: dict[str, Any]) -> dict[str, Any]:
    """The pages, asked of one process."""
    from tests.hosting.browser import Browser
    from tests.hosting.helpers import Helper

    port = next(iter(service.processes))
    visitor, owner = Browser(port, direct=True), Browser(port, direct=True, session=facts["session"])
    helper = Helper(owner, f"/director/cup-0/result/{facts['table']}/", facts["table"])
    lot = random.Random(1)

    def ask(browser: Browser, path: str) -> None:
        answer = browser.ask(path.format(lot=lot.random()))
        if answer.status not in {200, 204}:
            raise RuntimeError(f"{path}: {answer.status}")

    def save() -> None:
        if helper.save().status != 302:
            raise RuntimeError("the result was not saved")

    pages: dict[str, Callable[[], object]] = {
        "a phone asks for news of an event": partial(ask, visitor, "/t/cup-0/news/"),
        "a table of standings, kept": partial(ask, visitor, "/t/cup-0/table/"),
        "a table of standings, made anew": partial(ask, visitor, "/t/cup-0/table/?anew={lot}"),
        "the front page of all clubs": partial(ask, visitor, "/?anew={lot}"),
        "a phone asks for news of the front page": partial(ask, visitor, "/news/"),
        "a director's list of tournaments": partial(ask, owner, "/director/"),
        "a result corrected (three requests)": save,
    }
    return {name: cost(service, act, TIMES if act is not save else TIMES // 3) for name, act in pages.items()}


def main(most: int) -> None:
    """Start, fill, ask, print."""
    from tests.hosting.service import Service

    found = []
    with tempfile.TemporaryDirectory(prefix="tso-growth-") as folder:
        service = Service(Path(folder))
        try:
            service.start()
            for size in [size for size in SIZES if size <= most]:
                facts = service.python(str(Path(__file__).resolve()), "--fill", str(size))
                clubs = -(-size // CLUBS_EACH)
                found.append({"events": size, "clubs": clubs, "megabytes": round(facts["megabytes"], 1)})
                found[-1] |= measured(service, facts)
        finally:
            service.stop()
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=SIZES[-1], help="at most so many (default: %(default)s)")
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fill:
        fill(options.fill)
    else:
        main(options.events)
