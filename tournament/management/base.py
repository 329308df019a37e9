"""What the commands of the terminal share: how they find things, refuse, and print."""

import json
import os
import re
import shlex
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.backup.database import (
    find_schema_faults,
    find_unknown_migrations,
    list_applied_migrations,
    list_own_migrations,
)
from tournament.backup.files import PROBE_BYTES, DiskFull, FolderReadOnly
from tournament.backup.health import DataNewer, check_database_file, describe_way_back, require_database
from tournament.backup.keeper import back_up_before_hard_steps
from tournament.backup.making import make_backup, uses_installation_file
from tournament.backup.places import BackupReason, Installation, get_installation
from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals
from tournament.basics.version import get_version
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.core.errands import do_errands
from tournament.core.records import list_divisions
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_path
from tournament.exchange.json_text import make_size_fault
from tournament.exchange.shapes import read_date
from tournament.models import Division, Entry, Organiser, Round, Tournament
from tournament.results.league_games import list_division_entries

# Which language a command speaks, and argparse's complaints in that language.

LANGUAGE_OPTION = "--language"
LANGUAGE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""Where terminals keep their language, in the order in which gettext looks; the first that is set counts."""


def find_command_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that the words of a command ask for, else the terminal's, else German: the first that we speak.
    `LANGUAGE` may name several (`fr:nl`). Read before the command's parser, which complains in this language, too."""
    named = [value for option, value in pairwise(words) if option == LANGUAGE_OPTION]
    named += [word.partition("=")[2] for word in words if word.startswith(f"{LANGUAGE_OPTION}=")]
    # The first that is set and not the first that we speak: as gettext does, so that a terminal set to French is not
    # answered in what stands behind.
    chosen = next((environment[name] for name in LANGUAGE_VARIABLES if environment.get(name)), "")
    named += [re.split(r"[_.@-]", name)[0].lower() for name in chosen.split(":")]
    return next((name for name in named if name in dict(settings.LANGUAGES)), settings.LANGUAGE_CODE)


# A dot before and behind stands for a quotation mark, whichever this version of Python writes.
COMPLAINTS: Sequence[tuple[str, str | Promise]] = (
    (r"the following arguments are required: (?P<names>.+)", gettext_lazy("Missing: %(names)s.")),
    (r"one of the arguments (?P<names>.+) is required", gettext_lazy("Missing, one of: %(names)s.")),
    (
        r"argument (?P<name>.+): not allowed with argument (?P<other>.+)",
        gettext_lazy("%(name)s does not go with %(other)s."),
    ),
    (r"unrecognized arguments: (?P<words>.+)", gettext_lazy("Not understood: %(words)s.")),
    (
        r"ambiguous option: (?P<word>.+) could match (?P<options>.+)",
        gettext_lazy("%(word)s could be any of %(options)s."),
    ),
    (
        r"argument (?P<name>.+): invalid int value: .(?P<text>.*).",
        gettext_lazy("%(name)s: “%(text)s” is not a whole number."),
    ),
    (
        r"argument (?P<name>.+): invalid choice: .(?P<text>.*). \(choose from (?P<choices>.+)\)",
        gettext_lazy("%(name)s: “%(text)s” is not possible. Choose from: %(choices)s."),
    ),
    (
        r"argument (?P<name>.+): expected (?:(?:at least )?one argument|\d+ arguments)",
        gettext_lazy("%(name)s: the value is missing."),
    ),
    (
        r"argument (?P<name>.+): ignored explicit argument .(?P<text>.*).",
        gettext_lazy("%(name)s takes no value: “%(text)s”."),
    ),
)
"""What argparse says (it knows no German) and what we say instead, with the same figures."""


def translate_complaint(message: str) -> str:
    """Argparse's complaint in the current language; one that we do not know, from a later Python say, as it is."""
    for pattern, text in COMPLAINTS:
        if match := re.fullmatch(pattern, message):
            figures = match.groupdict()
            if "choices" in figures:
                # Versions of Python differ: some quote each choice, others do not.
                figures["choices"] = figures["choices"].replace("'", "")
            return str(text) % figures
    return message


MOST_NAMED = 5  # how many of many names a message lists


class BadInput(Exception):
    """Bad input: every fault is one line on standard error, the exit status is 1, and nothing has changed."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.lines = lines


def make_unknown_name_fault(sentence: str, known: Iterable[object], **figures: Any) -> BadInput:
    """The exception for a name that nothing has; the sentence lists the names that are `known`."""
    return BadInput([sentence % {**figures, "known": ", ".join(map(str, known)) or "–"}])


class OneLineParser(CommandParser):
    """Complains in one line, without the usage, and exits with status 1."""

    def error(self, message: str) -> NoReturn:
        complaint = translate_complaint(" ".join(message.split()))
        # Called from code, an exit would end the program that calls.
        if self.called_from_command_line:
            self.exit(1, f"{complaint}\n")
        raise CommandError(complaint)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual, but refuse words that are not text: neither the database nor the terminal could take them."""
        for word in args or ():
            # A terminal in Latin-1 hands over bytes that are no UTF-8 as lone surrogates; the database would fail at
            # them in the middle of the act.
            if not word.isprintable() and any("\ud800" <= mark <= "\udfff" for mark in word):
                self.error(_("%(word)a is not written in the terminal's encoding") % {"word": word})
        return super().parse_args(args, namespace)


class TournamentCommand(BaseCommand):
    """A command that tells bad input from a broken program. Subclasses implement `run(**options)`; a `Refusal`,
    `Refusals`, `FileFaults` or `BadInput` raised there is printed line by line. Started in a terminal it speaks the
    language asked for there; called from code, the caller's."""

    requires_system_checks = []  # they would read every page's code first, two thirds of a command's time
    requires_migrations_checks = False
    updates_database = True  # whether the database is made, or brought to this version, before `run`
    takes_organiser = False  # whether an option names the organiser for whom the command works
    formats: tuple[str, ...] = ()  # the forms of the output to choose from; the first one is the default

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if self.takes_organiser:
            parser.add_argument("--organiser", metavar="SLUG", help="for whom (default: the only organiser there is)")
        if self.formats:
            parser.add_argument("--format", choices=self.formats, default=self.formats[0], help="form of the output")
        languages = tuple(dict(settings.LANGUAGES))
        parser.add_argument(LANGUAGE_OPTION, choices=languages, help="what to speak (default: as the terminal, or de)")
        return OneLineParser(
            prog=parser.prog,
            description=parser.description,
            formatter_class=parser.formatter_class,
            parents=[parser],
            add_help=False,  # the parent's is there
            called_from_command_line=parser.called_from_command_line,
        )

    def run_from_argv(self, argv: list[str]) -> None:
        with translation.override(find_command_language(argv[2:], os.environ)):
            super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> Any:
        with translation.override(options["language"] or translation.get_language()):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.protect_data()
            if self.updates_database:
                self.update_what_is_there()
            with self.saving_before_hard_steps():
                self.run(**options)
        except BadInput as faults:
            self.refuse(faults.lines)
        except Refusals as refusals:
            self.refuse([str(refusal) for refusal in refusals.refusals])
        except FileFaults as file_faults:
            self.refuse([str(fault) for fault in file_faults.faults])
        except Refusal as refusal:
            self.refuse([str(refusal)])
        # Whatever it is: behind it may stand a damaged file, which is told in one sentence. Everything else goes on as
        # it came.
        except Exception as fault:
            if (message := _describe_fault_of_data(fault)) is None:
                raise
            self.refuse([message])

    def protect_data(self) -> None:
        """On a laptop, keep other users of the machine out of the data."""
        if uses_installation_file():
            protect_data_folder(get_installation(), self.stderr.write)

    def update_what_is_there(self) -> None:
        """Bring the database to this version, after a backup on a laptop; where other data are left but no database,
        no new one is made. Raises `BadInput`, `Refusal`."""
        if uses_installation_file():
            require_database(get_installation())
        try:
            if connection.vendor == "sqlite" and list_applied_migrations() and is_database_outdated():
                make_backup(get_installation(), BackupReason.MIGRATION)
        except (DatabaseError, UnicodeDecodeError) as fault:
            raise BadInput([_describe_database_fault(fault)]) from fault
        update_database()
        # After the update: what is to be done stands in a table that this version may just have made.
        do_errands()

    def saving_before_hard_steps(self) -> AbstractContextManager[None]:
        """On a laptop, make a backup before each step that is hard to take back, as its pages do."""
        if not uses_installation_file():
            return nullcontext()
        return back_up_before_hard_steps(get_installation(), tell=lambda refusal: self.stderr.write(str(refusal)))

    def run(self, **options: Any) -> None:
        """Do the command's work; raise what `handle` prints."""
        raise NotImplementedError

    def tell_new_name(self, words: str) -> None:
        """Say on standard error what a command is called now, to whoever sits before it: a program that reads faults
        there still finds these alone."""
        if self.stderr.isatty():
            sentence = _("This command is now called “%(words)s”. The old name works in every version 1.")
            self.stderr.write(sentence % {"words": words})

    def refuse(self, lines: list[str]) -> None:
        """Print each fault on a line of standard error and exit with status 1."""
        for line in lines:
            self.stderr.write(line)
        sys.exit(1)

    def print_json(self, value: Any) -> None:
        """The one JSON value on standard output."""
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=1))

    def print_answer(self, form: str, value: Any, lines: Iterable[str]) -> None:
        """The value where JSON is asked for, else the lines."""
        if form == "json":
            self.print_json(value)
        else:
            for line in lines:
                self.stdout.write(line)

    def print_bytes(self, content: bytes) -> None:
        """Write a file to standard output as it is, line ends and mark included."""
        binary = getattr(self.stdout, "buffer", None)
        # Called from code, the output may take text alone.
        if binary is None:
            self.stdout.write(content.decode("utf-8"), ending="")
        else:
            # What was printed before waits in a buffer of its own, and would come out behind the file.
            self.stdout.flush()
            binary.write(content)
            binary.flush()


def protect_data_folder(home: Installation, tell: Callable[[str], None]) -> None:
    """Shut other users of the machine out of the data folder, where the system knows owners, and tell if data lay open
    to them: they may have been read."""
    if os.name == "nt" or not _is_open_to_others(home.data):
        return
    with suppress(OSError):  # a stick's file system knows no owners
        if home.data.stat().st_uid == os.geteuid():
            home.data.chmod(PRIVATE_MODE)
    # A new folder holds nothing yet that somebody may have read.
    if not home.database.exists():
        return
    message = _("The data folder %(folder)s was open to other users of this machine. Now only its owner can read it.")
    if _is_open_to_others(home.data):
        message = _(
            "The data folder %(folder)s is open to other users of this machine. Its owner closes it: %(command)s"
        )
    tell(message % {"folder": home.data, "command": f"chmod {PRIVATE_MODE:o} {shlex.quote(str(home.data))}"})


PRIVATE_MODE = 0o700


def _is_open_to_others(folder: Path) -> bool:
    mode = folder.stat().st_mode
    return bool(mode & 0o077) and not mode & stat.S_ISVTX  # a folder that everybody shares has that mark


def update_database() -> None:
    """Bring the database to this version of the program, from nothing if it is new. Raises `BadInput` if it cannot."""
    try:
        if is_database_outdated():
            call_command("migrate", verbosity=0, interactive=False)
    except (DatabaseError, UnicodeDecodeError) as fault:
        raise BadInput([_describe_database_fault(fault)]) from fault


def is_database_outdated() -> bool:
    """Whether the database has to be made, or brought to this version. Raises `DataNewer` if a newer one made it."""
    require_known_migrations()
    if list_own_migrations() <= MigrationRecorder(connection).applied_migrations().keys():
        return False  # nothing can be left to do, and the graph of all migrations need not be built
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def require_known_migrations() -> None:
    """Raise `DataNewer` if a newer version of the program made the database."""
    if unknown := find_unknown_migrations(list_applied_migrations()):
        raise DataNewer(get_installation(), names=unknown)


def _describe_fault_of_data(fault: Exception) -> str | None:
    """What is wrong with the database or its disk, in one line; None if nothing is, and the fault is ours to mend."""
    if (
        isinstance(fault, OperationalError | UnicodeDecodeError) or type(fault) is DatabaseError
    ):  # others are about rows
        return _describe_database_fault(fault)
    try:
        if uses_installation_file():
            check_database_file(get_installation())
    except Refusal as refusal:
        return str(refusal)
    return None


def _describe_database_fault(fault: Exception) -> str:
    """Why the database cannot be used, in one line; the system's own reasons are said as for any other file."""
    # The database was not opened for a reason that has its own sentence: `config` raises it as the driver's error.
    if isinstance(fault.__cause__, Refusal):
        return str(fault)
    text, folder = " ".join(str(fault).split()), settings.DATA_DIR
    # By the words of SQLite: a full disk and a file that cannot be written are one and the same exception.
    if "disk is full" in text or ("I/O" in text and shutil.disk_usage(folder).free < PROBE_BYTES):
        return str(DiskFull(folder=folder))
    if "readonly" in text:
        return str(FolderReadOnly(folder=folder))
    return _tell_way_back(_("The database cannot be used: %(reason)s") % {"reason": text} + ".")


def _tell_way_back(said: str) -> str:
    """What is wrong with the database, and the backup to go back to where there can be one."""
    return f"{said} {describe_way_back(get_installation())}" if connection.vendor == "sqlite" else said


def require_fitting_schema() -> None:
    """Raise `BadInput` if the database lacks what this version of the program needs."""
    if misfits := find_schema_faults():
        sentence = _(
            "The database does not fit this version of the program (%(own)s): it lacks %(names)s. Please start the "
            "version that created it. Nothing was changed."
        )
        raise BadInput([_tell_way_back(sentence % {"names": ", ".join(misfits[:MOST_NAMED]), "own": get_version()})])


class DivisionCommand(TournamentCommand):
    """A command about one division of a tournament; subclasses add their own arguments to these."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--division", help="the division's name (default: the first one)")

    def get_division(self, options: Mapping[str, Any], *, paired: bool = False) -> Division:
        """The division that the options name. Raises `BadInput` naming those that exist. `paired`: raises it as well
        where nobody is paired; there is no table of wins then, and no final ranking."""
        division = get_division_by_name(get_tournament_by_slug(options["slug"]), options["division"])
        rules = division.tournament.rules
        if paired and not rules.is_paired:
            figures = {"slug": division.tournament.slug, "ruleset": rules.name}
            sentence = _("By %(ruleset)s there is no table of wins: show %(slug)s duplicate prints it.")
            raise BadInput([sentence % figures])
        return division


def get_terminal_actor(slug: str | None) -> Actor:
    """Whoever sits at the machine, for the organiser with this slug. Raises `BadInput` naming those that exist."""
    if slug is None:
        return TERMINAL_ACTOR
    if (organiser := Organiser.objects.filter(slug=slug).first()) is None:
        slugs = Organiser.objects.order_by("slug").values_list("slug", flat=True)
        raise make_unknown_name_fault(_("There is no organiser “%(slug)s”. Known: %(known)s."), slugs, slug=slug)
    return replace(TERMINAL_ACTOR, organiser=organiser)


def get_tournament_by_slug(slug: str) -> Tournament:
    """The tournament with this slug. Raises `BadInput` naming those that exist."""
    if (tournament := Tournament.objects.filter(slug=slug).first()) is None:
        slugs = Tournament.objects.order_by("slug").values_list("slug", flat=True)[:20]
        raise make_unknown_name_fault(_("There is no tournament “%(slug)s”. Known: %(known)s."), slugs, slug=slug)
    return tournament


def read_day(text: str) -> date:
    """A day as YYYY-MM-DD. Raises `BadInput`."""
    try:
        return read_date(text)
    except ValueError as fault:
        raise BadInput([_("“%(text)s” is not a day: write 2026-10-12.") % {"text": text}]) from fault


def get_division_by_name(tournament: Tournament, name: str | None) -> Division:
    """The division of that name, by default the first. Raises `BadInput` naming those that exist."""
    divisions = list_divisions(tournament)
    for division in divisions:
        if name is None or division.name == name:
            # The tournament that is at hand: the division would ask for it once more otherwise.
            division.tournament = tournament
            return division
    sentence, names = (
        _("%(slug)s has no division “%(name)s”. Known: %(known)s."),
        [division.name for division in divisions],
    )
    raise make_unknown_name_fault(sentence, names, slug=tournament.slug, name=name or "")


def get_round_by_number(division: Division, number: int) -> Round:
    """A round, draft or not; of the knock-out 1000 + 100 · stage + game. Raises `BadInput` naming those that exist."""
    if (stored_round := Round.objects.filter(division=division, number=number).first()) is None:
        numbers = Round.objects.filter(division=division).in_order().values_list("number", flat=True)
        sentence = _("Division %(division)s has no round %(number)s. Known: %(known)s.")
        raise make_unknown_name_fault(sentence, numbers, division=division.name, number=number)
    stored_round.division = division
    return stored_round


def get_entry_by_key(division: Division, key: str) -> Entry:
    """The player with this id in the division. Raises `BadInput` naming those that play there."""
    everybody = list_division_entries(division)
    if (chosen_entry := next((entry for entry in everybody if entry.key == key), None)) is None:
        sentence = _("Division %(division)s has no player “%(key)s”. Known: %(known)s.")
        raise make_unknown_name_fault(sentence, [entry.key for entry in everybody], division=division.name, key=key)
    return chosen_entry


def read_input_file(name: str, *, limit: int = limits.FILE_BYTES) -> bytes:
    """The bytes of a file. Raises `BadInput` if there is none, or if it is too large; the size is looked at first."""
    path = Path(name)
    with name_file_in_faults(name, FaultCode.NOT_READABLE):
        # Before a byte is read: somebody has named the video of the final by mistake.
        size = path.stat().st_size
        if size > limit:
            raise make_size_fault(size, limit)
        return path.read_bytes()


def write_output_file(name: str, content: bytes) -> None:
    """Write a file by way of another beside it, so that nobody ever finds half of it. Raises `BadInput`."""
    path = Path(name)
    beside = path.with_name(f"{path.name}.new")
    with name_file_in_faults(name, FaultCode.NOT_WRITABLE):
        try:
            beside.write_bytes(content)
            # In one step: whoever copies the file to the website at this moment has the old one or the new one.
            beside.replace(path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise


@contextmanager
def name_file_in_faults(name: str, code: FaultCode) -> Iterator[None]:
    """Turn an error of the file system into a fault that names the file."""
    try:
        yield
    except OSError as error:
        missing = code == FaultCode.NOT_READABLE and isinstance(error, FileNotFoundError)
        why = error.strerror or type(error).__name__
        raise make_single_fault(FaultCode.NO_SUCH_FILE if missing else code, value=quote_path(name), why=why) from error
