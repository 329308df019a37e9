"""Names that are commands elsewhere stay names: in every page, document and file that an event's pages lead to."""

import csv
import io
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree as ET

import icalendar
import openpyxl
import pytest
from django.test import Client
from pypdf import PdfReader

from games.gcg.operations import publish_game
from games.gcg.reading import read_gcg_text
from games.models import Scoresheet
from tests import factories
from tests.flows.walking import walk
from tests.games.gcg import games
from tests.games.replay.conftest import sheet_with
from tests.tournament.tsh.test_tourney_js_writing import read as read_tourney_js
from tournament.accounts.operations import update_organiser
from tournament.ending.operations import add_prize
from tournament.ending.plan import PrizePlan
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import update_division, update_settings
from tournament.models import Entry, Pairing, Tournament
from tournament.teams.operations import name_teams

PROBE = "127.0.0.1:9"
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src="http://127.0.0.1:9/x.png" onerror="alert(1)"/>',
    '<font color="red">rot</font>, <b>fett</b>',
    '=HYPERLINK("http://127.0.0.1:9/","hier")',
    "Muster,=cmd|' /C calc'!A0",
    "Muster;=1+1",
    "+49-1@SUM(A1)",
    "＝1+1, @x",
    "Zeile\r\nDTSTART:19990101\r\nBEGIN:VALARM",
    "Ende\nEND:VEVENT\nEND:VCALENDAR",
    "#player1 x Somebody Else",
    "#note tso {“points”: 1}",
    '#note tso {"points": 1}',
    ">Anna: ABCDEFG 8H WORT +99 99",
    "x;TZID=Evil:1, y",
    "]]></title><entry>--><!--",
    "*** END OF FILE ***",
    '\\x{41}$ENV{HOME}@{[unlink]} "; 1',
    "{{ 7|add:7 }}{% debug %}${7*7}",
    "%s %(name)s %d {0} {name} &amp; &lt;",
    "../../etc/passwd, ..\\..\\x",
    "C:\\CON, NUL.txt",
    "javascript:alert(1), data:text/html,x",
    "Links\u202erechts\u2066\u200f, \u200bleer\ufeff",
    "Nul\0, \x1b[31mrot\x07",
    "`id`, $(id) && rm -rf ~ | '",
    "</textarea></title></style><svg onload=alert(1)>",
    "newt={}; undefined, //",
)
ONCE_A_COMMAND = re.compile(r"[=+\-@＝＋－＠\t\r]")
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
ICS_NAMES = (
    *("BEGIN", "END", "VERSION", "PRODID", "METHOD", "X-WR-CALNAME", "UID", "SEQUENCE", "DTSTAMP", "DTSTART", "DTEND"),
    *("SUMMARY", "LOCATION", "URL"),
)


@pytest.fixture
def event(db: None, settings: Any, tmp_path: Path) -> Tournament:
    """Two rounds and six games that are public."""
    settings.DATA_DIR = tmp_path
    return make_event(rounds=2, games_shown=6)


@pytest.fixture
def short_event(db: None, settings: Any, tmp_path: Path) -> Tournament:
    """A round and a game that is public."""
    settings.DATA_DIR = tmp_path
    return make_event(rounds=1, games_shown=1)


def make_event(*, rounds: int, games_shown: int) -> Tournament:
    """An event in which everything that somebody may name is called by something hostile."""
    doris = factories.director()
    division = factories.event(players=0, rounds=2, ruleset="tso-2017", team_rule="wins", starts_on=date(2026, 10, 3))
    for number, name in enumerate(HOSTILE[: len(HOSTILE) // 2 * 2]):
        person = Person(readable(name), club=readable(HOSTILE[-1 - number])[:80], rating=1500 - number)
        enter_player(division, person=person, actor=doris, anyway=True)
    update_division(division, name=readable(HOSTILE[0])[:40], tables=[], actor=doris)
    update_settings(division.tournament, actor=doris, name=readable(HOSTILE[8]), place=readable(HOSTILE[1]))
    organiser = division.tournament.organiser
    update_organiser(organiser, name=readable(HOSTILE[9]), slug=organiser.slug, actor=doris, profiles_public=True)
    division = factories.fresh(division)
    entries = list(Entry.objects.filter(division=division).with_names().in_order())
    name_teams(division, teams={each.pk: readable(HOSTILE[at % 4]) for at, each in enumerate(entries)}, actor=doris)
    add_prize(
        division, plan=PrizePlan(kind="own", title=readable(HOSTILE[2])[:60], award=readable(HOSTILE[3])), actor=doris
    )
    for _round in range(rounds):
        factories.played(division)
    for pairing in (
        Pairing.objects.select_related("round__division__tournament").with_players().by_table()[:games_shown]
    ):
        publish_game(sheet_with(pairing, games.GERMAN), actor=doris)
    return Tournament.objects.get(pk=division.tournament_id)


def readable(name: str) -> str:
    """The name as a form or a file hands it on: what cannot be shown is refused there, not stored."""
    return "".join(letter for letter in name if letter.isprintable() or letter in "\r\n")


class Looker:
    """Looks at each answer as the program would that opens it, and notes what a name has become there."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names, self.faults, self.kinds = names, list[str](), Counter[str]()

    def look(self, address: str, response: Any) -> None:
        """Look at an answer of the program."""
        for name, value in response.headers.items():
            if re.search(r"[\r\n\0]", value) or PROBE in value:
                self.faults.append(f"{address}: {name}: {value!r}")
        disposition = response.headers.get("Content-Disposition", "")
        if disposition and not re.fullmatch(r'(attachment|inline)(; filename\*?="?[\w.%\'-]+"?)*', disposition):
            self.faults.append(f"{address}: {disposition}")
        if response.status_code == 200:
            self.open(address, response.headers.get("Content-Type", "").partition(";")[0], response.getvalue())

    def open(self, address: str, kind: str, content: bytes) -> None:
        """Open something of this kind."""
        self.kinds[kind] += 1
        if kind not in OPENERS:
            self.faults.append(f"{address}: nobody here opens {kind}")
            return
        try:
            self.faults += [f"{address}: {fault}" for fault in OPENERS[kind](self, content)]
        except Exception as fault:  # noqa: BLE001  # whatever a reader stumbles over
            self.faults.append(f"{address}: {fault!r}")

    def open_page(self, content: bytes) -> Iterator[str]:
        yield from Page(content.decode()).faults

    def open_pdf(self, content: bytes) -> Iterator[str]:
        reader = PdfReader(io.BytesIO(content))
        for action in (b"/JavaScript", b"/JS", b"/Launch", b"/SubmitForm", b"/GoToR", b"/EmbeddedFile"):
            if action in content:
                yield f"does {action!r}"
        for page in reader.pages:
            for link in page.get("/Annots", ()):
                if PROBE in str(link.get_object().get("/A", {}).get("/URI", "")):
                    yield "leads elsewhere"

    def open_calendar(self, content: bytes) -> Iterator[str]:
        text = content.decode()
        unfolded = text.replace("\r\n ", "")
        if odd := [line for line in unfolded.split("\r\n") if line and re.split("[:;]", line)[0] not in ICS_NAMES]:
            yield f"other lines: {odd}"
        if "\n" in text.replace("\r\n", "") or "\r" in text.replace("\r\n", ""):
            yield "other ends of lines"
        events = icalendar.Calendar.from_ical(content).events
        if len(events) != 1 or str(events[0]["summary"]) not in self.names or events[0].start != date(2026, 10, 3):
            yield f"other events: {events}"

    def open_xml(self, content: bytes) -> Iterator[str]:
        root = ET.fromstring(content)
        for each in root.iter():
            if each.tag.rpartition("}")[2] in ("script", "img", "font", "foreignObject", "image"):
                yield f"an element {each.tag}"
            if odd := [name for name, value in each.attrib.items() if name.startswith("on") or PROBE in value]:
                yield f"attributes {odd}"

    def open_feed(self, content: bytes) -> Iterator[str]:
        yield from self.open_xml(content)
        for summary in ET.fromstring(content).iter("{http://www.w3.org/2005/Atom}summary"):
            yield from Page(summary.text or "").faults  # a reader shows it as a page

    def open_csv(self, content: bytes) -> Iterator[str]:
        text = content.decode("utf-8-sig")
        for delimiter in ";,\t":  # a machine takes that of its own language, whatever the file has
            for row in csv.reader(io.StringIO(text), delimiter=delimiter):
                for cell in row:
                    bare = cell.strip(" '\"") if delimiter != usual(text) else cell
                    if ONCE_A_COMMAND.match(cell) and not NUMBER.fullmatch(bare):
                        yield f"runs {cell!r} where cells end with {delimiter!r}"

    def open_workbook(self, content: bytes) -> Iterator[str]:
        for sheet in openpyxl.load_workbook(io.BytesIO(content)).worksheets:
            for row in sheet.iter_rows():
                if odd := [cell.value for cell in row if cell.data_type == "f" or cell.hyperlink]:
                    yield f"runs {odd}"

    def open_json(self, content: bytes) -> Iterator[str]:
        json.loads(content)
        yield from ()

    def open_script(self, content: bytes) -> Iterator[str]:
        told = {player["name"] for each in read_tourney_js(content)["divisions"] for player in each["players"][1:]}
        if told - self.names:
            yield f"other names {told - self.names}"

    def open_text(self, content: bytes) -> Iterator[str]:
        """A game as GCG, or another plain text."""
        text = content.decode()
        if text.startswith("#character-encoding"):
            yield from self.open_game(text)
        elif re.search(r"[\0\x1b\u202a-\u202e\u2066-\u2069]", text):
            yield "letters that cannot be seen"

    def open_game(self, text: str) -> Iterator[str]:
        game = read_gcg_text(text)
        heads = Counter(line.partition(" ")[0] for line in text.splitlines() if line.startswith("#"))
        if (heads["#player1"], heads["#player2"], heads["#title"], heads["#character-encoding"]) != (1, 1, 1, 1):
            yield f"other heads: {heads}"
        if len({player.nick for player in game.players}) != len(game.players) or len(game.events) != 8:
            yield f"another game: {game.players}, {len(game.events)} moves"
        if [line for line in text.splitlines() if line and line[0] not in "#>"]:
            yield "lines of no kind"

    def open_zip(self, content: bytes) -> Iterator[str]:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for name in packed.namelist():
                if not re.fullmatch(r"[\w./-]+", name) or ".." in name or name.startswith("/"):
                    yield f"a member called {name!r}"
                if kind := KINDS_BY_SUFFIX.get(PurePosixPath(name).suffix):
                    self.open(f"… {name}", kind, packed.read(name))


class Page(HTMLParser):
    """A page, and what of it would be there only by a name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.feed(text)
        self.close()
        if "<script>alert" in text or "14${" in text:
            self.faults.append("a name is run")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "font" or (tag == "svg" and dict(attrs).get("onload")):
            self.faults.append(f"an element {tag}")
        for name, value in attrs:
            is_address = name in ("src", "href", "action", "formaction", "data", "poster", "srcset")
            if name.startswith("on") or (is_address and (PROBE in (value or "") or is_script(value or ""))):
                self.faults.append(f"<{tag} {name}={value!r}>")


def is_script(address: str) -> bool:
    return re.sub(r"[\s\0]", "", address).lower().startswith(("javascript:", "data:text"))


def usual(text: str) -> str:
    """What a file's cells end with."""
    first = text.partition("\n")[0]
    return max(";,\t", key=first.count)


Opener = Callable[[Looker, bytes], Iterator[str]]
NOTHING: Opener = lambda _looker, _content: iter(())  # noqa: E731
OPENERS: dict[str, Opener] = {
    "text/html": Looker.open_page,
    "application/pdf": Looker.open_pdf,
    "text/calendar": Looker.open_calendar,
    "application/atom+xml": Looker.open_feed,
    "image/svg+xml": Looker.open_xml,
    "text/csv": Looker.open_csv,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": Looker.open_workbook,
    "application/json": Looker.open_json,
    "application/manifest+json": Looker.open_json,
    "text/javascript": Looker.open_script,
    "text/plain": Looker.open_text,
    "application/zip": Looker.open_zip,
    "image/png": NOTHING,
    "image/jpeg": NOTHING,
    "text/css": NOTHING,
}
KINDS_BY_SUFFIX = {
    ".html": "text/html",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".csv": "text/csv",
    ".json": "application/json",
    ".gcg": "text/plain",
    ".ics": "text/calendar",
    ".atom": "application/atom+xml",
}


def make_browser() -> Client:
    browser = Client(raise_request_exception=False)
    factories.sign_in(browser, factories.director())
    return browser


def make_looker(event: Tournament) -> Looker:
    return Looker(frozenset(Entry.objects.values_list("player__name", flat=True)) | {event.name})


FILES = (
    *("/t/{slug}/event.ics", "/t/{slug}/feed.atom", "/t/{slug}/tourney.js", "/t/{slug}/table.csv", "/t/{slug}/table/"),
    *("/t/{slug}/table.xlsx", "/t/{slug}/table.json", "/t/{slug}/table.pdf", "/t/{slug}/teams.csv", "/t/{slug}/"),
    *("/organisers/{club}/calendar.ics", "/organisers/{club}/feed.atom", "/organisers/{club}/manifest.webmanifest"),
    *("/api/v1/events/{slug}/entries", "/director/{slug}/sheet/{sheet}/game.gcg", "/director/{slug}/export/tsh/"),
    *("/director/{slug}/export/tou/", "/director/{slug}/export/tournament/", "/director/register/players/export/"),
    *("/director/register/rating-list/list.csv", "/director/{slug}/journal/journal.csv", "/director/{slug}/fees.csv"),
    *("/director/{slug}/print/scoresheets.pdf", "/director/{slug}/entries/", "/director/{slug}/ratings.csv"),
)


def test_each_kind_of_file_keeps_hostile_names_as_names(short_event: Tournament) -> None:
    looker, browser = make_looker(short_event), make_browser()
    sheet = Scoresheet.objects.latest("pk").pk
    statuses = {}
    for each in FILES:
        address = each.format(slug=short_event.slug, club=short_event.organiser.slug, sheet=sheet)
        answer = browser.get(address)
        statuses[address] = answer.status_code
        looker.look(address, answer)

    assert {address: status for address, status in statuses.items() if status != 200} == {}
    assert looker.faults == []
    assert looker.kinds.keys() >= OPENERS.keys() - {"image/jpeg", "image/png", "image/svg+xml", "text/css"}


@pytest.mark.dear
@pytest.mark.long
def test_all_that_an_event_shows_keeps_hostile_names_as_names(event: Tournament) -> None:
    looker = make_looker(event)
    walked = walk(make_browser(), event, random.Random(1), look=looker.look)

    assert walked.broken == {}
    assert looker.faults == []
    assert walked.shown > 150
