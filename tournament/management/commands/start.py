import contextlib
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandParser
from django.core.management.color import supports_color
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.backup.database import count_lost_photos, list_applied_migrations
from tournament.backup.files import refuse_file_faults, require_writable_folder
from tournament.backup.health import (
    accept_missing_entries,
    check_database,
    is_data_older,
    keep_wal,
    move_wal_aside,
    renew_mark,
    require_data_not_newer,
    save_data_version,
)
from tournament.backup.keeper import start_keeper, take_journal_notes
from tournament.backup.making import check_copy, is_postgresql_used, make_backup, take_copy
from tournament.backup.places import BackupReason, Installation, find_last_write_time, get_installation
from tournament.backup.restoring import RESTART_ALLOWED, carry_out_restore_plan, remove_leftovers, restart_program
from tournament.backup.words import describe_lost_photos
from tournament.basics.addresses import get_local_name
from tournament.basics.program import START_FILE, find_folder_beside, format_lan_command
from tournament.basics.qr import format_qr_for_terminal
from tournament.basics.refusals import Refusal
from tournament.by_itself.ticking import start_ticking
from tournament.core.errands import do_errands
from tournament.laptop.clock_put_back import correct_clocks_at_start, start_clock_watch
from tournament.laptop.first_start import create_first_director, make_sign_in_token, remove_expired_sessions
from tournament.laptop.going_on import start_going_on
from tournament.laptop.hall_name import keep_local_name
from tournament.laptop.newer_version import describe_newest_version
from tournament.laptop.serving import (
    HTTP_PORT,
    PortOccupant,
    create_server,
    find_port_occupant,
    format_host_address,
    freeze_memory,
    get_local_host,
    has_display,
    list_network_hosts,
    open_browser,
    return_freed_memory,
    stop_server,
    watch_network,
)
from tournament.laptop.window import StartWindow, WindowText, open_tk
from tournament.management.base import (
    BadInput,
    TournamentCommand,
    is_database_outdated,
    protect_data_folder,
    require_fitting_schema,
    update_database,
)
from tournament.mirror.sending import start_sender

Tell = Callable[[str], None]


def prepare_installation(*, wal: str | None, tell: Tell) -> None:
    """Check the data, save them, and bring them to this version, before anybody is served. `wal`: the director's word
    on a `-wal` that is not the database's, "aside" or "keep". Raises a `Refusal` or `BadInput`."""
    home = get_installation()
    protect_data_folder(home, tell)
    require_writable_folder(home.data)
    # Before anything is asked of the data: a restore that has begun puts others in their place, perhaps of another
    # version.
    finish_pending_restore(home, tell)
    if is_postgresql_used():
        update_database()
        require_fitting_schema()
        return
    require_data_not_newer(home)
    # Before they are checked: a `-wal` that is not theirs ends the start, unless the director has said what to do with
    # it.
    settle_wal(home, wal, tell)
    check_database(home)
    remove_leftovers(home)
    back_up_before_start(home, tell)
    update_database()
    require_fitting_schema()
    do_errands()
    # Lock out older versions, and move the `-wal` into the file under a mark of this run.
    with refuse_file_faults(home.data, home.database):
        save_data_version(home)
        renew_mark(home, patient=True)
    if gone := count_lost_photos():
        tell(describe_lost_photos(gone, home.data))


def finish_pending_restore(home: Installation, tell: Tell) -> None:
    """Finish a restore that has begun; restart if it brought another key, because the settings hold the old one."""
    if (aside := carry_out_restore_plan(home)) is None:
        return
    tell(_("The backup has been restored. The previous data are kept here: %(folder)s") % {"folder": aside})
    # Sessions and links are signed with it: the old key in the settings would refuse everybody whom the backup knows.
    if home.key.read_text(encoding="ascii").strip() != settings.SECRET_KEY:
        restart_program()


def settle_wal(home: Installation, wal: str | None, tell: Tell) -> None:
    """Do what the director said about a `-wal` that is not the database's, or about entries that are not in it."""
    if wal is not None:
        accept_missing_entries(home)
    if wal == "aside" and home.wal.exists():
        tell(_("The old -wal lies in %(folder)s now.") % {"folder": move_wal_aside(home)})
    elif wal == "keep":
        keep_wal(home)


def back_up_before_start(home: Installation, tell: Tell) -> None:
    """Make a backup before a new version changes the data; else a copy, which the keeper packs while pages are served.
    If the backup fails, a `Refusal` ends the start and nothing is changed; without the copy an event can be run."""
    if not home.database.exists() or not list_applied_migrations():
        return
    if is_database_outdated() or is_data_older(home):
        tell(_("New version: backing up the data before they are changed …"))
        make_backup(home, BackupReason.MIGRATION)
        return
    do_errands()  # they would throw away a copy that was taken before
    try:
        take_copy(home, BackupReason.START)
    except Refusal as refusal:
        tell(str(refusal))


HIGHEST_PORT = 65535
AUTOMATIC_PORTS = (HTTP_PORT, 8000)
DARK_GROUND, PLAIN = "\x1b[97;40m", "\x1b[0m"


class Command(TournamentCommand):
    help = "Start the program: set up the database, serve, print the addresses, open the browser."
    updates_database = False  # a wrong port is reported first, and a second start leaves the first one's database alone

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--port",
            default="8000",
            help="where to serve (default: 8000); auto: 80, or 8000 where that is not to be had",
        )
        parser.add_argument("--lan", action="store_true", help="let phones and other machines in this network in")
        parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
        parser.add_argument("--window", action="store_true", help="show a small window, where there is a screen")
        parser.add_argument(
            "--wal", choices=("aside", "keep"), help="what to do with a -wal that is not the database's"
        )

    def protect_data(self) -> None:
        """`prepare_installation` does, and says so in the window."""

    def saving_before_hard_steps(self) -> AbstractContextManager[None]:
        """The keeper does so as soon as pages are served: with both, each entry would be noted twice."""
        return nullcontext()

    def run(self, **options: Any) -> None:
        numbers, lan, browser = parse_ports(options["port"]), options["lan"], not options["no_browser"]
        if self.runs_already(numbers, browser=browser):
            return
        try:
            # before anything is written: of two starts at once, one has the port and the other waits for its answer
            server, number = open_first_server(numbers, lan=lan)
        except BadInput:
            # Once more: of two starts at the same moment the other one has the port by now, and answers there.
            if self.runs_already(numbers, browser=browser):
                return
            raise
        # Before the first thing is written: with what the start itself writes, a clock that was put back would look
        # right.
        written = find_last_write_time(get_installation())
        prepare_installation(wal=options["wal"], tell=self.write)
        remove_expired_sessions()
        if notes := describe_data_place():
            self.write(*notes)
        if number != numbers[0]:
            message = _("Port %(wished)s is not to be had on this machine, so addresses end in :%(port)s.")
            self.write(message % {"wished": numbers[0], "port": number})
        start_page = format_host_address(get_local_host(), number).rstrip("/")
        if (new := self.first_director()) is not None:
            self.show_account(*new)
        self.show_addresses(start_page, number, lan=lan)
        if browser:
            # The first time by a link that signs in: the browser is open before anybody has noted the password.
            path = reverse("first_start", args=[make_sign_in_token(new[0])]) if new else "/"
            open_browser(start_page + path, number)
        # As systemd ends a program: pages that are being answered are finished, and the last backup is made.
        signal.signal(signal.SIGTERM, stop_program)
        command = "" if lan else format_lan_command()
        window_text = WindowText(f"{start_page}/", command, describe_account(new), tuple(notes))
        if not (options["window"] and self.serve_in_window(server, written, window_text)):
            self.serve(server, written)
        self.stdout.write(_("Stopped. Everything that was entered is saved."))

    def first_director(self) -> tuple[User, str] | None:
        """As `create_first_director`. On a laptop the notes begin with it, which ties them to these data."""
        if is_postgresql_used():
            return create_first_director()
        with take_journal_notes(get_installation(), tell=lambda refusal: self.write(str(refusal))):
            return create_first_director()

    def serve_in_window(self, server: Any, written: float, text: WindowText) -> bool:
        """As `serve`, in a thread beside the window; whether there is a window."""
        if (root := open_tk()) is None:
            return False
        port, address = server.effective_port, settings.RELEASES_ADDRESS
        StartWindow(
            root,
            text,
            serve=lambda: self.serve(server, written),
            stop=lambda: stop_server(server),
            find_addresses=lambda: [format_host_address(host, port) for host in list_network_hosts()],
            find_named=lambda: format_host_address(name, port) if (name := get_local_name()) else "",
            ask_for_newest=(lambda: describe_newest_version(address)) if address else None,
        ).run()
        return True

    def serve(self, server: Any, written: float) -> None:
        """Answer until somebody stops the program; on a laptop make backups meanwhile, and a last one. `written`: when
        the database was last written, by the machine's clock."""
        freeze_memory()
        return_freed_memory()
        start_sender()
        start_going_on()
        start_ticking()
        if is_postgresql_used():
            server.run()
            return
        speaking = translation.override(translation.get_language())  # another thread begins with the default language
        tell = speaking(lambda refusal: self.write(str(refusal)))
        keeper = start_keeper(get_installation(), check=check_copy, tell=tell)
        if keeper.status().last is None:
            keeper.save_soon(BackupReason.START)  # what is entered from now on can only be restored into a backup
        correct_clocks_at_start(written)
        start_clock_watch()
        RESTART_ALLOWED.set()
        server.run()
        keeper.end()

    def runs_already(self, numbers: Sequence[int], *, browser: bool) -> bool:
        """Whether the program is running at one of these ports, and say so. Raises `BadInput` if others have them."""
        occupants = {number: find_port_occupant(number) for number in numbers}
        ours = next((number for number, occupant in occupants.items() if occupant is PortOccupant.OURSELVES), None)
        if ours is None:
            # Only where every port is somebody else's: with `auto` the second may still be had.
            if set(occupants.values()) == {PortOccupant.SOMEBODY}:
                raise BadInput([_describe_taken_port(numbers[-1])])
            return False
        address = format_host_address(get_local_host(), ours)
        self.stdout.write(_("The program is running already: %(address)s") % {"address": address})
        if browser and has_display():
            webbrowser.open(address)
        return True

    def show_account(self, user: User, password: str) -> None:
        """Show the new account, this once."""
        self.write("", describe_account((user, password)))

    def show_addresses(self, start_page: str, number: int, *, lan: bool) -> None:
        """Where to open the program, on this machine and in the network."""
        self.write("", _("The program is running: %(address)s") % {"address": f"{start_page}/"})
        if lan:
            self.show_network(number)
        else:
            message = _("Only this machine can open it. To let phones and other machines in, start it by: %(command)s")
            self.write(message % {"command": format_lan_command()})
        self.write(_("Leave this window open. Ctrl+C stops the program."), "")

    def show_network(self, number: int) -> None:
        """What others in the network type, with a QR code of the first address; later addresses follow."""
        hosts = list_network_hosts()
        if not hosts:
            self.write(_("There is no network yet. The address for others will appear here when there is one."))
        for host in hosts:
            self.show_host(host, number)
        if hosts:
            self.show_code(hosts[0], number)

        def show_later(host: str) -> None:
            self.show_host(host, number)
            self.show_code(host, number)

        def show_name(name: str) -> None:
            message = _("Also, on devices that know such names: %(address)s")
            self.write(message % {"address": format_host_address(name, number)})

        speaking = translation.override(translation.get_language())  # in other threads
        watch_network(speaking(show_later))
        keep_local_name(number, speaking(show_name))

    def show_host(self, host: str, number: int) -> None:
        self.write(_("For others in this network: %(address)s") % {"address": format_host_address(host, number)})

    def show_code(self, host: str, number: int) -> None:
        """The address as a QR code, where the terminal can draw it."""
        text = format_qr_for_terminal(format_host_address(host, number))
        try:
            # Tried before it is printed: the blocks of a code are in few code pages of Windows, and half a code leads
            # nowhere.
            text.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return
        if supports_color():
            text = "\n".join(f"{DARK_GROUND}{line}{PLAIN}" for line in text.splitlines())
        self.write(text)

    def write(self, *lines: str) -> None:
        """Print at once, even into a pipe."""
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def describe_account(new: tuple[User, str] | None) -> str:
    """The new account, which is shown this once; "" if there is none."""
    if new is None:
        return ""
    user, password = new
    lines = [
        _("The director's account has been created. Write it down, it is shown only this once:"),
        "    " + _("Name:     %(name)s") % {"name": user.get_username()},
        "    " + _("Password: %(password)s") % {"password": password},
    ]
    return "\n".join(lines)


def describe_data_place() -> list[str]:
    """Where the data lie, if that is not beside the start file; and data there that are not used."""
    data, beside = get_installation().data, find_folder_beside()
    if START_FILE not in os.environ or beside is None or beside == data:
        return []
    sentences = [_("The data are kept in this folder: %(folder)s") % {"folder": data}]
    if beside.is_dir() and any(beside.iterdir()):
        sentences.append(_("The data in this folder are not used: %(folder)s") % {"folder": beside})
    return sentences


def parse_ports(text: str) -> tuple[int, ...]:
    """The ports to try, in order. Raises `BadInput` if it is neither a port nor `auto`."""
    if text == "auto":
        return AUTOMATIC_PORTS
    if not (text.isdecimal() and 1 <= int(text) <= HIGHEST_PORT):
        raise BadInput([_("--port %(port)s: write a whole number from 1 to 65535.") % {"port": text}])
    return (int(text),)


def open_first_server(numbers: Sequence[int], *, lan: bool) -> tuple[Any, int]:
    """The server, listening at the first of these ports that is to be had. Raises `BadInput` if none is."""
    for number in numbers[:-1]:
        with contextlib.suppress(BadInput):
            return open_server(number, lan=lan), number
    return open_server(numbers[-1], lan=lan), numbers[-1]


def open_server(number: int, *, lan: bool) -> Any:
    """The server, listening. Raises `BadInput` if the port is not to be had."""
    try:
        return create_server(number, lan=lan)
    except PermissionError as fault:
        message = _(
            "The system does not give port %(port)s to this program. Choose another one, for example: --port 8000"
        )
        raise BadInput([message % {"port": number}]) from fault
    except OSError as fault:
        raise BadInput([f"{_describe_taken_port(number)} ({fault.strerror or fault})"]) from fault


def _describe_taken_port(number: int) -> str:
    figures = {"port": number, "other": number + 1 if number < HIGHEST_PORT else number - 1}
    return _("Port %(port)s is in use. Choose another one, for example: --port %(other)s") % figures


def stop_program(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End as Ctrl+C does: finish what is being answered, then go."""
    raise SystemExit
