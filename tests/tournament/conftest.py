"""The cast: Doris directs; her cup has two divisions, and Anna, Jörg, Linh and Żaneta have entered division A."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client, override_settings
from django.utils import translation

from config.mail import MailServer
from tests import factories
from tests.tournament.paper.samples import Drawn
from tests.tournament.rounds import steps
from tests.tournament.tsh.tsh_examples import Make
from tournament.basics import addresses
from tournament.core.change import Actor
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division, create_tournament
from tournament.events.presets import PRESETS
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file
from tournament.models import Division, Entry, Tournament
from tournament.models.event import list_named_entries
from tournament.paper.lettering import measure_width
from tournament.paper.sheet import Paper

PEOPLE = (
    Person("Beispiel, Anna", club="SC Fulda", rating=1512, games=73),
    Person("Muster, Jörg", club="Scrabblefreunde Köln", rating=1404),
    Person("Nguyễn, Linh", rating=1633),
    Person("Kowalczyk, Żaneta", club="SC Fulda"),
)


@pytest.fixture
def doris(db: None) -> Actor:
    return factories.director()


@pytest.fixture
def cup(cup_of_module: Tournament | None, db: None) -> Tournament:
    """The Herbst-Cup with two divisions and nobody entered. Tests of the same module that do not ask for it may see
    it."""
    return Tournament.objects.get(pk=cup_of_module.pk) if cup_of_module else make_cup()


@pytest.fixture(scope="module")
def cup_of_module(*, shares_rows: bool) -> Tournament | None:
    return make_cup() if shares_rows else None


def make_cup() -> Tournament:
    doris = factories.director()
    made = create_tournament(actor=doris, name="Herbst-Cup", preset=PRESETS["weekend_cup"])
    add_division(made, name="B", actor=doris)
    return made


@pytest.fixture
def division(cup: Tournament) -> Division:
    return cup.divisions.get(name="A")


@pytest.fixture
def four(division: Division) -> list[Entry]:
    if not division.entries.exists():
        enter_four(division)
    return list(list_named_entries().filter(division=division).in_order())


@pytest.fixture(scope="module")
def four_of_module(cup_of_module: Tournament | None) -> None:
    """Enters the four once, for a module whose tests all ask for it by `usefixtures`."""
    if cup_of_module:
        enter_four(cup_of_module.divisions.get(name="A"))


def enter_four(division: Division) -> None:
    newcomers = [NewEntry(person, division) for person in PEOPLE]
    enter_players(division.tournament, newcomers=newcomers, actor=factories.director())


@pytest.fixture
def other_cup(doris: Actor) -> Tournament:
    return create_tournament(actor=doris, name="Anderer Cup")


@pytest.fixture
def reader(db: None) -> Client:
    """A visitor who has chosen English and has no account."""
    client = Client()
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def public_cup(public_cup_of_module: Division | None, db: None) -> Division:
    """The Herbst-Cup with four players: two rounds played, the third published with one result of two. Tests of the
    same module that do not ask for it may see it."""
    return factories.fresh(public_cup_of_module) if public_cup_of_module else factories.public_cup()


@pytest.fixture(scope="module")
def public_cup_of_module(*, shares_rows: bool) -> Division | None:
    return factories.public_cup() if shares_rows else None


SERVER = MailServer("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")


@pytest.fixture
def fresh_counts() -> None:
    caches["attempts"].clear()


@pytest.fixture
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, DEFAULT_FROM_EMAIL=SERVER.sender):
        yield


@pytest.fixture
def doris_user(db: None) -> User:
    made = factories.user("doris")
    made.email = "doris@example.org"
    made.save()
    return made


@pytest.fixture
def doris_browser(doris_user: User) -> Client:
    client = Client()
    client.force_login(doris_user)
    return client


@pytest.fixture
def doris_client(doris: Actor) -> Client:
    client = Client()
    client.force_login(doris.user)  # type: ignore[arg-type]  # a user all the same
    return client


@pytest.fixture
def sven_client(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_user("sven"))
    return client


@pytest.fixture
def saved(division: Division, four: list[Entry], doris: Actor) -> str:
    """The cup with one round played, as a tournament file."""
    steps.play_next_round(division, doris)
    return format_tournament_file(load_event_data(division.tournament))


@pytest.fixture
def make_tsh_folder(tmp_path: Path) -> Make:
    """Writes a tsh folder: `config.tsh` with these lines, and the divisions' files."""

    def write(config: str = "division a a.t", **files: str | bytes) -> Path:
        (tmp_path / "config.tsh").write_bytes(config.encode("iso-8859-1"))
        for stem, text in files.items():
            content = text if isinstance(text, bytes) else text.encode("iso-8859-1")
            (tmp_path / f"{stem}.t").write_bytes(content)
        return tmp_path

    return write


@pytest.fixture
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def network_address(monkeypatch: pytest.MonkeyPatch) -> str:
    """This machine's only address in a network, as its system says."""

    class Probe(socket.socket):
        def connect(self, _target: object) -> None:
            """Find a route without sending anything."""

        def getsockname(self) -> tuple[str, int]:
            return "192.168.178.34", 9

    monkeypatch.setattr(socket, "socket", Probe)
    monkeypatch.setattr(addresses, "fcntl", None)
    return "192.168.178.34"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Drawn]:
    """Every line of text that is drawn on paper, in order."""
    seen: list[Drawn] = []
    draw = Paper._draw_line

    def watch(paper: Paper, x: float, y: float, line: str, *, size: float, bold: bool) -> None:
        seen.append(Drawn(paper.canvas.getPageNumber(), x, y, measure_width(line, bold=bold) * size, size, line))
        draw(paper, x, y, line, size=size, bold=bold)

    monkeypatch.setattr(Paper, "_draw_line", watch)
    return seen


@pytest.fixture(scope="session")
def screen() -> Iterator[str]:
    """A screen of its own, which Xvfb numbers itself."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb missing")
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-nolisten", "tcp", "-screen", "0", "1366x768x24"]
    with subprocess.Popen(words, pass_fds=[writing], stderr=subprocess.DEVNULL) as program:
        os.close(writing)
        with os.fdopen(reading) as numbered:
            yield f":{numbered.readline().strip()}"
        program.terminate()
