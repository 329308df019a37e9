"""What is read in can always be shown: files with changed values, every page and paper of those that are accepted.

`TSO_EXAMPLES=50 pytest tests/flows/test_imported_is_shown.py` tries fifty times as many; the seed is printed with each
file that breaks a page, and `TSO_SEED=7` begins with another one.
"""

import json
import os
import random
from datetime import date
from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.flows import mutations, walking
from tests.laws import TIMES
from tests.tournament.exchange import examples, knockouts
from tournament.core.change import TERMINAL_ACTOR
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import EventData
from tournament.rounds.drafts import DrawWish, draft_round

FIRST_SEED = int(os.environ.get("TSO_SEED", "1"))
ACCEPTED = 3 * TIMES
"""Files that are accepted and walked."""

PAGES = 25 if TIMES == 1 else 2000
"""Of each; all of them where there is time."""


def originals() -> list[dict[str, Any]]:
    """Valid files of many kinds: with a draft and its reasons, a knock-out, and whatever else a file can say."""
    event = make_demo_tournament(
        actor=TERMINAL_ACTOR, today=date(2026, 10, 3), size=DemoSize(players=7, rounds=4, played=2)
    )
    division = event.divisions.get()
    draft_round(division, actor=TERMINAL_ACTOR, wish=DrawWish(seed=1, accept_missing=True))
    drafted = json.loads(format_tournament_file(load_event_data(event)))
    matches = {
        (1, 1): [knockouts.make_game("P01", "P04", 420, 400)],
        (1, 2): [knockouts.make_game("P02", "P03", 380, 401, first_bingos=1)],
        (2, 1): [knockouts.make_game("P01", "P03", 400, 400)],
    }
    cup = knockouts.file(["P01", "P02", "P03", "P04"], matches, third_place=True, criteria=["most_bingos"])
    full = json.loads(format_tournament_file(examples.full_event()))
    return [drafted, full, cup, json.loads(examples.EXAMPLE)]


def read(file: dict[str, Any]) -> EventData | None:
    """The event, if the file is accepted."""
    try:
        return read_tournament_file(json.dumps(file))
    except FileFaults:
        return None


@pytest.mark.django_db
@pytest.mark.parametrize(("accepted", "pages"), [(1, 4), pytest.param(ACCEPTED, PAGES, marks=pytest.mark.long)])
def test_every_page_of_an_accepted_file_can_be_shown(accepted: int, pages: int) -> None:
    files = originals()
    pool = mutations.Pool(files)
    client = Client(raise_request_exception=False)
    doris = factories.director()
    factories.sign_in(client, doris)
    walked, seed = 0, FIRST_SEED
    while walked < accepted:
        seed += 1
        rng = random.Random(seed)
        file = mutations.mutated(rng.choice(files), pool, rng, times=rng.randint(1, 6)) | {"slug": f"event-{seed}"}
        event = read(file)
        if event is not None:
            walked += 1
            found = walking.walk(client, store_event_data(event, actor=doris), rng, most=pages)
            assert found.shown > len(found.statuses) / 2
            assert found.broken == {}, f"TSO_SEED={seed - 1} breaks {found.broken}\n{found.faults[:1]}"
