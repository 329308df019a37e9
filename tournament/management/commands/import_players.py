"""`import_players FILE`: players into the register, and into an event."""

from typing import Any

from django.core.management.base import CommandParser

from tournament import limits, names
from tournament.exchange import faults, players
from tournament.exchange.faults import Code, Fault, Place, quoted
from tournament.management import base, files
from tournament.models import Division, Tournament
from tournament.operations import entries
from tournament.operations.change import TERMINAL
from tournament.operations.players import update_register
from tournament.queries import league


class Command(files.FileCommand):
    help = "Read players from CSV or XLSX into the register, and with --tournament into an event as well."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--tournament", metavar="SLUG", help="enter the players here, too")
        parser.add_argument("--division", help="into this division (default: the file's, or the first one)")
        base.add_organiser(parser)

    def run(self, **options: Any) -> None:
        sheet = players.read(files.content(options["file"], limit=limits.LIST_BYTES))
        if sheet.faults:
            raise faults.Faults(sheet.faults)
        if options["tournament"] is None:
            actor = base.terminal(options["organiser"])
            done = update_register(people=[row.person for row in sheet.rows], actor=actor)
            self.stdout.write(f"Register: {done.added} new, {done.changed} changed, {done.same} unchanged")
            return
        tournament = base.tournament_of(options["tournament"])
        newcomers = _newcomers(sheet, tournament, options["division"])
        entered = entries.enter_all(tournament, newcomers=newcomers, actor=TERMINAL)
        self.stdout.write(f"{tournament.name}: {len(entered.new)} entered, {len(entered.already)} were there already")


def _newcomers(sheet: players.PlayerList, tournament: Tournament, chosen: str | None) -> list[entries.Newcomer]:
    """Everybody on the list with their division: the chosen one, else the row's, else the first. Raises `BadInput`."""
    divisions = {names.fold(division.name): division for division in league.divisions(tournament)}
    usual = base.division_of(tournament, chosen)
    found: list[entries.Newcomer] = []
    wrong: list[Fault] = []
    for row in sheet.rows:
        division: Division | None = usual
        if chosen is None and row.division:
            division = divisions.get(names.fold(row.division))
        if division is None:
            wrong.append(Fault(Code.UNKNOWN_DIVISION, Place(row=row.number), {"value": quoted(row.division)}))
        else:
            found.append(entries.Newcomer(row.person, division))
    if wrong:
        raise faults.Faults(wrong)
    return found
