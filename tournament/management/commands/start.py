"""`start`: everything a director needs to begin: database, account, server, addresses, browser."""

import signal
import sys
import webbrowser
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any, NoReturn

from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.core.management.color import supports_color
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.laptop import clock_put_back, first_start, qr, serving
from tournament.laptop.backup import checking, keeper, places, postgres, restarting
from tournament.laptop.backup.values import BackupReason
from tournament.management import base, readiness
from tournament.refusals import Refusal

HIGHEST_PORT = 65535
DARK_GROUND, PLAIN = "\x1b[97;40m", "\x1b[0m"


class Command(base.TournamentCommand):
    help = "Start the program: set up the database, serve, print the addresses, open the browser."
    updates_database = False  # a wrong port is reported first, and a second start leaves the first one's database alone

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000", help="where to serve (default: 8000)")
        parser.add_argument("--lan", action="store_true", help="let phones and other machines in this network in")
        parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
        parser.add_argument(
            "--wal", choices=("aside", "keep"), help="what to do with a -wal that is not the database's"
        )

    def saving_before_hard_steps(self) -> AbstractContextManager[None]:
        """The keeper does, from the moment on when pages are served: with both each entry would be noted twice."""
        return nullcontext()

    def run(self, **options: Any) -> None:
        number, lan, browser = port(options["port"]), options["lan"], not options["no_browser"]
        start_page = f"http://{serving.local_host()}:{number}"
        if self.runs_already(number, start_page, browser=browser):
            return
        written = clock_put_back.last_written(places.here())
        readiness.make_ready(wal=options["wal"], tell=self.write)
        first_start.remove_old_sessions()
        server = listen(number, lan=lan)
        new = self.first_director()
        if new is not None:
            self.show_account(*new)
        self.show_addresses(start_page, number, lan=lan)
        if browser:
            serving.open_browser(start_page + (sign_in_path(new[0]) if new else "/"), number)
        signal.signal(signal.SIGTERM, stop)
        self.serve(server, written)
        self.stdout.write(_("Stopped. Everything that was entered is saved."))

    def first_director(self) -> tuple[User, str] | None:
        """As `make_director`. On a laptop the notes begin with it: so they are known for those of these data."""
        if postgres.in_use():
            return first_start.make_director()
        with keeper.noting_entries(places.here(), tell=lambda refusal: self.write(str(refusal))):
            return first_start.make_director()

    def serve(self, server: Any, written: float) -> None:
        """Answer until somebody stops the program; on a laptop backups are made meanwhile, and a last one.

        `written`: when the database was written last, by the machine's clock.
        """
        serving.settle_memory()
        if postgres.in_use():
            server.run()
            return
        spoken = translation.get_language()  # another thread begins with the default language

        def tell(refusal: Refusal) -> None:
            with translation.override(spoken):
                self.write(str(refusal))

        kept = keeper.begin(places.here(), check=checking.check, tell=tell)
        if kept.status().last is None:
            kept.save_soon(BackupReason.START)  # nothing is entered before there is a copy that it can be brought into
        clock_put_back.catch_up(written)
        clock_put_back.begin()
        restarting.allow()
        server.run()
        kept.end()

    def runs_already(self, number: int, start_page: str, *, browser: bool) -> bool:
        """Say so if the program is running at this port. Raises `BadInput` if another one has it."""
        occupant = serving.occupant(number)
        if occupant is serving.Occupant.SOMEBODY:
            raise base.BadInput([_in_use(number)])
        if occupant is serving.Occupant.OURSELVES:
            self.stdout.write(_("The program is running already: %(address)s") % {"address": f"{start_page}/"})
            if browser and serving.has_screen():
                webbrowser.open(f"{start_page}/")
        return occupant is serving.Occupant.OURSELVES

    def show_account(self, user: User, password: str) -> None:
        """The new account, this once."""
        self.write(
            "",
            _("The director's account is made. Write it down, it is shown only this once:"),
            "    " + _("Name:     %(name)s") % {"name": user.get_username()},
            "    " + _("Password: %(password)s") % {"password": password},
        )

    def show_addresses(self, start_page: str, number: int, *, lan: bool) -> None:
        """Where to find the program, from this machine and from the network."""
        self.write("", _("The program is running: %(address)s") % {"address": f"{start_page}/"})
        if lan:
            self.show_network(number)
        else:
            self.write(_("Only this machine can open it. Start it with --lan to let phones and other machines in."))
        self.write(_("Leave this window open. Ctrl+C stops the program."), "")

    def show_network(self, number: int) -> None:
        """What others in the network type, with a code to scan for the first address."""
        hosts = serving.network_hosts()
        if not hosts:
            self.write(_("There is no network yet. The address for others follows here as soon as there is one."))
        for host in hosts:
            self.write(_("For others in this network: %(address)s") % {"address": f"http://{host}:{number}/"})
        if hosts:
            self.show_code(f"http://{hosts[0]}:{number}/")
        spoken = translation.get_language()  # another thread begins with the default language

        def tell(host: str) -> None:
            with translation.override(spoken):
                self.show_new(f"http://{host}:{number}/")

        serving.watch_network(tell)

    def show_new(self, address: str) -> None:
        """An address that this machine got while serving."""
        self.write(_("For others in this network: %(address)s") % {"address": address})
        self.show_code(address)

    def show_code(self, address: str) -> None:
        """The address as a QR code, where the terminal can draw it."""
        text = qr.terminal_text(address)
        try:
            text.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return
        if supports_color():
            text = "\n".join(f"{DARK_GROUND}{line}{PLAIN}" for line in text.splitlines())
        self.write(text)

    def write(self, *lines: str) -> None:
        """Print at once, also into a pipe."""
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def port(text: str) -> int:
    """The number of the port. Raises `BadInput` for anything else."""
    if not (text.isdecimal() and 1 <= int(text) <= HIGHEST_PORT):
        raise base.BadInput([_("--port %(port)s: write a whole number from 1 to 65535.") % {"port": text}])
    return int(text)


def listen(number: int, *, lan: bool) -> Any:
    """The server, listening. Raises `BadInput` if the port is not to be had."""
    try:
        return serving.server(number, lan=lan)
    except OSError as fault:
        raise base.BadInput([f"{_in_use(number)} ({fault.strerror or fault})"]) from fault


def _in_use(number: int) -> str:
    return _("Port %(port)s is not free. Choose another one, for example: --port %(other)s") % {
        "port": number,
        "other": number + 1 if number < HIGHEST_PORT else number - 1,
    }


def sign_in_path(user: User) -> str:
    """The address that signs the new director in once."""
    return reverse("first_start", args=[first_start.sign_in_token(user)])


def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End as Ctrl+C does: finish what is being answered, then go."""
    raise SystemExit
