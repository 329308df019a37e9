"""What the commands of the terminal share: how they find things, refuse, and print."""

import json
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.laptop.backup import files, health, keeper, making, opened_by, places
from tournament.laptop.backup.values import BackupReason
from tournament.laptop.version import version
from tournament.management import language
from tournament.models import Division, Organiser, Round, Tournament
from tournament.operations.change import TERMINAL, Actor
from tournament.queries import installation, league
from tournament.refusals import Refusal, Refusals

FEW = 5
"""Of many names so many are said."""


class BadInput(Exception):
    """Bad input: every fault is one line on standard error, the exit status is 1, and nothing has changed."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.lines = lines


def require_pairs(division: Division) -> None:
    """Raise `BadInput` where nobody is paired: there is no table of wins then, and no final ranking."""
    if not division.tournament.rules.is_paired:
        told = {"slug": division.tournament.slug, "ruleset": division.tournament.rules.name}
        raise BadInput([_("By %(ruleset)s there is no table of wins: duplicate %(slug)s prints it.") % told])


class OneLineParser(CommandParser):
    """Says in one line what is wrong with the words of a command, without the usage, and exits with status 1."""

    def error(self, message: str) -> NoReturn:
        said = language.complaint(" ".join(message.split()))
        if self.called_from_command_line:
            self.exit(1, f"{said}\n")
        raise CommandError(said)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As usual, but refuse words that are not text: neither the database nor the terminal could take them."""
        for word in args or ():
            if not word.isprintable() and any("\ud800" <= mark <= "\udfff" for mark in word):
                self.error(_("%(word)a is not written in the terminal's encoding") % {"word": word})
        return super().parse_args(args, namespace)


class TournamentCommand(BaseCommand):
    """A command that tells bad input from a broken program.

    Subclasses implement `run(**options)`; a `Refusal`, `Refusals` or `BadInput` raised there is printed line by line.
    In a terminal a command speaks the language asked for there; called from code, the caller's.
    """

    requires_system_checks = []
    """They would read every page's code first, two thirds of a command's time."""
    requires_migrations_checks = False
    updates_database = True
    """Whether the database is made, or brought to this version, before `run`."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        languages = tuple(dict(settings.LANGUAGES))
        parser.add_argument(language.OPTION, choices=languages, help="what to speak (default: as the terminal, or de)")
        return OneLineParser(
            prog=parser.prog,
            description=parser.description,
            formatter_class=parser.formatter_class,
            parents=[parser],
            add_help=False,  # the parent's is there
            called_from_command_line=parser.called_from_command_line,
        )

    def run_from_argv(self, argv: list[str]) -> None:
        with translation.override(language.asked_for(argv[2:], os.environ)):
            super().run_from_argv(argv)

    def execute(self, *args: Any, **options: Any) -> Any:
        with translation.override(options["language"] or translation.get_language()):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if self.updates_database:
                self.update_what_is_there()
            with self.saving_before_hard_steps():
                self.run(**options)
        except BadInput as faults:
            self.refuse(faults.lines)
        except Refusals as refusals:
            self.refuse([str(refusal) for refusal in refusals.refusals])
        except Refusal as refusal:
            self.refuse([str(refusal)])
        except OperationalError as fault:  # a full disk, a folder that must not be written to
            self.refuse([_unusable(fault)])

    def update_what_is_there(self) -> None:
        """Bring the database to this version; on a laptop it is saved before, and not made beside data that have
        lost theirs. Raises `BadInput`, `Refusal`."""
        if connection.settings_dict["NAME"] == places.here().database:
            health.require_there(places.here())
        try:
            if connection.vendor == "sqlite" and was_used() and is_outdated():
                making.make(places.here(), BackupReason.MIGRATION)
        except DatabaseError as fault:
            raise BadInput([_unusable(fault)]) from fault
        update_database()

    def saving_before_hard_steps(self) -> AbstractContextManager[None]:
        """On a laptop's database a step that is hard to take back is preceded by a backup, as on its pages."""
        if connection.settings_dict["NAME"] != places.here().database:
            return nullcontext()
        return keeper.before_hard_steps(places.here(), tell=lambda refusal: self.stderr.write(str(refusal)))

    def run(self, **options: Any) -> None:
        """Do the command's work; raise what `handle` prints."""
        raise NotImplementedError

    def refuse(self, lines: list[str]) -> None:
        """Print each fault on a line of standard error and exit with status 1."""
        for line in lines:
            self.stderr.write(line)
        sys.exit(1)

    def print_json(self, value: Any) -> None:
        """The one JSON value on standard output."""
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=1))


def update_database() -> None:
    """Bring the database to this version of the program, from nothing if it is new. Raises `BadInput` if it cannot."""
    try:
        if is_outdated():
            call_command("migrate", verbosity=0, interactive=False)
    except DatabaseError as fault:
        raise BadInput([_unusable(fault)]) from fault


def is_outdated() -> bool:
    """Whether the database has to be made, or brought to this version. Raises `DataNewer`."""
    executor = MigrationExecutor(connection)
    require_known(executor.loader.applied_migrations)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def was_used() -> bool:
    """Whether there is anything in the database yet."""
    return bool(MigrationExecutor(connection).loader.applied_migrations)


def _unusable(fault: DatabaseError) -> str:
    """Why the database cannot be used, in one line; the system's own reasons are said as for any other file."""
    if isinstance(fault.__cause__, Refusal):
        return str(fault)
    text, folder = " ".join(str(fault).split()), settings.DATA_DIR
    if "disk is full" in text or ("I/O" in text and shutil.disk_usage(folder).free < files.PROBE):
        return str(files.DiskFull(folder=folder))
    if "readonly" in text:
        return str(files.ReadOnly(folder=folder))
    return _("The database cannot be used: %(reason)s") % {"reason": text}


def require_known(applied: Iterable[tuple[str, str]]) -> None:
    """Raise `DataNewer` if a newer version of the program has made this database."""
    by_app: dict[str, list[str]] = {}
    for app, name in applied:
        by_app.setdefault(app, []).append(name)
    if unknown := installation.unknown(by_app):
        raise opened_by.DataNewer(places.here(), names=", ".join(unknown))


def require_fit() -> None:
    """Raise `BadInput` if the database lacks what this version of the program needs."""
    if misfits := installation.misfits():
        figures = {"names": ", ".join(misfits[:FEW]), "own": version()}
        raise BadInput(
            [
                _(
                    "The database does not fit this version of the program (%(own)s): it lacks %(names)s. Please start "
                    "the version that made it. Nothing was changed."
                )
                % figures
            ]
        )


def add_division(parser: CommandParser) -> None:
    """The option that names a division."""
    parser.add_argument("--division", help="the division's name (default: the first one)")


def add_format(parser: CommandParser, *formats: str) -> None:
    """The option that chooses the form of the output; the first one is the default."""
    parser.add_argument("--format", choices=formats, default=formats[0], help="form of the output")


def add_organiser(parser: CommandParser) -> None:
    """The option that names an organiser."""
    parser.add_argument("--organiser", metavar="SLUG", help="for whom (default: the only organiser there is)")


def terminal(slug: str | None) -> Actor:
    """Whoever sits at the machine, for the organiser with this slug. Raises `BadInput` naming those that exist."""
    if slug is None:
        return TERMINAL
    found = Organiser.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Organiser.objects.order_by("slug").values_list("slug", flat=True)) or "–"
        raise BadInput([_("There is no organiser “%(slug)s”. Known: %(known)s.") % {"slug": slug, "known": known}])
    return replace(TERMINAL, organiser=found)


def tournament_of(slug: str) -> Tournament:
    """The tournament with this slug. Raises `BadInput` naming those that exist."""
    found = Tournament.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Tournament.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "–"
        raise BadInput([_("There is no tournament “%(slug)s”. Known: %(known)s.") % {"slug": slug, "known": known}])
    return found


def division_of(tournament: Tournament, name: str | None) -> Division:
    """The division of that name, by default the first. Raises `BadInput` naming those that exist."""
    divisions = league.divisions(tournament)
    for division in divisions:
        if name is None or division.name == name:
            division.tournament = tournament
            return division
    known = ", ".join(division.name for division in divisions) or "–"
    figures = {"slug": tournament.slug, "name": name or "", "known": known}
    raise BadInput([_("%(slug)s has no division “%(name)s”. Known: %(known)s.") % figures])


def round_of(division: Division, number: int) -> Round:
    """Round `number` of a division, draft or not; of the knock-out 1000 + 100 · stage + game.

    Raises `BadInput` naming those that exist.
    """
    found = Round.objects.filter(division=division, number=number).first()
    if found is None:
        numbers = Round.objects.filter(division=division).in_order().values_list("number", flat=True)
        known = ", ".join(map(str, numbers)) or "–"
        figures = {"division": division.name, "number": number, "known": known}
        raise BadInput([_("Division %(division)s has no round %(number)s. Known: %(known)s.") % figures])
    found.division = division
    return found
