"""A turn's slips typed by two helpers at once, late in a session; and typed until the process is killed.

    python -m benchmarks.duplicate [--players 150] [--turns 19] [--seed 1]

So many turns are closed; in the next one two helpers type everybody's slip as the page does. Prints how long one took
(median, slowest) and the pages of the director and of the public after it. Then a process types the slips of another
turn and is killed (-9) in the middle: each slip that was acknowledged has to be stored, once, and the journal has to
say what is stored. The exit status is 1 if one is lost.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
KILLED_AFTER = 40
"""Acknowledged slips, until the process is killed."""


def main() -> None:
    """Type a turn, look at the pages, kill a second turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=150)
    parser.add_argument("--turns", type=int, default=19)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.data:
        _set_up(options.data)
        type_until_killed()
        return
    with tempfile.TemporaryDirectory() as folder:
        _set_up(folder)
        prepare(options.players, options.turns, options.seed)
        lay_and_open()
        measure()
        lay_and_open()
        sys.exit(killed(folder))


def _set_up(folder: str) -> None:
    from benchmarks import requests

    requests.set_up(folder)


def prepare(players: int, turns: int, seed: int) -> None:
    """A session of which so many turns are closed."""
    from django.utils import timezone

    from games.duplicate.demo import create_duplicate_example
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.events.demo import DemoSize

    create_duplicate_example(
        actor=TERMINAL_ACTOR,
        today=timezone.localdate(),
        size=DemoSize(players=players, rounds=turns, played=turns, seed=seed),
    )


def session() -> Any:
    """The only session there is."""
    from games.models import DuplicateSession

    return DuplicateSession.objects.select_related("division__tournament").get()


def helper(number: int) -> Any:
    """The browser of a helper."""
    from django.contrib.auth.models import User
    from django.test import Client

    from tournament.models import Member, Role

    user, _made = User.objects.get_or_create(username=f"helper-{number}")
    Member.objects.get_or_create(
        user=user, organiser=session().division.tournament.organiser, defaults={"role": Role.OWNER}
    )
    client = Client()
    client.force_login(user)
    return client


def type_slip(client: Any, slug: str, number: int) -> float:
    """Type the slip of a player; the seconds until it was acknowledged."""
    sent = {"player": str(number), "position": "8H", "word": "ZES", "claimed": str(number)}
    begun = time.perf_counter()
    answer = client.post(f"/director/{slug}/duplicate/slip/", sent, headers={"HX-Request": "true"})
    took = time.perf_counter() - begun
    assert answer.status_code == 200, answer.status_code
    assert f'Nr.">{number}</td>'.encode() in answer.content, answer.content[:500]
    return took


def measure() -> None:
    """Two helpers type everybody's slip; then the pages."""
    from django.db import connections
    from django.test import Client

    slug, count = session().division.tournament.slug, session().division.entries.count()
    browsers = [helper(1), helper(2)]
    times: list[float] = []
    browsers[0].get(f"/director/{slug}/duplicate/")

    def type_half(place: int) -> None:
        times.extend(type_slip(browsers[place], slug, number) for number in range(1 + place, count + 1, 2))
        connections.close_all()

    begun = time.perf_counter()
    threads = [threading.Thread(target=type_half, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    median, slowest = 1000 * statistics.median(times), 1000 * max(times)
    print(f"{len(times)} slips by two helpers in {took:.1f} s; one: median {median:.0f} ms, slowest {slowest:.0f} ms")
    for name, client, address in (
        ("director's page", browsers[0], f"/director/{slug}/duplicate/"),
        ("public page, made anew", Client(), f"/t/{slug}/duplicate/"),
        ("public page, kept", Client(), f"/t/{slug}/duplicate/"),
    ):
        begun = time.perf_counter()
        assert client.get(address).status_code == 200
        print(f"{name}: {1000 * (time.perf_counter() - begun):.0f} ms")


def lay_and_open() -> None:
    """Close the turn by hand, and open the next."""
    from games.duplicate.operations.sessions import close_turn, open_turn
    from games.models import DuplicateTurn
    from games.plays import load_lexicon
    from games.sessions.session_state import load_session_state
    from scoring import moves
    from tournament.core.change import TERMINAL_ACTOR

    turn = DuplicateTurn.objects.select_related("session__division__tournament").get(is_closed=False)
    found = load_session_state(turn.session)
    assert found.word_list is not None
    (top,) = moves.find_plays(load_lexicon(found.word_list), found.value.boards[turn.number - 1], turn.draw).top(1)
    close_turn(turn, position=top.play.position, word=top.play.word, reason="x", actor=TERMINAL_ACTOR)
    open_turn(session(), actor=TERMINAL_ACTOR)


def type_until_killed() -> None:
    """Type slip after slip, and say each that was acknowledged."""
    slug, client = session().division.tournament.slug, helper(1)
    for number in range(1, session().division.entries.count() + 1):
        type_slip(client, slug, number)
        print(number, flush=True)


def killed(folder: str) -> int:
    """Kill a process that types; 1 if an acknowledged slip is lost or the journal says something else."""
    from games.models import DuplicateSlip
    from tournament.archive.replaying import find_journal_differences

    words = [sys.executable, "-m", "benchmarks.duplicate", "--data", folder]
    process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(int(line))
        if len(said) == KILLED_AFTER:
            process.send_signal(signal.SIGKILL)
    process.wait()
    stored = set(DuplicateSlip.objects.filter(turn__is_closed=False).values_list("entry__position", flat=True))
    faults = find_journal_differences(session().division.tournament)
    lost = set(said) - stored
    print(f"killed after {len(said)} slips: {len(stored)} stored, {len(lost)} lost, journal: {faults or 'the same'}")
    return int(bool(lost or faults))


if __name__ == "__main__":
    main()
