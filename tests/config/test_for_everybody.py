"""Every page of the program in a browser: axe finds nothing, it fits, in light and dark, on phone and laptop, and what
is typed first takes the place of what stands in the field.

The pages are those of the walk over all addresses (`test_access`), made beforehand and answered by a server of the
test: an address that is new is looked at by itself. Each page is looked at in one language, the next page in the next
one; on a phone in one mode and on a laptop in the other, the next page the other way round. `TSO_EXAMPLES=6` looks at
each in all three languages, and in both modes on both.
"""

from __future__ import annotations

import itertools
import mimetypes
import threading
from contextlib import contextmanager
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from config.mail import MailServer
from games.gcg.operations import publish_game
from games.models import SecondEntry
from games.round_play.positions import can_show_position, choose_round_play
from tests import factories
from tests.browsers import DIAGONALS, faults, load_axe_source
from tests.config import stage as stages
from tests.config.test_access import DONE_ELSEWHERE, _url, addresses
from tests.games.conftest import browser
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tests.laws import seeds
from tournament.basics.static_files import find_static_file
from tournament.hall.operations import stream_table
from tournament.models import Pairing, Screen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

HTML = "text/html"
AXE = "/axe.js"
NOTHING_CHOSEN = b"---------"
"""What Django offers where nothing is chosen yet; every page of ours says it in words."""

MOST = 130
"""So many pages there are at least: fewer say that this walk has lost its way."""

LANGUAGES = [code for code, _name in settings.LANGUAGES]
SCREENS_IN_TURN = (DIAGONALS[0], DIAGONALS[1][::-1])
"""The screens of one page and of the next, which begins at the width at which the one before it ends."""
MAIL = MailServer("smtps", "mail.example.org", 465, "", "", "tso@example.org")


def pages(turn: int) -> dict[str, bytes]:
    """Every page of the program by its address, each in the next language."""
    before = transaction.savepoint()
    found = dict(_pages(turn))
    transaction.savepoint_rollback(before)
    return found


def _pages(turn: int) -> Iterator[tuple[str, bytes]]:
    """Every address that gives a page, as whoever works there gets it."""
    ours, others = stages.stage("SC Hier", "Amsel"), stages.anybody()
    links, languages = stages.tokens(ours), itertools.cycle(LANGUAGES[turn:] + LANGUAGES[:turn])
    for address in addresses():
        if address.name in DONE_ELSEWHERE or address.name == "admin:index":
            continue
        url = _url(address, ours.names(address.name, set(address.places)), links, ours)
        asked = (page(client, url, next(languages)) for client in (ours.browsers["owner"], *others.values()))
        yield from ((url, found) for found in itertools.islice(filter(None, asked), 1))
    doris = browser(factories.director().user)
    yield from ((url, page(doris, url, next(languages))) for url in in_the_hall())
    yield "/t/nowhere/", page(doris, "/t/nowhere/", next(languages), HTTPStatus.NOT_FOUND)


def page(client: Client, url: str, language: str, status: int = HTTPStatus.OK) -> bytes:
    """The page that somebody gets at an address; nothing where it gives none. Nothing stays of what that does."""
    before, cookies = transaction.savepoint(), client.cookies
    client.cookies = SimpleCookie({name: morsel.value for name, morsel in cookies.items()})
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    answer: Any = client.get(url)
    content = b"".join(answer) if answer.streaming else answer.content
    transaction.savepoint_rollback(before)
    client.cookies = cookies
    return content if answer.status_code == status and b"</html>" in content else b""


def in_the_hall() -> Iterator[str]:
    """The addresses of screens that show all there is, the board for a camera, what is thought about; desks besides."""
    doris, division = factories.director(), factories.event("Saal-Cup", players=4, rounds=2, results_twice=True)
    factories.played(division, (420, 400), (410, 396))
    running = factories.published(division)
    tables = Pairing.objects.filter(round__division=division).select_related("round__division__tournament")
    tables = tables.with_players().order_by("round__number", "table")
    over, streamed = tables[0], tables.filter(round=running)[0]
    thought = sheet_with(over, games.GERMAN)
    publish_game(thought, actor=doris)
    sheet_with(streamed, games.GERMAN)
    stream_table(division, table=streamed.table or 1, actor=doris)
    turn = next(turn for turn in range(1, 9) if can_show_position(thought, turn))
    choose_round_play(division, scoresheet=thought, turn=turn, actor=doris)
    address = f"/t/{division.tournament.slug}/"
    for number, shows in enumerate((each for each in Screen.Shows if each != Screen.Shows.IN_TURN), 1):
        Screen.objects.create(tournament=division.tournament, number=number, shows=shows)
        yield f"{address}screen/{number}/"
    yield from (f"{address}{each}" for each in ("", "screen/", "play-of-the-round/", f"stream/{streamed.table}/"))
    again = SecondEntry(pairing=over, first_points=420, second_points=400, by_name="Eva", at=timezone.now())
    again.save()
    yield f"{address}game/{over.pk}/"
    again.first_points = 1
    again.save()
    yield f"/director/{division.tournament.slug}/result/{over.pk}/settle/"
    desk = f"/director/{division.tournament.slug}/"
    yield from (
        f"{desk}{each}" for each in ("rounds/1/", "rounds/2/", "results/1/", f"sheet/{thought.pk}/best/", "hall/play/")
    )


CURSOR_BEFORE_TEXT = """() => {
  const {value, selectionStart, selectionEnd, name} = document.activeElement;
  const isFilled = document.activeElement.matches("input") && selectionEnd !== null && value;
  return isFilled && selectionEnd - selectionStart < value.length ? [`${name}: the cursor is beside ${value}`] : [];
}"""
"""Script: the field that the page gave the focus, if what is in it is not selected, so that typing mixes with it."""


@contextmanager
def serve(made: dict[str, bytes], axe: str) -> Iterator[str]:
    """A server of these pages and the program's files, and its address. The browser keeps the files, axe among them,
    as it compiled them: laid into each page by Playwright, which lets nothing be kept, they would be compiled again.
    """

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            file = path.removeprefix(settings.STATIC_URL)
            if self.path in made:
                self.answer(made[self.path], f"{HTML}; charset=utf-8", "no-store")
            elif path == AXE:
                self.answer(axe.encode(), "text/javascript", "max-age=3600")
            elif file != path and (found := find_static_file(file)):
                kind = mimetypes.guess_type(found)[0] or "text/plain"
                self.answer(Path(found).read_bytes(), kind, "max-age=3600")
            else:
                self.answer(b"", "", "no-store", HTTPStatus.NO_CONTENT)  # there is nothing new

        def do_POST(self) -> None:
            self.do_GET()

        def answer(self, body: bytes, kind: str, kept: str, status: int = HTTPStatus.OK) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", kept)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_every_page_is_for_everybody(new_context: Any) -> None:
    made: dict[str, bytes] = {}
    page, found = new_context().new_page(), []
    with serve(made, load_axe_source()) as origin:
        for turn in seeds(1):
            with override_settings(MAIL=MAIL):
                made |= pages(turn)
            for number, url in enumerate(made, turn % 2):
                page.goto(origin + url)
                found += [f"{url}: {each}" for each in page.evaluate(CURSOR_BEFORE_TEXT)]
                page.add_script_tag(url=origin + AXE)
                found += faults(page, screens=SCREENS_IN_TURN[number % 2])
        page.goto("about:blank")

    assert found == []
    assert [url for url, content in made.items() if NOTHING_CHOSEN in content] == []
    assert len(made) > MOST
    assert all(made.values())
