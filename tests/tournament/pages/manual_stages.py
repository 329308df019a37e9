"""From where chapters of the manual are followed: each stage is set up by itself, in the tests' database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from games.gcg.operations import publish_game
from tests import factories
from tests.games import steps
from tests.games.compare import typed
from tests.games.compare.test_views import OTHERWISE
from tests.games.duplicate.conftest import WORDS
from tests.games.gcg.games import GERMAN
from tests.games.judge.conftest import load
from tests.games.replay.conftest import sheet_with
from tests.tournament.backup.conftest import make_installation
from tests.tournament.backup.test_views_backups import one_event
from tests.tournament.registration.test_views_registrations import AWAY, SERVER
from tests.tournament.teams.test_team_matches import FOUR, league
from tournament.access.codes import make_personal_link
from tournament.backup.making import make_backup
from tournament.backup.places import BackupReason
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.mirror.messages import make_secret
from tournament.mirror.receiving import create_mirror_link
from tournament.models import Entry, Pairing

if TYPE_CHECKING:
    from pathlib import Path


def nothing(_settings: Any, _folder: Path) -> None:
    """Nobody but the director of the first start."""
    account = factories.director().user
    assert account is not None
    account.is_superuser = True  # as the account of the first start is
    account.save()


def example(settings: Any, folder: Path) -> None:
    """The example event, five of its seven rounds played and the sixth half, and a backup."""
    nothing(settings, folder)
    settings.DATA_DIR = folder / "data"
    home = make_installation(folder / "data")
    make_backup(home, BackupReason.BY_HAND, check=one_event)
    make_demo_tournament(actor=factories.director(), today=timezone.localdate(), size=DemoSize(17))


def at_the_tables(settings: Any, folder: Path) -> None:
    """A round: two sheets of table 1, a public game of table 2, tables 3 and 4 without anything."""
    nothing(settings, folder)
    settings.DATA_DIR = folder
    division = factories.event(players=8, starts="drawn", ruleset="tso-2017")
    round = factories.published(division)
    games = [steps.fresh(game) for game in Pairing.objects.filter(round=round).order_by("table")]
    typed.sheet(games[0], keeper=typed.FIRST)
    typed.sheet(games[0], OTHERWISE, keeper=typed.SECOND)
    publish_game(sheet_with(games[1], GERMAN), actor=factories.director())


def hosted(settings: Any, folder: Path) -> None:
    """A service on the internet whose letters nobody takes."""
    settings.HOSTED = settings.BEHIND_HTTPS = True
    settings.SERVICE_ADDRESS = "https://tso.example.org"
    nothing(settings, folder)
    settings.MAIL = SERVER
    settings.EMAIL_BACKEND = AWAY["EMAIL_BACKEND"]
    settings.EMAIL_HOST, settings.EMAIL_PORT = "localhost", 1  # where nobody takes a letter
    settings.NAMED_HOSTS = ["tso.example.org"]
    division = factories.event(players=6)
    factories.played(division)


def before_the_knockout(settings: Any, folder: Path) -> None:
    """One of two rounds played."""
    nothing(settings, folder)
    factories.played(factories.event(players=8, rounds=2))


def duplicate_evening(settings: Any, folder: Path) -> None:
    """Four players and a list of words."""
    nothing(settings, folder)
    settings.DATA_DIR = folder
    load("\n".join(WORDS.split()), letters="nl", title="lijst")
    factories.event(players=4, rounds=0, ruleset="sbnl-duplicate", minutes=None)


def team_day(settings: Any, folder: Path) -> None:
    """Four teams before their first round."""
    nothing(settings, folder)
    league(*FOUR)


def mirrored(settings: Any, folder: Path) -> None:
    """A round played on a laptop."""
    nothing(settings, folder)
    factories.played(factories.event(players=4))


def played_out(settings: Any, folder: Path) -> None:
    """All rounds played, and the event not ended."""
    nothing(settings, folder)
    division = factories.event(players=6, rounds=2)
    factories.played(division)
    factories.played(factories.fresh(division), (380, 420), (400, 390))


def make_link(entry: Entry | None) -> str:
    """The address that stands on somebody's card."""
    assert entry is not None
    return f"/me/{make_personal_link(Entry.objects.select_related('tournament').get(pk=entry.pk))}/"


def find_open_game() -> Pairing:
    """The first table of the example event's round that has no result."""
    return Pairing.objects.filter(round__number=6, kind="game", results=None).with_players().order_by("table")[0]


def make_mirror_address() -> str:
    """A link that a server has made."""
    link = create_mirror_link(factories.organiser("Schaufenster"), name="x")
    return f"https://tso.example.org/mirror/{link.nonce}/#{make_secret(link)}"
