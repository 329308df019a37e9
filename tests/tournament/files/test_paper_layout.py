"""Where everything stands on paper. A figure of layout that changes is seen here: look at the page (`manage.py print`),
then `TSO_WRITE_DOCS=1 pytest tests/tournament/files/test_paper_layout.py` writes `layout.toml` anew."""

import hashlib
import os
import re
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests import factories
from tests.games.duplicate.steps import evening
from tests.tournament.paper import samples
from tournament.files.print_room import DOCUMENTS, EXTRA_DOCUMENTS, render_document
from tournament.models import Division

WRITTEN_DOWN = Path(__file__).with_name("layout.toml")
AT = datetime(2026, 10, 3, 12, 5, tzinfo=UTC)
TEXT = re.compile(rb"\((?:[^()\\]|\\.)*\)", re.DOTALL)


def digest_layout(document: bytes) -> str:
    """A mark of everything on the pages but the letters themselves."""
    pages = [page.get_contents() for page in samples.reader(document).pages]
    drawn = b"\f".join(b"" if page is None else page.get_data() for page in pages)
    return hashlib.sha256(TEXT.sub(b"()", drawn)).hexdigest()[:16]


def build_event() -> Division:
    """Nine players in teams: two rounds played, the third published with open games and a bye; a knock-out
    of four that has begun."""
    division = factories.event(
        players=9, rounds=3, ruleset="tso-2017", team_rule="places", ratings_public=True, minutes=30
    )
    factories.played(division, (431, 388), (380, 380), (402, 377), (350, 349))
    factories.played(factories.fresh(division), (500, 312))
    made = factories.published(factories.fresh(division))
    factories.result(made, 1, 340, 430)
    factories.knockout_game(factories.knockout(division), (1, 1, 1), 420, 380)
    return factories.fresh(division)


def build_session() -> Division:
    """A duplicate session with a turn closed and one open."""
    session, _slip = evening("Simultaan", factories.director())
    return session.division


EVENTS: tuple[tuple[Callable[[], Division], list[str]], ...] = (
    (build_event, list(DOCUMENTS)[::2]),
    (build_event, list(DOCUMENTS)[1::2]),
    (build_session, list(EXTRA_DOCUMENTS)),
)


@pytest.mark.django_db
@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(("build", "names"), EVENTS, ids=["an event", "an event, the others", "a session"])
@pytest.mark.sampled(1)
def test_everything_stands_where_it_was_last_looked_at(build: Callable[[], Division], names: list[str]) -> None:
    division = build()
    drawn = {name: digest_layout(render_document(name, division, printed_at=AT)) for name in names}
    written = tomllib.loads(WRITTEN_DOWN.read_text("utf-8"))
    if os.environ.get("TSO_WRITE_DOCS"):
        written |= drawn
        WRITTEN_DOWN.write_text("".join(f'{name} = "{mark}"\n' for name, mark in sorted(written.items())), "utf-8")

    assert drawn == {name: written.get(name) for name in names}
